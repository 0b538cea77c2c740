// How long ago something happened, in the largest unit that fits. Pure.

const MINUTE = 60_000
const units = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** Undefined within the first minute, and for a clock that is behind. */
export function sinceOf(at: string, now: number): { value: number; unit: (typeof units)[number][0] } | undefined {
  const passed = now - Date.parse(at)
  const fitting = units.find(([, length]) => passed >= length)
  return fitting && { value: Math.floor(passed / fitting[1]), unit: fitting[0] }
}
