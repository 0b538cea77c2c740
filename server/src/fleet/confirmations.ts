// Which edges have a change. An edge that asks for what comes after a number has all
// that came before it; one that is not connected cannot be waited for, and is named
// until it has confirmed as well: nothing is said to be everywhere that is not.

export type Confirmation = {
  /** The name of the edge. */
  edge: string
  isConnected: boolean
  /** Since when it surely has the change; null as long as it is not known to have it. */
  confirmedAt: Date | null
}

type Asked = { name: string; isConnected: boolean; acknowledged: bigint; acknowledgedAt: Date | null }

export const confirmationsOf = (edges: readonly Asked[], seq: number): Confirmation[] =>
  edges.map(({ name, isConnected, acknowledged, acknowledgedAt }) => ({
    edge: name,
    isConnected,
    confirmedAt: acknowledged >= BigInt(seq) ? acknowledgedAt : null,
  }))

/** Nobody is left for whom it is worth waiting. */
export const isSettled = (confirmations: readonly Confirmation[]): boolean =>
  confirmations.every(({ isConnected, confirmedAt }) => !isConnected || confirmedAt !== null)

/** All edges that are connected have it, and there is one. */
export const isEverywhere = (confirmations: readonly Confirmation[]): boolean =>
  isSettled(confirmations) && confirmations.some(({ isConnected, confirmedAt }) => isConnected && confirmedAt !== null)
