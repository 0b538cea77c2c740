// Upgrades under load: the next release migrates and starts while this one serves, a migration meets a reader, and a
// supervisor cannot replace its processes. Restarts in turn are the line `rolling-restart` of the safety suite.
//
//   npm run experiment -- upgrade --help

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { lockFault, migratePastReader } from '../../upgrades/locks.ts'
import { killBoth, respawnFault } from '../../upgrades/respawn.ts'
import type { DrillDatabase } from '../../upgrades/store.ts'
import { contractFault, dropColumn, upgradeAndReturn, upgradeFault } from '../../upgrades/versions.ts'
import { readFlags } from '../flags.ts'

type Drill = (database: DrillDatabase) => Promise<{ figures: object; fault: string | undefined }>

const flags = readFlags('upgrade')

const drills: Record<string, Drill> = {
  async versions(database) {
    const figures = await upgradeAndReturn(database, { requests: Number(flags.requests), perSecond: 300 })
    return { figures, fault: upgradeFault(figures) }
  },
  async locks(database) {
    const figures = await migratePastReader(database, { seconds: Number(flags.seconds), isRetrying: true })
    return { figures, fault: lockFault(figures) }
  },
  async respawn(database) {
    const figures = await killBoth(database, { isBroken: true })
    return { figures, fault: respawnFault(figures) }
  },
}

/** Each must fail, or be rejected in the right way. */
const controls: Record<string, Drill> = {
  async versions(database) {
    const figures = await dropColumn(database)
    return { figures, fault: contractFault(figures) }
  },
  async locks(database) {
    const figures = await migratePastReader(database, { seconds: 3, isRetrying: false })
    return { figures, fault: figures.code === 1 ? undefined : `The migration ended with ${figures.code}.` }
  },
  async respawn(database) {
    const figures = await killBoth(database, { isBroken: false })
    return { figures, fault: respawnFault(figures) === undefined ? 'The supervisor ended.' : undefined }
  },
}

await using postgres = await startTemporaryPostgres()
const chosen = Object.entries(flags.control ? controls : drills).filter(([name]) => (flags.only ?? name) === name)
const results: object[] = []
for (const [name, drill] of chosen) {
  const { figures, fault } = await drill(await postgres.createDatabase(name))
  results.push({ name, figures, fault: fault ?? null })
  if (!flags.json) process.stdout.write(`${name}: ${JSON.stringify(figures)}\n${fault ?? 'The guarantee held.'}\n`)
  if (fault !== undefined) process.exitCode = 1
}
if (flags.json) process.stdout.write(`${JSON.stringify(results)}\n`)
if (chosen.length === 0) process.exitCode = 2
