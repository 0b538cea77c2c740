// The photos of the demo are committed as they were drawn: none is missing, and none is left over.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoAnimals } from './demo-animals.ts'
import { demoPhotos, fileOf } from './demo-photos.ts'

test('every animal of the demo has photos, and every photo its file', () => {
  const files = Object.entries(demoPhotos).flatMap(([animal, photos]) =>
    photos.map((_, index) => fileOf(animal, index)),
  )
  expect(Object.keys(demoPhotos).toSorted()).toEqual(demoAnimals.map(({ name }) => name).toSorted())
  expect(readdirSync(join(import.meta.dirname, 'demo-photos')).toSorted()).toEqual(files.toSorted())
})
