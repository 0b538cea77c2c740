// Misspelling detection decides whether a value is the wanted one with a typo, and describes
// the difference. People read `hapy-paws` three times before they notice it.

import { editDistance } from '../../foundation/edit-distance.ts'

const NEAR = 2

/** Whether `found` is `wanted` with a typo: up to two characters, a missing part, or an addition around it. */
export function isMisspelt(found: string, wanted: string): boolean {
  if (found === wanted) return false
  return found.includes(wanted) || lacksLabel(found, wanted) || editDistance(found, wanted, NEAR) <= NEAR
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

/** A name of one label is too short to conclude that it was meant to be ours. */
function lacksLabel(found: string, wanted: string): boolean {
  const labels = wanted.split('.')
  return found.includes('.') && labels.some((_, index) => labels.toSpliced(index, 1).join('.') === found)
}

function firstDifference(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((label, at) => label !== right[at])
  return index === -1 ? left.length : index
}
