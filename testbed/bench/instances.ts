// The three services of a sitting, on one PostgreSQL: this tree's, the other tree's, and this
// tree's again on a copy of its database. They run side by side from beginning to end; the two
// that are not being measured are idle. Everything is removed at the end, whatever happens.

import pg from 'pg'
import { provision, type RunningPostgres } from '../../devserver/postgres.ts'
import {
  asBare,
  fill,
  postmasterOf,
  startCluster,
  startServe,
  thisTree,
  type RunningService,
  type World,
} from './environment.ts'
import type { Side } from './paired.ts'
import { runProgram } from './tree.ts'

export type Instance = { world: World; service: RunningService }
export type Instances = Readonly<Record<Side, Instance>>
type Shape = Pick<World, 'projects' | 'animals'>

/** Before each step `proceed` may throw, to end the sitting early. */
export async function withInstances<T>(
  theirTree: string,
  shape: Shape,
  proceed: () => void,
  work: (instances: Instances) => Promise<T>,
): Promise<T> {
  const postgres = await startCluster()
  const services: RunningService[] = []
  const start = async (tree: string, world: World): Promise<Instance> => {
    proceed()
    const service = await startServe(world.appUrl, { tree })
    services.push(service)
    return { world, service }
  }
  try {
    const ours = await createWorldOf(thisTree, postgres, 'ours', shape, proceed)
    const theirs = await createWorldOf(theirTree, postgres, 'theirs', shape, proceed)
    const again = await copyWorld(postgres, ours, 'again')
    await asBare(postgres.superuserUrl, (client) => client.query('checkpoint'))
    return await work({
      ours: await start(thisTree, ours),
      theirs: await start(theirTree, theirs),
      again: await start(thisTree, again),
    })
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await postgres.stop()
  }
}

/** By the commands of the tree's own program, but for the animals: there are too many. */
async function createWorldOf(
  tree: string,
  postgres: RunningPostgres,
  database: string,
  { projects, animals }: Shape,
  proceed: () => void,
): Promise<World> {
  proceed()
  const urls = urlsOf(postgres, database)
  const env = { DATABASE_URL: urls.appUrl, DATABASE_OWNER_URL: postgres.urlOf('petstore_owner', database) }
  await provision(postgres.superuserUrl, database)
  await runProgram(tree, ['migrate'], env)
  await fill(urls.bareUrl, projects, animals)
  const keys: string[] = []
  // One project after the other would leave a core idle.
  for (let project = 1; project <= projects; project += 2) {
    proceed()
    const two = [project, project + 1].filter((each) => each <= projects)
    keys.push(...(await Promise.all(two.map((each) => createKey(tree, env, `bench-${each}`)))))
  }
  return { ...urls, projects, animals, keys, postmaster: await postmasterOf(urls.bareUrl) }
}

async function createKey(tree: string, env: Record<string, string>, project: string): Promise<string> {
  const printed = await runProgram(tree, ['keys', 'create', '--project', project, '--json'], env)
  return (JSON.parse(printed) as { key: string }).key
}

async function copyWorld(postgres: RunningPostgres, world: World, database: string): Promise<World> {
  const [name, source] = [database, new URL(world.bareUrl).pathname.slice(1)].map(pg.escapeIdentifier)
  await asBare(postgres.superuserUrl, (client) =>
    client.query(`create database ${name} template ${source} owner petstore_owner`),
  )
  await provision(postgres.superuserUrl, database)
  return { ...world, ...urlsOf(postgres, database) }
}

const urlsOf = (postgres: RunningPostgres, database: string) => ({
  bareUrl: postgres.urlOf('postgres', database),
  appUrl: postgres.urlOf('petstore_app', database),
})
