// Finds the animal of a photo by the name of its file: the row that names the file, otherwise the one animal that has
// this name or number, such as rex.jpg or rex-2.jpg. Two animals of one name get none. Pure.

import type { ReviewRow } from './views.ts'

export type PhotoTarget = { row: number; animalId: bigint }
type Rows = readonly Pick<ReviewRow, 'row' | 'animalId' | 'cells' | 'photos'>[]

/** `columns`: those with the name and the number of an animal. */
export function photoMatcher(rows: Rows, columns: readonly number[]): (fileName: string) => PhotoTarget | undefined {
  const named = new Map<string, PhotoTarget>()
  /** Null: of several animals. */
  const called = new Map<string, PhotoTarget | null>()
  for (const { row, animalId, cells, photos } of rows) {
    if (animalId === null) continue
    const target = { row, animalId }
    for (const { name, state } of photos) {
      if (state !== 'file') continue
      named.set(plainName(name), named.get(plainName(name)) ?? target)
    }
    for (const word of new Set(columns.map((column) => plainWord(cells[column] ?? '')))) {
      if (word !== '') called.set(word, called.has(word) ? null : target)
    }
  }
  return (fileName) => {
    const [whole, stem] = [plainName(fileName), stemOf(plainName(fileName))]
    const word = plainWord(stem)
    return named.get(whole) ?? named.get(stem) ?? called.get(word) ?? called.get(withoutCount(word)) ?? undefined
  }
}

/** The first photo of each animal, then the second ones: photos of one animal rarely travel together and arrive in order. */
export function inTurns<Photo extends { target: PhotoTarget; file: { name: string } }>(
  photos: readonly Photo[],
): Photo[] {
  const sorted = photos.toSorted((one, other) => byName.compare(one.file.name, other.file.name))
  const counts = new Map<bigint, number>()
  const turns = sorted.map((photo) => {
    const turn = counts.get(photo.target.animalId) ?? 0
    counts.set(photo.target.animalId, turn + 1)
    return { photo, turn }
  })
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ photo }) => photo)
}

/** rex.jpg, rex-2.jpg, rex-10.jpg. */
const byName = {
  compare: (one: string, other: string) => collator.compare(stemOf(one), stemOf(other)),
}
const collator = new Intl.Collator(undefined, { numeric: true })

/** Without its folder, as a spreadsheet may have it. */
const plainName = (name: string) => (name.split(/[/\\]/).at(-1) ?? '').normalize('NFC').trim().toLowerCase()
const stemOf = (name: string) => name.replace(/\.[a-z0-9]{1,5}$/i, '')
const plainWord = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
/** Of "rex 2" and "rex (2)". */
const withoutCount = (word: string) => word.replace(/ ?\(\d+\)$| \d+$/, '')
