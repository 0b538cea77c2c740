// `batched` combines concurrent calls into batches. Calls made in one turn of the event loop become
// one batch; while as many batches as there are lanes are in flight, further calls wait and are
// batched together. The higher the load, the fewer round trips each call costs; an idle service
// adds no delay.
//
// Guarantees, each pinned by a test:
// - every call gets its own result, and a failure caused by one call's data fails only that call;
// - nothing is done twice: only work that certainly was not done is retried;
// - groups take turns and the weight of a batch is bounded, so a group with heavy or frequent calls
//   delays another group by at most one batch per lane and its own turn;
// - where groups are kept apart, a group is in one batch at a time, and what it has more of than all others makes a batch
//   of its own: it delays none while there is a second lane.

export type Batching<Input, Output> = {
  /** Performs all inputs at once, or none of them; one result per input, in the same order. */
  together: (inputs: readonly Input[]) => Promise<readonly Output[]>
  /** True if the failure means that nothing was done and that one of the inputs may have caused it. */
  isBlamed: (error: unknown) => boolean
  groupOf: (input: Input) => unknown
  weightOf: (input: Input) => number
  weightMax: number
  lanes: number
  /** For calls that are heavy: batches are smaller. */
  keepsApart?: true
}

type Waiting<Input, Output> = {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

export function batched<Input, Output>(options: Batching<Input, Output>): (input: Input) => Promise<Output> {
  const { together, isBlamed, groupOf, weightOf, weightMax, lanes, keepsApart = false } = options
  // A Map keeps insertion order: the first group is the one whose turn it is.
  const groups = new Map<unknown, Waiting<Input, Output>[]>()
  /** Groups that are kept apart, of batches in flight. */
  const inFlight = new Set<unknown>()
  let underWay = 0
  let isScheduled = false

  const isLast = (last: unknown) => !groups.keys().some((group) => group !== last && !inFlight.has(group))
  const mayBegin = () => underWay < lanes && groups.keys().some((group) => !inFlight.has(group))

  function schedule(): void {
    if (isScheduled || !mayBegin()) return
    isScheduled = true
    // After the poll phase, so that all calls that arrive in this turn join the batch.
    setImmediate(() => {
      isScheduled = false
      void run(take())
      schedule()
    })
  }

  function take(): Waiting<Input, Output>[] {
    const taken: Waiting<Input, Output>[] = []
    const ofBatch = new Set<unknown>()
    let weight = 0
    for (const [group, queue] of groups) {
      const [next] = queue
      if (!next || inFlight.has(group)) continue
      if (keepsApart && ofBatch.size > 1 && ofBatch.has(group) && isLast(group)) break
      weight += weightOf(next.input)
      if (taken.length > 0 && weight > weightMax) break
      taken.push(next)
      ofBatch.add(group)
      queue.shift()
      groups.delete(group)
      if (queue.length > 0) groups.set(group, queue)
    }
    return taken
  }

  async function run(calls: readonly Waiting<Input, Output>[]): Promise<void> {
    if (calls.length === 0) return
    const apart = keepsApart ? new Set(calls.map(({ input }) => groupOf(input))) : new Set()
    for (const group of apart) inFlight.add(group)
    underWay += 1
    try {
      const outputs = await together(calls.map(({ input }) => input))
      calls.forEach(({ resolve }, index) => resolve(outputs[index] as Output))
    } catch (error) {
      if (calls.length > 1 && isBlamed(error)) await Promise.all(calls.map((call) => alone(call)))
      else for (const { reject } of calls) reject(error)
    } finally {
      underWay -= 1
      for (const group of apart) inFlight.delete(group)
      schedule()
    }
  }

  async function alone({ input, resolve, reject }: Waiting<Input, Output>): Promise<void> {
    await together([input]).then(([output]) => resolve(output as Output), reject)
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const group = groupOf(input)
      const queue = groups.get(group)
      if (queue) queue.push({ input, resolve, reject })
      else groups.set(group, [{ input, resolve, reject }])
      schedule()
    })
}
