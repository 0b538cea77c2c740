// Work that arrives together is done together. Calls of one turn of the event
// loop become one call for all of them, and while as many of those as there are
// lanes are under way, what arrives waits and is merged further. So the busier it
// gets, the fewer round trips each call costs; an idle service waits for nothing.
//
// Promises, each pinned by a test:
//   1. every call gets its own outcome, and a failure of one call's data fails
//      that call alone;
//   2. nothing is done twice: only what certainly was not done is tried again;
//   3. groups take turns, and the weight of what is merged is bounded: so a group
//      that asks for much, or often, makes another one wait for at most one merged
//      call a lane and its own turn.

export type Batching<Input, Output> = {
  /** Does them all at once, or none of them; one outcome for each, in their order. */
  together: (inputs: readonly Input[]) => Promise<readonly Output[]>
  /** Whether a failure means that nothing was done, and that one of the inputs may be to blame. */
  isBlamed: (error: unknown) => boolean
  groupOf: (input: Input) => unknown
  weightOf: (input: Input) => number
  weightMax: number
  lanes: number
}

type Waiting<Input, Output> = {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

export function batched<Input, Output>(options: Batching<Input, Output>): (input: Input) => Promise<Output> {
  const { together, isBlamed, groupOf, weightOf, weightMax, lanes } = options
  // A Map keeps the order of insertion: the group in front is the one whose turn it is.
  const groups = new Map<unknown, Waiting<Input, Output>[]>()
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || underWay >= lanes || groups.size === 0) return
    isScheduled = true
    // After the poll phase: whatever else has arrived in this turn comes along.
    setImmediate(() => {
      isScheduled = false
      void run(take())
      schedule()
    })
  }

  function take(): Waiting<Input, Output>[] {
    const taken: Waiting<Input, Output>[] = []
    let weight = 0
    for (const [group, queue] of groups) {
      const [next] = queue
      if (!next) continue
      weight += weightOf(next.input)
      if (taken.length > 0 && weight > weightMax) break
      taken.push(next)
      queue.shift()
      groups.delete(group)
      if (queue.length > 0) groups.set(group, queue)
    }
    return taken
  }

  async function run(calls: readonly Waiting<Input, Output>[]): Promise<void> {
    if (calls.length === 0) return
    underWay += 1
    try {
      const outputs = await together(calls.map(({ input }) => input))
      calls.forEach(({ resolve }, index) => resolve(outputs[index] as Output))
    } catch (error) {
      if (calls.length > 1 && isBlamed(error)) await Promise.all(calls.map((call) => alone(call)))
      else for (const { reject } of calls) reject(error)
    } finally {
      underWay -= 1
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
