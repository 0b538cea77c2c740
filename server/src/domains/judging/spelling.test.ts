import { expect, test } from 'vitest'
import { differenceOf, isMisspelt } from './pointing-cname.ts'

const wanted = 'happy-paws.petstore.example'

test.each([
  ['hapy-paws.petstore.example', '`hapy-paws` must be `happy-paws`'],
  ['happy-pwas.petstore.example', '`happy-pwas` must be `happy-paws`'],
  ['happy-paws.petstroe.exampel', '`petstroe.exampel` must be `petstore.example`'],
  ['happy-paws.example', '`petstore` is missing'],
  ['www.happy-paws.petstore.example', '`www` must be removed'],
  ['happy-paws.petstore.example.com', '`com` must be removed'],
  ['https://happy-paws.petstore.example', '`https://happy-paws` must be `happy-paws`'],
])('%s is a misspelling of our value, and the difference is described', (found, words) => {
  expect(isMisspelt(found, wanted)).toBe(true)
  expect(differenceOf(found, wanted)).toBe(words)
})

test.each([wanted, 'happy-birds.petstore.example', 'shops.elsewhere.example', 'example', ''])(
  '%s is not a misspelling of our value',
  (found) => {
    expect(isMisspelt(found, wanted)).toBe(false)
  },
)
