// Workers are killed at each named step and at random, domains move to other owners in the meantime, and workers that were
// only slow continue when it is too late. The claim of a killed worker is ended at once instead of being waited for; its
// fencing token stays.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { harass, type Chaos } from './chaos.ts'
import { openEnvironment } from './environment.ts'
import { killAtEach, overtakeAtEach, stepNames, type StepOutcome, type Watched } from './steps.ts'
import type { Sabotage } from './worker.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export type IssuanceFigures = { steps: string[]; killed: Watched; overtaken: Watched; chaos: Chaos | null }

/** One sentence per broken guarantee. */
export function faultsOf({ killed, overtaken, chaos }: Omit<IssuanceFigures, 'steps'>): string[] {
  const all = [killed, overtaken, ...(chaos ? [chaos] : [])]
  const activeMax = Math.max(...all.map((watched) => watched.activeMax))
  return [
    ...all.flatMap(({ lives }) => lives.flatMap(faultsOfLife)),
    ...(activeMax <= 1 ? [] : [`${activeMax} orders were open for one name at once`]),
    ...(chaos && chaos.interrupted === 0 ? ['no worker was killed while it worked'] : []),
  ]
}

function faultsOfLife({ hostname, step, placed, mayHaveLost, isServed, older }: StepOutcome): string[] {
  const where = step === null ? hostname : `${hostname} (${step})`
  // Only a worker that died between placing an order and storing its address may cost another one.
  const allowed = 1 + mayHaveLost
  return [
    ...(isServed ? [] : [`${where}: there is no certificate in the end`]),
    ...(placed <= allowed ? [] : [`${where}: ${placed} orders were placed, and ${allowed} may be`]),
    ...(older === 0 ? [] : [`${where}: a certificate of an earlier owner was stored`]),
  ]
}

if (import.meta.main) {
  const flags = readFlags('issuance-kill')
  await using postgres = await startTemporaryPostgres()
  const urls = await postgres.createDatabase()
  const sabotage = (flags.sabotage ?? null) as Sabotage | null
  const environment = await openEnvironment(urls, { nonceRejectPercent: 20 })
  try {
    const steps = await stepNames(environment)
    const killed = await killAtEach(environment, steps, sabotage)
    const overtaken = await overtakeAtEach(environment, steps, sabotage)
    const seconds = Number(flags.seconds)
    const chaos =
      seconds > 0 && sabotage === null ? await harass(environment, { seconds, domains: Number(flags.domains) }) : null
    const figures = { steps, killed, overtaken, chaos }
    conclude(flags, figures, ...faultsOf(figures))
  } finally {
    await environment.close()
  }
}
