// The pools that projects share, found in the source of the program. Each is named here with what fills it, or with the reason
// why an account cannot fill it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FillingName } from './fill-pools.ts'

const source = join(import.meta.dirname, '../../server/src')

/** Functions that make a pool. A new kind of pool is added here; the line then requires its filling. */
const makers =
  /(?:const (\w+)\b[^\n=]*=\s*[^\n]*?)?(?<!function )\b(runTimers|uploadPool|capConnections|guardConnections|new Slots|new SlotsByPlace|new PasswordQueue|createStreamCounts|guardAdmission|inTurns|workInTurns|openRelay|startConfined)(?:<[^(\n]*>)?\(/g

/** The file, and the name that the pool has in it. */
export type Pool = `${string}: ${string}`

export function poolsOf(): Pool[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|fake)\.ts$/.test(name),
  )
  return files.flatMap((name) =>
    [...readFileSync(join(source, name), 'utf8').matchAll(makers)].map(
      ([, given, maker = '']): Pool => `${name}: ${given ?? maker}`,
    ),
  )
}

const paidOnly = { reason: 'Custom domains need a paid plan, and their checks and orders have workers of their own.' }

const filledBy: Readonly<Record<Pool, FillingName | { reason: string }>> = {
  'commands/mail.ts: relay': { reason: 'A command of the operator, in a process of its own.' },
  'foundation/load/admission.io.ts: serveInTurn': 'connections to the API',
  'foundation/http/http.io.ts: admission': 'connections to the API',
  'accounts/sign-in/password.io.ts: new PasswordQueue': 'passwords',
  'program/mail.ts: relay': 'mail',
  'program/mail.ts: worker': 'mail',
  'fleet/edge-guard.io.ts: admission': 'connections of edges',
  'fleet/edge-guard.io.ts: connections': 'connections of edges',
  'foundation/http/http.io.ts: guardConnections': 'connections to the API',
  'foundation/postgres/postgres.io.ts: connections': 'jobs',
  'foundation/load/slots.io.ts: slots': { reason: 'Those of `SlotsByPlace`, whose users are named.' },
  'foundation/dns/client.io.ts: slots': paidOnly,
  'edge/visitor-routes.ts: slots': {
    reason: 'Challenges are requested by authorities; beyond the bound, one is answered as if there were none.',
  },
  'foundation/load/fair-queue.ts: begin': { reason: 'The turns of `workInTurns`, whose users are named.' },
  'foundation/processes/request-process.io.ts: child': 'photos',
  'photos/processing/process-photo.io.ts: slots': 'photos',
  'origin/published-pages.io.ts: work': 'pages',
  'overview/watch-routes.ts: counts': 'streams',
  'imports/photos.io.ts: perHost': 'jobs',
  'photos/photo-routes.ts: pool': 'uploads',
  'photos/photo-routes.ts: slots': 'uploads',
  'imports/spreadsheet/process.io.ts: child': 'spreadsheets',
  'sites/pages/visitor-server.io.ts: guardConnections': 'connections to sites',
  'sites/pages/visitor-server.io.ts: serveInTurn': 'connections to sites',
  'program/work.ts: certificateWorker': paidOnly,
  'program/work.ts: domainWorker': paidOnly,
  'program/work.ts: photoWorker': 'photos',
  'program/work.ts: new Slots': 'jobs',
  'program/work.ts: worker': 'jobs',
}

/** Pools of the program without a filling, and entries of the table without a pool. */
export function unknownPools(pools: readonly Pool[]): Pool[] {
  const named = Object.keys(filledBy) as Pool[]
  return [...pools.filter((pool) => !named.includes(pool)), ...named.filter((pool) => !pools.includes(pool))]
}
