// Accepted requests are begun a few at a time, and in between the server reads what else has arrived. Otherwise a client
// whose request is rejected would wait until all requests that came before it were begun.

/** In one turn of the event loop; more than this many arrive in one only under heavy load. */
const BEGUN_IN_A_TURN = 8

export function inTurns<Args extends readonly unknown[]>(begin: (...args: Args) => void): (...args: Args) => void {
  const waiting: Args[] = []
  let begun = 0
  const beginOne = (args: Args) => {
    if (begun === 0) setImmediate(nextTurn)
    begun += 1
    begin(...args)
  }
  const nextTurn = () => {
    begun = 0
    for (const args of waiting.splice(0, BEGUN_IN_A_TURN)) beginOne(args)
  }
  return (...args) => {
    if (waiting.length > 0 || begun >= BEGUN_IN_A_TURN) waiting.push(args)
    else beginOne(args)
  }
}
