// `confirmationsOf` lists which edges have a change. An edge that requests changes after a number
// has all changes up to it. An edge that is not connected is not waited for, and is listed until it
// has confirmed as well: a change is never reported as being everywhere when it is not.

export type Confirmation = {
  /** The name of the edge. */
  edge: string
  isConnected: boolean
  /** Since when it certainly has the change; null as long as that is unknown. */
  confirmedAt: Date | null
}

type EdgeState = { name: string; isConnected: boolean; acknowledged: bigint; acknowledgedAt: Date | null }

export const confirmationsOf = (edges: readonly EdgeState[], seq: number): Confirmation[] =>
  edges.map(({ name, isConnected, acknowledged, acknowledgedAt }) => ({
    edge: name,
    isConnected,
    confirmedAt: acknowledged >= BigInt(seq) ? acknowledgedAt : null,
  }))

/** True if no connected edge is left to wait for. */
export const isSettled = (confirmations: readonly Confirmation[]): boolean =>
  confirmations.every(({ isConnected, confirmedAt }) => !isConnected || confirmedAt !== null)

/** True if all connected edges have it, and there is at least one. */
export const isEverywhere = (confirmations: readonly Confirmation[]): boolean =>
  isSettled(confirmations) && confirmations.some(({ isConnected, confirmedAt }) => isConnected && confirmedAt !== null)
