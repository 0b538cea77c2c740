// The projects of an installation with a noisy neighbour, for the line `noisy-neighbour`: each with a site, an owner and an API key; that of the
// neighbour on the plan pro, with custom domains and as many members as it may have.

import { insertAccount, type AccountId } from '../../server/src/accounts/account-queries.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { openDatabase, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import * as pets from '../../server/src/animals/pet-queries.ts'
import { defaultRules } from '../../server/src/plans/limits.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import { createKey } from '../../server/src/projects/api-keys.io.ts'
import { addMember } from '../../server/src/projects/directory.io.ts'
import { insertMember } from '../../server/src/projects/project-queries.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { contentWith } from '../samples/sites.ts'
import { exchange } from '../harness/http.ts'
import { publishAtOnce } from '../harness/publish.ts'
import { openSession } from '../harness/session.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

export type Neighbour = {
  slug: string
  /** Of its site. */
  host: string
  key: string
  /** The session of its owner. */
  cookie: string
}

export type NoisyNeighbour = Neighbour & {
  /** The sessions of its members. */
  cookies: string[]
  hostnames: string[]
}

const ANIMALS = 50
const plan = 'pro'

export async function openNeighbourhood(
  env: Record<string, string>,
  { origin, quiet }: { origin: string; quiet: number },
): Promise<{ noisy: NoisyNeighbour; others: Neighbour[] }> {
  const config = parseConfig(env)
  const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 4, onError: () => {} })
  const inProject = inProjectOf(database)

  const open = async (slug: string): Promise<Neighbour & { project: ProjectId }> => {
    const { account, cookie } = await newPerson(database)
    const project = await createProject(database, { slug, name: slug, owner: account })
    const { key } = await createKey(contextOf(config, database), project, { label: 'load' })
    await publishAtOnce(inProject, project, contentWith())
    const names = Array.from({ length: ANIMALS }, (_, n) => `Animal ${n}`)
    await pets.insert(
      database.run,
      names.map((name) => ({ project, pet: { name, categoryId: 1n, status: 'available' as const } })),
    )
    return { slug, project, host: `${slug}.${config.platformHost}`, key, cookie }
  }

  try {
    const others: Neighbour[] = []
    for (let n = 1; n <= quiet; n += 1) others.push(await open(`quiet-${n}`))
    const { project, ...noisy } = await open('noisy')
    await setPlan({ inProject }, project, plan, 'operator')
    const cookies: string[] = []
    while (cookies.length < defaultRules.most(plan, 'members') - 1) {
      const { account, cookie } = await newPerson(database)
      await inProject(project, async (db) => {
        await insertMember(db, project, account, 'admin')
        await addMember(db, account, project)
      })
      cookies.push(cookie)
    }
    const hostnames = Array.from({ length: defaultRules.most(plan, 'customDomains') }, (_, n) => `www.noisy-${n}.com`)
    for (const hostname of hostnames) await addDomain(origin, noisy, hostname)
    return { noisy: { ...noisy, cookies, hostnames }, others }
  } finally {
    await database.close()
  }
}

async function newPerson({ run }: Database): Promise<{ account: AccountId; cookie: string }> {
  const account = newId('acc') as AccountId
  const password = 'no password has this hash'
  await insertAccount(run, { id: account, email: `${account}@shop.example`, name: 'Mia', password })
  return { account, cookie: (await openSession(run, account, password)).cookie }
}

async function addDomain(origin: string, { slug, cookie }: Neighbour, hostname: string): Promise<void> {
  const { status, text } = await exchange(origin, {
    method: 'POST',
    path: `/platform/v1/projects/${slug}/domains`,
    body: JSON.stringify({ hostname }),
    headers: { Cookie: cookie, Origin: DASHBOARD_ORIGIN, 'Content-Type': 'application/json' },
  })
  if (status !== 201) throw new Error(`${hostname} was not added: ${status} ${text}`)
}
