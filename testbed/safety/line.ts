// A line of `npm run safety`: something that no attacker, visitor or neighbour can do. Every push shows it at a small size,
// `--tier large` at full size. Each names the guards that it depends on; without one of them it must fail.

import { NotShown, type Figures } from '../experiments/claims.ts'

export type Tier = 'small' | 'large'

/** A guard that a line can be run without: its negative control. */
export type Guard = {
  /** As in `--without NAME`. */
  name: string
  /** What takes its place, such as "a counter per account". */
  instead: string
  /** Whether the negative control takes less than 2 s in the small tier; CI runs only those. */
  isQuick: boolean
}

export type SafetyRun = {
  tier: Tier
  /** The name of the guard that is left out. */
  without: string | undefined
  /** A new database with the schema of the service and without data. It is dropped with the whole run. */
  createDatabase: () => Promise<{ appUrl: string; ownerUrl: string }>
  /** Adds to the figures that are printed, also if the line fails afterwards. */
  report: (figures: Figures) => void
}

/** Its name is that of its file in lines/. */
export type SafetyLine = {
  title: string
  /** How much of it each tier runs. */
  sizes: Readonly<Record<Tier, string>>
  guards: readonly Guard[]
  /** Throws `NotShown` if it is not shown; every other error is a fault of the run itself. */
  run: (run: SafetyRun) => Promise<void>
}

/** Fails the line, and says what was found instead. */
export function must(isSo: boolean, found: string): asserts isSo {
  if (!isSo) throw new NotShown(found)
}
