import { emptyProfile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { completenessOf, faultOfProfile, type VisitorAnswers } from './profile.ts'

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

const nothing: VisitorAnswers = {
  story: false,
  headline: false,
  traits: false,
  health: false,
  company: false,
  breed: '',
  sex: null,
  size: null,
  born: null,
  inCareSince: null,
}

test('each answer to what visitors ask makes a profile more complete', () => {
  expect(completenessOf(nothing, false)).toBe(0)
  expect(completenessOf(nothing, true)).toBe(9)
  expect(completenessOf({ ...nothing, story: true, sex: 'male', breed: 'Poodle' }, false)).toBe(27)
  const all = { ...nothing, story: true, headline: true, traits: true, health: true, company: true } as const
  const born = bornOn('2023-01-01', 'year')
  expect(
    completenessOf({ ...all, breed: 'Poodle', sex: 'male', size: 'small', born, inCareSince: '2026-03-14' }, true),
  ).toBe(100)
})
