// What follows from a fact about a request: rules for holds, hand-over, reopening, undo, timers.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultRequestSettings } from '@petstore-platform/contract/platform/order-holds'
import { HOLD_DAYS_MAX, holdRules } from '@petstore-platform/contract/platform/orders'
import { describe, expect, test } from 'vitest'
import { holdFor, isUndoable, moveBy, movesOf, nextDue, othersIn, place, release, type Situation } from './moves.ts'

const fresh: Situation = {
  stage: 'new',
  stageBefore: null,
  isHolding: false,
  isRecent: false,
  petStatus: 'available',
  isHeldByOther: false,
  othersOpen: 0,
}
const holding: Situation = { ...fresh, isHolding: true, petStatus: 'pending' }
const declined: Situation = { ...fresh, stage: 'declined', stageBefore: 'visit', isRecent: true }

test('README states when an animal is held for a visitor, and for how long', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8').replaceAll(/\s+/g, ' ')
  expect(defaultRequestSettings.holdRule).toBe('on_approval')
  expect(readme).toContain(
    `A request reserves nothing until the owner approves it; then the animal is held for that visitor for ${defaultRequestSettings.holdDays} days`,
  )
  expect(readme).toContain(`for 1 to ${HOLD_DAYS_MAX} days`)
})

describe('a hold by rule', () => {
  test.each([
    ['contacted', []],
    ['visit_set', ['on_visit', 'on_first_request']],
    ['approved', ['on_approval', 'on_visit', 'on_first_request']],
  ] as const)('begins when a request is %s with %j', (fact, rules) => {
    for (const rule of holdRules) {
      const isHolding = (rules as readonly string[]).includes(rule)
      expect([rule, moveBy(fresh, fact, rule)]).toMatchObject([
        rule,
        { isHolding, beginsHold: isHolding, petStatus: isHolding ? 'pending' : 'available' },
      ])
    }
  })

  test('begins only for an animal that is available', () => {
    const reserved = { ...fresh, petStatus: 'pending', isHeldByOther: true } as const
    expect(moveBy(reserved, 'approved', 'on_approval')).toMatchObject({ stage: 'approved', isHolding: false })
  })

  test('does not begin again where the stage stays: the owner may have ended it', () => {
    const visiting = { ...fresh, stage: 'visit' } as const
    expect(moveBy(visiting, 'visit_set', 'on_visit')).toMatchObject({ isHolding: false, petStatus: 'available' })
  })

  test('begins with the first request, and with none that comes while the animal is held', () => {
    expect(place({ petStatus: 'available', othersOpen: 0 }, 'on_first_request')).toEqual({
      isHolding: true,
      petStatus: 'pending',
    })
    expect(place({ petStatus: 'pending', othersOpen: 1 }, 'on_first_request')).toEqual({
      isHolding: false,
      petStatus: 'pending',
    })
    expect(place({ petStatus: 'available', othersOpen: 1 }, 'on_approval')).toMatchObject({ isHolding: false })
  })
})

test('a queue has twenty places, and a sold animal none', () => {
  expect(place({ petStatus: 'pending', othersOpen: 19 }, 'by_hand')).toMatchObject({ isHolding: false })
  expect(place({ petStatus: 'pending', othersOpen: 20 }, 'by_hand')).toMatchObject({ code: 'queue_full' })
  expect(place({ petStatus: 'sold', othersOpen: 0 }, 'by_hand')).toMatchObject({ code: 'not_available' })
  expect(moveBy({ ...declined, othersOpen: 20 }, 'reopened', 'by_hand')).toMatchObject({ code: 'queue_full' })
})

test('a request that ends frees the animal that it held, and no other', () => {
  for (const fact of ['declined', 'withdrawn', 'silent'] as const) {
    expect(moveBy(holding, fact, 'by_hand')).toMatchObject({ isHolding: false, petStatus: 'available' })
    expect(moveBy({ ...fresh, petStatus: 'pending', isHeldByOther: true }, fact, 'by_hand')).toMatchObject({
      petStatus: 'pending',
    })
  }
})

test('a hand-over sells the animal and closes the others; one that did not happen gives it back', () => {
  expect(moveBy({ ...holding, othersOpen: 3 }, 'handed_over', 'by_hand')).toEqual({
    stage: 'completed',
    stageBefore: 'new',
    isHolding: false,
    beginsHold: false,
    petStatus: 'sold',
    closesOthers: true,
  })
  const completed = { ...fresh, stage: 'completed', isRecent: true, petStatus: 'sold' } as const
  expect(moveBy(completed, 'reopened', 'on_approval')).toMatchObject({ stage: 'approved', petStatus: 'pending' })
  expect(moveBy(completed, 'reopened', 'by_hand')).toMatchObject({ stage: 'approved', petStatus: 'available' })
})

test('an ended request is reopened where it was, in time, and not for an animal that is gone', () => {
  expect(moveBy(declined, 'reopened', 'by_hand')).toMatchObject({ stage: 'visit', stageBefore: null })
  expect(moveBy({ ...declined, isRecent: false }, 'reopened', 'by_hand')).toMatchObject({ code: 'wrong_state' })
  expect(moveBy({ ...declined, petStatus: 'sold' }, 'reopened', 'by_hand')).toMatchObject({
    because: 'The animal has found a home.',
  })
})

test('members are offered exactly what would be accepted', () => {
  expect(movesOf(fresh)).toEqual(['contacted', 'visit_set', 'approved', 'handed_over', 'declined', 'withdrawn'])
  expect(movesOf(declined)).toEqual(['reopened'])
  expect(movesOf({ ...declined, petStatus: 'sold' })).toEqual([])
  expect(movesOf({ ...fresh, stage: 'withdrawn', isRecent: true })).toEqual([])
})

test('one request at a time holds an animal, for a new time if it did already', () => {
  expect(holdFor(fresh)).toMatchObject({ isHolding: true, beginsHold: true, petStatus: 'pending' })
  expect(holdFor(holding)).toMatchObject({ isHolding: true, beginsHold: true, petStatus: 'pending' })
  expect(holdFor({ ...fresh, isHeldByOther: true, petStatus: 'pending' })).toMatchObject({ code: 'wrong_state' })
  expect(holdFor(declined)).toMatchObject({ code: 'wrong_state' })
  expect(release(holding)).toMatchObject({ stage: 'new', isHolding: false, petStatus: 'available' })
  expect(release(fresh)).toMatchObject({ code: 'wrong_state' })
})

describe('an undo', () => {
  const approval = { petBefore: 'available', petAfter: 'pending' } as const
  const before = { stage: 'talking', isHolding: false } as const

  test('is possible while the animal is as the change left it', () => {
    expect(isUndoable(holding, approval, before)).toBe(true)
    expect(isUndoable({ ...holding, petStatus: 'sold' }, approval, before)).toBe(false)
    expect(isUndoable({ ...holding, petStatus: 'available' }, approval, before)).toBe(false)
  })

  test('opens nothing for an animal that was sold since, and gives no animal to two', () => {
    const quiet = { petBefore: 'available', petAfter: 'available' } as const
    expect(isUndoable({ ...declined, petStatus: 'sold' }, quiet, before)).toBe(false)
    const held = { petBefore: 'pending', petAfter: 'available' } as const
    expect(isUndoable({ ...declined, isHeldByOther: true }, held, { ...before, isHolding: true })).toBe(false)
  })

  test('sells no animal again for which others have asked since', () => {
    const reopened = { petBefore: 'sold', petAfter: 'pending' } as const
    const ended = { stage: 'completed', isHolding: false } as const
    expect(isUndoable(holding, reopened, ended)).toBe(true)
    expect(isUndoable({ ...holding, othersOpen: 1 }, reopened, ended)).toBe(false)
  })
})

const DAY = 86_400

test.each([
  [{ holdSeconds: null, expirySeconds: null, isReminded: false }, undefined],
  [
    { holdSeconds: 7 * DAY, expirySeconds: 30 * DAY, isReminded: false },
    { what: 'remind', seconds: 3 * DAY },
  ],
  [
    { holdSeconds: 7 * DAY, expirySeconds: 30 * DAY, isReminded: true },
    { what: 'release', seconds: 7 * DAY },
  ],
  [
    { holdSeconds: 7 * DAY, expirySeconds: null, isReminded: false },
    { what: 'release', seconds: 7 * DAY },
  ],
  [
    { holdSeconds: null, expirySeconds: 5, isReminded: true },
    { what: 'expire', seconds: 5 },
  ],
  [
    { holdSeconds: -9, expirySeconds: -5, isReminded: false },
    { what: 'expire', seconds: -5 },
  ],
] as const)('of %j comes next %j', (clock, due) => {
  expect(nextDue(clock)).toEqual(due)
})

test('a request does not count itself among the others', () => {
  const queue = [
    { id: 1n, petId: 9n, isHolding: true },
    { id: 2n, petId: 9n, isHolding: false },
  ]
  expect(othersIn(queue, 1n)).toEqual({ isHeldByOther: false, othersOpen: 1 })
  expect(othersIn(queue, 2n)).toEqual({ isHeldByOther: true, othersOpen: 1 })
})
