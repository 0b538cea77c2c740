// Requests are begun a few at a time, sender by sender, and in between the server reads what else has arrived.
// - A client whose request is rejected does not wait until all requests that came before it were begun.
// - Senders take turns: the requests of one that sends much wait for each other, and not those of others for them.
// - Work for the processor alone, such as pages in memory, leaves room for everything else in its process.

/** In one turn of the event loop; more than this many arrive in one only under heavy load. */
const BEGUN_IN_A_TURN = 8

export function inTurns<Args extends readonly unknown[]>(
  begin: (...args: Args) => void,
): (sender: string, ...args: Args) => void {
  /** By sender, in the order of their turns: a sender that has more goes to the end. */
  const waiting = new Map<string, Args[]>()
  let begun = 0
  const beginOne = (args: Args) => {
    if (begun === 0) setImmediate(nextTurn)
    begun += 1
    begin(...args)
  }
  const nextTurn = () => {
    begun = 0
    for (const [sender, requests] of waiting) {
      if (begun >= BEGUN_IN_A_TURN) return
      const next = requests.shift()
      waiting.delete(sender)
      if (requests.length > 0) waiting.set(sender, requests)
      if (next) beginOne(next)
    }
  }
  return (sender, ...args) => {
    if (waiting.size === 0 && begun < BEGUN_IN_A_TURN) return beginOne(args)
    const known = waiting.get(sender)
    if (known) known.push(args)
    else waiting.set(sender, [args])
  }
}
