import { emptyProfile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { completenessOf, faultOfProfile } from './profile.ts'

const bornOn = (date: string, precision: 'day' | 'month' | 'year') => ({ date, precision, isEstimated: false })

test.for<[change: Partial<ProfileChange>, fault: RegExp | undefined]>([
  [{}, undefined],
  [{ born: bornOn('2024-02-29', 'day') }, undefined],
  [{ born: bornOn('2023-02-29', 'day') }, /'born'/],
  [{ born: bornOn('2023-04-31', 'day') }, /'born'/],
  [{ born: bornOn('2023-04-01', 'month') }, undefined],
  [{ born: bornOn('2023-04-02', 'month') }, /'born'/],
  [{ born: bornOn('2023-01-01', 'year') }, undefined],
  [{ born: bornOn('2023-04-01', 'year') }, /'born'/],
  [{ inCareSince: '2026-03-14' }, undefined],
  [{ inCareSince: '2026-02-30' }, /'inCareSince'/],
  [{ inCareSince: '2026-11-18' }, undefined],
  [{ inCareSince: '2026-11-19' }, /'inCareSince'.* not in the future/],
  [{ breed: 'Labrador', secondBreed: 'Poodle', isMixed: true }, undefined],
  [{ breed: 'Labrador', secondBreed: 'Poodle' }, /'isMixed'/],
  [{ secondBreed: 'Poodle', isMixed: true }, /'breed'/],
])('a profile with %j has the fault %s', ([change, fault]) => {
  const found = faultOfProfile({ ...emptyProfile, ...change }, '2026-11-18')
  if (fault) expect(found).toMatch(fault)
  else expect(found).toBeUndefined()
})

test('each answer to what visitors ask makes a profile more complete, and so does a photo', () => {
  expect([0, 1, 3].map((answered) => completenessOf(answered, false))).toEqual([0, 9, 27])
  expect([0, 2, 10].map((answered) => completenessOf(answered, true))).toEqual([9, 27, 100])
})
