// A shop window on servers of sites, and visitors who ask for its animals: each with another name and contact, as a program
// would pretend, from an address that is chosen.

import { randomBytes } from 'node:crypto'
import { statement, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import * as pets from '../../server/src/animals/pet-queries.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { contentWith } from '../samples/sites.ts'
import { exchange } from './http.ts'
import { joinProject, newPerson } from './people.ts'
import { publishAtOnce } from './publish.ts'

export const heldAnimals = statement<{ count: number }, [project: bigint]>(
  'count-held-animals',
  `select count(*)::int as count from pets where project_id = $1 and status <> 'available'`,
)

/** Of visitors: those that wait for a confirmation, and orders. */
export const storedRequests = statement<{ count: number }, [project: bigint]>(
  'count-stored-requests',
  `select (select count(*) from request_confirmations where project_id = $1)::int
     + (select count(*) from orders where project_id = $1)::int as count`,
)

export type ShopWindow = Awaited<ReturnType<typeof openShopWindow>>

/** A shop with an owner whose address is proved, behind servers of its site. */
export async function openShopWindow(
  database: Database,
  { origins, animals }: { origins: readonly string[]; animals: number },
) {
  const slug = `r${randomBytes(8).toString('hex')}`
  const project = await createProject(database, { slug, name: 'window' })
  // Only an owner with a proved address has visitors mailed.
  const owner = await newPerson(database, { isVerified: true })
  await joinProject(database, project, owner.account, 'owner')
  await publishAtOnce(inProjectOf(database), project, contentWith())
  const names = Array.from({ length: animals }, (_, n) => `Animal ${n}`)
  const rows = names.map((name) => ({ project, pet: { name, categoryId: 1n, status: 'available' as const } }))
  const paths = (await pets.insert(database.run, rows)).map(({ id }, n) => `/animals/animal-${n}-${id}`)
  const host = { Host: `${slug}.petstore.test:3080` }
  let visitors = 0
  /** Another visitor with each request, as a program would pretend. */
  const post = (path: string, server: number, from: string, token: string) => {
    const contact = `visitor-${(visitors += 1)}@visitor.example`
    return exchange(origins[server % origins.length] ?? '', {
      method: 'POST',
      path,
      body: new URLSearchParams({ name: 'Mia', contact, message: '', website: '', token }).toString(),
      headers: { ...host, 'X-Forwarded-For': from, 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  }
  // A page may be from before the clock was moved; what a form without a token returns is not.
  const readToken = async (path: string, n: number) =>
    /name="token" value="([^"]+)"/.exec((await post(path, 0, `198.18.${n >> 8}.${n & 255}`, '')).text)?.[1] ?? ''
  const readTokens = () => Promise.all(paths.map(readToken))
  let tokens = await readTokens()
  return {
    count: (what: typeof heldAnimals) =>
      inProjectOf(database)(project, async (db) => (await db(what, project))[0]?.count ?? 0),
    /** Forms are valid for hours, in every process. */
    readForms: async () => {
      tokens = await readTokens()
    },
    ask: async ({ animal, server, from }: { animal: number; server: number; from: string }): Promise<number> =>
      (await post(paths[animal] ?? '', server, from, tokens[animal] ?? '')).status,
  }
}
