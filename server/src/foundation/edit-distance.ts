// How far two texts are apart, for names that were mistyped. Pure.

/** The number of characters to add, omit, change or swap; anything above `most` is returned as `most + 1`. */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const changed = at(last, column - 1) + (isSame ? 0 : 1)
      const swapped = isSwapped ? at(beforeLast, column - 2) + 1 : most + 1
      next.push(Math.min(changed, swapped, at(last, column) + 1, at(next, column - 1) + 1))
    }
    beforeLast = last
    last = next
  }
  return Math.min(at(last, right.length), most + 1)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
