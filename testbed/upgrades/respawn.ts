// Two processes behind one port are killed after the schema has become unusable: the supervisor tries a few times to
// replace them, and ends with 1.

import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { until } from '../internet/processes.ts'
import { spawnProgram, type Program } from '../harness/program.ts'
import { settingsOf, type DrillDatabase } from './store.ts'

export type RespawnFigures = {
  /** Null if it still ran when both had been replaced. */
  code: number | null
  respawns: number
  seconds: number
}

const START_MS = 60_000

/** The processes that have begun to serve so far. */
const startsOf = ({ lines }: Program) => lines.filter((line) => line.includes('"msg":"serving"')).length

export async function killBoth(database: DrillDatabase, { isBroken }: { isBroken: boolean }): Promise<RespawnFigures> {
  await using program = spawnProgram(['serve'], { ...settingsOf(database), PROCESSES: '2' })
  await until('That both serve', async () => startsOf(program) === 2, START_MS)
  const { pid } = program
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  if (isBroken) await owner.query(`update schema_migrations set digest = 'another'`)
  await owner.end()
  const startedAt = performance.now()
  for (const child of children) process.kill(child, 'SIGKILL')
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  if (isBroken) {
    const { code, errors } = await program.ended
    return { code, respawns: errors.match(/was changed after it had been applied/g)?.length ?? 0, seconds: seconds() }
  }
  await until('That both were replaced', async () => startsOf(program) === 4, START_MS)
  return { code: null, respawns: startsOf(program) - 2, seconds: seconds() }
}

const RESPAWNS_MAX = 6
const SECONDS_MAX = 60

export function respawnFault({ code, respawns, seconds }: RespawnFigures): string | undefined {
  if (code !== 1) return `The supervisor ended with ${code}.`
  return respawns > RESPAWNS_MAX || seconds > SECONDS_MAX ? `${respawns} respawns in ${seconds} s` : undefined
}
