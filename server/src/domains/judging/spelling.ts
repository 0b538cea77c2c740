// Misspelling detection decides whether a value is the wanted one with a typo, and describes
// the difference. People read `hapy-paws` three times before they notice it.

const NEAR = 2

/** Whether `found` is `wanted` with a typo: up to two characters, a missing part, or an addition around it. */
export function isMisspelt(found: string, wanted: string): boolean {
  if (found === wanted) return false
  return found.includes(wanted) || lacksLabel(found, wanted) || distance(found, wanted, NEAR) <= NEAR
}

/** The parts of two names that differ: '`hapy-paws` must be `happy-paws`'. */
export function differenceOf(found: string, wanted: string): string {
  const [have, want] = [found.split('.'), wanted.split('.')]
  const start = firstDifference(have, want)
  const end = firstDifference(have.slice(start).toReversed(), want.slice(start).toReversed())
  const extra = have.slice(start, have.length - end).join('.')
  const lacking = want.slice(start, want.length - end).join('.')
  if (lacking === '') return `\`${extra}\` must be removed`
  if (extra === '') return `\`${lacking}\` is missing`
  return `\`${extra}\` must be \`${lacking}\``
}

/** The number of characters to add, omit, change or swap; anything above `most` is returned as `most + 1`. */
export function distance(left: string, right: string, most: number): number {
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

/** A name of one label is too short to conclude that it was meant to be ours. */
function lacksLabel(found: string, wanted: string): boolean {
  const labels = wanted.split('.')
  return found.includes('.') && labels.some((_, index) => labels.toSpliced(index, 1).join('.') === found)
}

function firstDifference(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((label, at) => label !== right[at])
  return index === -1 ? left.length : index
}
