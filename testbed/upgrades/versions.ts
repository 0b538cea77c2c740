// Upgrade and return: this release serves all the time while the next one migrates and starts, and then this release is
// started once more, on the newer schema. No request may fail.

import { spawnProgram, type ProgramEnd } from '../harness/program.ts'
import { copyRelease, migrationText } from './release-copy.ts'
import { failuresOf, startLoad, type LoadTally } from './steady-load.ts'
import { createStore, settingsOf, type DrillDatabase } from './store.ts'

export type UpgradeOptions = { requests: number; perSecond: number }

const NEXT = '99.1.0'

const expand = {
  '9001-weight.sql': migrationText(
    'expand',
    '1.0',
    'pets access exclusive',
    'alter table pets add column weight integer;',
  ),
  '9002-by-weight.sql': migrationText(
    'expand',
    '1.0',
    'pets share update exclusive\n-- transaction: none',
    'drop index concurrently if exists pets_by_weight;\ncreate index concurrently pets_by_weight on pets (project_id, weight);',
  ),
}

export async function upgradeAndReturn(database: DrillDatabase, options: UpgradeOptions): Promise<LoadTally> {
  const { requests, perSecond } = options
  const key = await createStore(database)
  const settings = settingsOf(database)
  using next = copyRelease(NEXT, expand)
  const origins: string[] = []
  const join = async ({ port }: { port: Promise<number> }) => void origins.push(`http://127.0.0.1:${await port}`)

  await using first = spawnProgram(['serve'], settings)
  await join(first)
  const load = startLoad(perSecond, key, () => origins)
  try {
    await load.answered(requests / 5)
    const { code, errors } = await spawnProgram(['migrate'], settings, next).ended
    if (code !== 0) throw new Error(`The migration failed: ${errors}`)
    await load.answered((2 * requests) / 5)
    await using second = spawnProgram(['serve'], settings, next)
    await join(second)
    await load.answered((3 * requests) / 5)
    await using again = spawnProgram(['serve'], settings)
    await join(again)
    await load.answered(requests)
    return await load.stop()
  } finally {
    await load.stop()
  }
}

export const upgradeFault = (tally: LoadTally): string | undefined =>
  failuresOf(tally) === 0 ? undefined : `${failuresOf(tally)} requests failed: ${JSON.stringify(tally.failed)}`

export type ContractFigures = { whileRunning: ProgramEnd; afterwards: ProgramEnd; returning: ProgramEnd }

/** Negative control: the next release drops a column, which must wait for this one to end, and then locks it out. */
export async function dropColumn(database: DrillDatabase): Promise<ContractFigures> {
  const settings = settingsOf(database)
  using next = copyRelease(NEXT, {
    '9001-drop.sql': migrationText(
      'contract',
      '99.1',
      'pets access exclusive',
      'alter table pets drop column name cascade;',
    ),
  })
  const contract = () => spawnProgram(['migrate', '--contract'], settings, next).ended
  let whileRunning: ProgramEnd
  {
    await using running = spawnProgram(['serve'], settings)
    await running.port
    whileRunning = await contract()
    running.end('SIGTERM')
    await running.ended
  }
  const afterwards = await contract()
  return { whileRunning, afterwards, returning: await spawnProgram(['serve'], settings).ended }
}

export function contractFault({ whileRunning, afterwards, returning }: ContractFigures): string | undefined {
  if (whileRunning.code !== 1 || !whileRunning.errors.includes('9001-drop.sql must wait')) {
    return 'A column was dropped while the older release was running.'
  }
  if (afterwards.code !== 0) return `The column could not be dropped: ${afterwards.errors}`
  const isNamed = returning.errors.includes('9001-drop.sql') && returning.errors.includes('Use release 99.1')
  return returning.code === 1 && isNamed ? undefined : 'The older release did not refuse to start, by name.'
}
