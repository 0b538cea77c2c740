// Several walks at once, each with hostnames and projects of its own.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { walkOwnership, type Walked } from './walk.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const flags = readFlags('ownership-walk')
const walks = Number(flags.walks)
await using postgres = await startTemporaryPostgres()
const started = performance.now()
const { appUrl: url } = await postgres.createDatabase()
const database = openDatabase({ url, poolMax: walks * 2, onError: () => {} })
const each = Math.ceil(Number(flags.steps) / walks)
const walked = await Promise.all(
  Array.from({ length: walks }, (_, n) => walkOwnership(database, { steps: each, seed: Number(flags.seed) + n })),
)
await database.close()
const seconds = Math.round((performance.now() - started) / 1000)
const sum = (of: (one: Walked) => number) => walked.map(of).reduce((a, b) => a + b, 0)
const violations = walked.flatMap(({ violation }) => violation ?? [])
const figures = {
  steps: sum(({ steps: done }) => done),
  takes: sum(({ takes }) => takes),
  moves: sum(({ moves }) => moves),
  seconds,
}
conclude(
  flags,
  figures,
  ...violations.map(({ step, seed, what, trail }) => [`seed ${seed}, step ${step}: ${what}`, ...trail].join('\n')),
)
