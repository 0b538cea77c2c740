// The photos that a row names: https addresses, which a worker fetches, and names of files, which the browser uploads.
// Pure.

import { PHOTOS_MAX } from '@petstore-platform/contract/platform/photos'
import type { RowPhoto } from '@petstore-platform/contract/platform/import-shapes'

/** Each once, in order. */
export function photosIn(cells: readonly string[]): RowPhoto[] {
  const names = new Set(cells.flatMap(namesIn))
  return [...names].slice(0, PHOTOS_MAX).map(photoOf)
}

/** A name of a file may contain spaces, an address none; commas belong to some addresses, and separate behind colons. */
const namesIn = (cell: string): string[] =>
  cell
    .replaceAll(/\S+/g, (word) => {
      const colon = word.lastIndexOf(':') + 1
      return word.slice(0, colon) + word.slice(colon).replaceAll(',', '\n')
    })
    .split(/[\r\n;|]+|,(?=https?:)|\s(?=https?:)/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= NAME_LENGTH_MAX)

const NAME_LENGTH_MAX = 2000

function photoOf(name: string): RowPhoto {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return { name, state: 'file', reason: null }
  if (/^https:\/\/[^/]/i.test(name) && URL.canParse(name)) return { name, state: 'pending', reason: null }
  return { name, state: 'failed', reason: 'Only https addresses are fetched.' }
}
