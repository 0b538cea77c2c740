// `shareLookups` bounds what clients cost that present secrets which may be unknown, by group of addresses.
//
// - A group that presented no unknown secret for a while is not limited: the keys of a thousand stores behind one proxy, for
//   example. Whatever it presents at once is few statements all the same, since concurrent look-ups are one.
// - Another group has a few look-ups of its own in a period; what it presents beyond them waits for the end of the period and is
//   looked up together. So a flood of unknown secrets costs a bounded number of statements, and a valid secret that comes
//   from the same address (an office, a school) waits for a moment and is never rejected because of the others.
// - What waits is bounded too. It can only be exceeded by more requests at once than an address may have connections.

export type SharedLookups<Input, Output> = (group: string, input: Input) => Promise<Output>

const SUSPECT_MS = 10_000
/** Of one group, in one period, before its calls wait. */
const ALONE_MAX = 5
const WAITING_MAX = 256
const PERIOD_MS = 200

type Waiting<Input, Output> = { input: Input; resolve: (output: Promise<Output>) => void }

/** Concurrent calls of `find` become one statement. A caller gets what `refuse` returns if too many are waiting already. */
export function shareLookups<Input, Output>({
  find,
  refuse,
}: {
  find: (input: Input) => Promise<Output>
  refuse: () => Error
}): SharedLookups<Input, Output> {
  const groups = new Map<string, { alone: number; waiting: Waiting<Input, Output>[] }>()

  /** A group that waited for nothing in its period is forgotten. */
  const endPeriod = (group: string) => {
    const waiting = groups.get(group)?.waiting ?? []
    groups.delete(group)
    if (waiting.length > 0) beginPeriod(group).alone = 1
    for (const { input, resolve } of waiting) resolve(lookUp(group, input))
  }
  const beginPeriod = (group: string) => {
    const period = { alone: 0, waiting: [] }
    groups.set(group, period)
    setTimeout(endPeriod, PERIOD_MS, group).unref()
    return period
  }

  /** Until they presented only known secrets for a while. */
  const suspects = new Map<string, NodeJS.Timeout>()
  const suspect = (group: string) => {
    const timer = suspects.get(group)
    if (timer) timer.refresh()
    else suspects.set(group, setTimeout(() => suspects.delete(group), SUSPECT_MS).unref())
  }
  const lookUp = async (group: string, input: Input) => {
    const found = await find(input)
    if (found === undefined) suspect(group)
    return found
  }

  return async (group, input) => {
    if (!suspects.has(group)) return lookUp(group, input)
    const period = groups.get(group) ?? beginPeriod(group)
    if (period.alone < ALONE_MAX) {
      period.alone += 1
      return lookUp(group, input)
    }
    if (period.waiting.length >= WAITING_MAX) throw refuse()
    return new Promise((resolve) => period.waiting.push({ input, resolve }))
  }
}
