// Shares of what was measured. Pure.

/** The smallest value that this share of all of them does not exceed; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export type Spread = { count: number; p50: number; p95: number; worst: number }

export function spreadOf(times: readonly number[]): Spread {
  const at = (share: number) => Math.round(quantile(times, share))
  return { count: times.length, p50: at(0.5), p95: at(0.95), worst: at(1) }
}
