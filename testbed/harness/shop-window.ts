// A shop window on servers of sites, and visitors who ask for its animals: each with another name and contact, as a program
// would pretend, from an address that is chosen.

import { randomBytes } from 'node:crypto'
import { insertAccount, type AccountId } from '../../server/src/accounts/account-queries.ts'
import { statement, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import * as pets from '../../server/src/animals/pet-queries.ts'
import { insertMember } from '../../server/src/projects/project-queries.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { contentWith } from '../samples/sites.ts'
import { exchange } from './http.ts'
import { publishAtOnce } from './publish.ts'

export const queuedLinks = statement<{ count: number }, [project: bigint]>(
  'count-queued-links',
  `select count(*)::int as count from mail_directory where project_id = $1 and kind = 'request_confirm'`,
)
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
  await addOwner(database, project)
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
    count: (what: typeof queuedLinks) =>
      inProjectOf(database)(project, async (db) => (await db(what, project))[0]?.count ?? 0),
    /** The animals that the home page names. */
    shown: async () => {
      const { text } = await exchange(origins[0] ?? '', { path: '/', headers: host })
      return new Set(text.match(/href="\/animals\/animal-\d+-\d+"/g)).size
    },
    /** Forms are valid for hours, in every process. */
    readForms: async () => {
      tokens = await readTokens()
    },
    ask: async ({ animal, server, from }: { animal: number; server: number; from: string }): Promise<number> =>
      (await post(paths[animal] ?? '', server, from, tokens[animal] ?? '')).status,
  }
}

/** Only an owner with a proved address has visitors mailed. */
async function addOwner(database: Database, project: ProjectId): Promise<void> {
  const id = `acc_${randomBytes(12).toString('hex')}` as AccountId
  await insertAccount(database.run, {
    id,
    email: `${id}@owner.example`,
    name: 'Olga',
    password: '',
    isVerified: true,
  })
  await inProjectOf(database)(project, (db) => insertMember(db, project, id, 'owner'))
}
