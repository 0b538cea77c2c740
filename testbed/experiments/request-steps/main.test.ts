// The invariants of animals and requests, over random steps. The experiment takes a million.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { expect, test } from 'vitest'
import { isComplete } from './main.ts'
import { faultsOf, takeSteps, type Request } from './model.ts'

const STEPS = 20_000

test('random steps reach every cell of the table and break nothing', () => {
  const figures = takeSteps({ steps: STEPS, seed: 1 })
  expect(figures.faults).toEqual([])
  expect(figures).toMatchObject({ tried: 81, made: figures.allowed })
  expect(figures.undone).toBeGreaterThan(100)
  expect(isComplete(figures)).toBe(true)
})

test('a hold that ignores the other requests is found (negative control)', () => {
  const { faults } = takeSteps({ steps: STEPS, seed: 1, isBroken: true })
  expect(faults.join()).toMatch(/2 requests hold one animal/)
})

const request: Request = { id: 1n, petId: 1n, stage: 'new', stageBefore: null, isHolding: false, endedOn: 0 }

test.each([
  ['2 requests hold one animal', 'pending', { stage: 'new', isHolding: true }, { stage: 'visit', isHolding: true }],
  ['a request holds an animal that is available', 'available', { stage: 'new', isHolding: true }, { stage: 'new' }],
  ['a sold animal has 1 open requests', 'sold', { stage: 'approved' }, { stage: 'completed' }],
] as [string, PetStatus, Partial<Request>, Partial<Request>][])(
  'it is a fault if %s (negative control)',
  (fault, status, ...requests) => {
    expect(faultsOf({ status, requests: requests.map((each): Request => ({ ...request, ...each })) })).toEqual([fault])
  },
)
