// The shapes of small charts, in the coordinates of their view box. Pure: sizes are attributes of SVG, since the
// policy of the page allows no style attributes in HTML.

export const WIDTH = 200
export const HEIGHT = 40
/** So that a line at the top or the bottom is not cut. */
const MARGIN = 3

const rounded = (value: number) => Math.round(value * 10) / 10

/** A smooth line through the values from left to right, and the area below it. A chart of one value is flat. */
export function lineShape(values: readonly number[]): { line: string; area: string } {
  const points = pointsOf(values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values)
  const [first] = points
  if (!first) return { line: '', area: '' }
  const curves = points.slice(1).map(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? first
    const middle = rounded((beforeX + x) / 2)
    return `C${middle} ${beforeY} ${middle} ${y} ${x} ${y}`
  })
  const line = `M${first[0]} ${first[1]}${curves.join('')}`
  return { line, area: `${line}V${HEIGHT}H0Z` }
}

function pointsOf(values: readonly number[]): [x: number, y: number][] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  return values.map((value, index) => [
    rounded((index / (values.length - 1)) * WIDTH),
    // What never changes is drawn in the middle.
    high === low ? HEIGHT / 2 : rounded(HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN)),
  ])
}

export type Bar = { x: number; y: number; width: number; height: number }

/** From zero, so that a bar twice as high is twice as many. None is invisible. */
export function barShapes(values: readonly number[]): Bar[] {
  const most = Math.max(...values, 1)
  const room = WIDTH / values.length
  return values.map((value, index) => {
    const height = rounded(Math.max(1, (value / most) * HEIGHT))
    return { x: rounded(index * room + room * 0.1), y: rounded(HEIGHT - height), width: rounded(room * 0.8), height }
  })
}

/** The dash of a ring of this radius that is filled by a share of 0 to 1. */
export function ringDash(share: number, radius: number): string {
  const around = 2 * Math.PI * radius
  return `${rounded(Math.min(1, Math.max(0, share)) * around)} ${rounded(around)}`
}
