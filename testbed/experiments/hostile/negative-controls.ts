// Negative controls of the hostile experiment: one guarantee after the other is broken on
// purpose, with a few classes that reveal it, and the report must contain it.

import type { World } from '../../internet/world.ts'
import { brokenIn, runHostile } from './run.ts'
import type { HostileControl } from './worker.ts'

type Expected = { broken: string; classes: readonly string[]; mutations: number }

export const expected: Readonly<Record<HostileControl, Expected>> = {
  'no-deadline': { broken: 'too long', classes: ['no-answer', 'twice'], mutations: 1 },
  throws: { broken: 'crashes', classes: ['garbage-with-id', 'twice'], mutations: 1 },
  trusting: { broken: 'falsely verified', classes: ['not-authoritative', 'refused-with-answer'], mutations: 1 },
  unescaped: { broken: 'not escaped or bounded', classes: ['text-escapes', 'label-nul'], mutations: 1 },
  reserved: { broken: 'reserved addresses', classes: ['alias-and-address', 'nameserver-metadata'], mutations: 16 },
  leaks: { broken: 'memory', classes: ['twice', 'ttl-0', 'no-edns', 'text-split'], mutations: 60 },
  blocks: { broken: 'event loop', classes: ['twice'], mutations: 1 },
}

export type Checked = { control: HostileControl; broken: readonly string[]; isNoticed: boolean }

/** The negative controls that went undetected. */
export async function checkControls(
  world: World,
  seed: number,
  onChecked: (checked: Checked) => void = () => {},
): Promise<HostileControl[]> {
  const check = async ([control, { broken: wanted, classes, mutations }]: [
    HostileControl,
    Expected,
  ]): Promise<Checked> => {
    const broken = brokenIn(await runHostile(world, { seed, mutations, classes, control, atOnce: 16 }))
    return { control, broken, isNoticed: broken.includes(wanted) }
  }
  const all = await Promise.all((Object.entries(expected) as [HostileControl, Expected][]).map(check))
  for (const checked of all) onChecked(checked)
  return all.flatMap(({ control, isNoticed }) => (isNoticed ? [] : [control]))
}
