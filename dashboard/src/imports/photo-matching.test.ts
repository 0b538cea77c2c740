import { expect, test } from 'vitest'
import { inTurns, photoMatcher } from './photo-matching.ts'

type Row = Parameters<typeof photoMatcher>[0][number]
const row = (number: number, name: string, photos: string[] = [], animalId: bigint | null = BigInt(number)): Row => ({
  row: number,
  animalId,
  cells: [name, `A-${number}`],
  photos: photos.map((photo) => ({ name: photo, state: 'file', reason: null })),
})
const match = photoMatcher(
  [
    row(2, 'Rex', ['IMG_1.jpg', 'Photos\\garden.JPG', 'https://a.example/rex.jpg']),
    row(3, 'Old Tom'),
    row(4, 'Mia'),
    row(5, 'Mia'),
    row(6, 'Ghost', ['ghost.jpg'], null),
    row(7, 'Émile', ['shy']),
  ],
  [0, 1],
)
const rowOf = (file: string) => match(file)?.row

test.for([
  ['IMG_1.jpg', 2],
  ['img_1.JPG', 2],
  ['garden.jpg', 2],
  ['holiday/garden.jpg', 2],
  ['shy.webp', 7],
  ['rex.jpg', 2],
  ['Rex-2.jpeg', 2],
  ['rex (3).png', 2],
  ['old_tom.jpg', 3],
  ['Old Tom 2.jpg', 3],
  ['e\u0301mile.jpg', 7],
  ['A-4.jpg', 4],
] as const)('%s belongs to row %d', ([file, wanted]) => {
  expect(rowOf(file)).toBe(wanted)
})

test.for(['IMG_2.jpg', 'mia.jpg', 'ghost.jpg', 'rexi.jpg', '.jpg', ''])(
  '%s belongs to none (negative control)',
  (file) => {
    expect(rowOf(file)).toBeUndefined()
  },
)

test('photos of one animal are sent in the order of their names, and take turns with others', () => {
  const photo = (name: string, animalId: bigint) => ({ file: { name }, target: { row: 1, animalId } })
  const sent = inTurns([photo('rex-10.jpg', 1n), photo('tom.jpg', 2n), photo('rex-2.jpg', 1n), photo('rex.jpg', 1n)])
  expect(sent.map(({ file }) => file.name)).toEqual(['rex.jpg', 'tom.jpg', 'rex-2.jpg', 'rex-10.jpg'])
})
