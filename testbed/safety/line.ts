// A line of `npm run safety`: something that no attacker, visitor or neighbour can do, shown at a small scale in CI and
// at full scale before a release. Each names the guards that it depends on; without one of them it must fail.

export type Scale = 'small' | 'large'

/** What a line found, for the report. */
export type SafetyFigures = Readonly<Record<string, string | number>>

/** A guard that a line can be run without: its negative control. */
export type Guard = {
  /** As in `--without NAME`. */
  name: string
  /** What takes its place, such as "a counter per account". */
  instead: string
  /** Whether the negative control takes less than 2 s at the small scale; CI runs only those. */
  isQuick: boolean
}

export type SafetyRun = {
  scale: Scale
  /** The name of the guard that is left out. */
  without: string | undefined
  /** A new database with the schema of the service and without data. It is dropped with the whole run. */
  createDatabase: () => Promise<{ appUrl: string; ownerUrl: string }>
  /** Adds to the figures that are printed, also if the line fails afterwards. */
  report: (figures: SafetyFigures) => void
}

export type SafetyLine = {
  line: number
  title: string
  guards: readonly Guard[]
  /** Throws `NotShown` if it is not shown; every other error is a fault of the run itself. */
  run: (run: SafetyRun) => Promise<void>
}

/** What the line is about is not so. */
export class NotShown extends Error {
  override name = 'NotShown'
}

/** Fails the line, and says what was found instead. */
export function must(isSo: boolean, found: string): asserts isSo {
  if (!isSo) throw new NotShown(found)
}
