// What the facts in the life of an import change, and what the audit trail says.

import { expect, test } from 'vitest'
import { auditOf, next, type StatedFact } from './changes.ts'

const counts = { create: 2, update: 1, unchanged: 3, problem: 4, skip: 5 }
const tally = { lines: 9, bad: 1, badLines: [{ line: 3, reason: 'no name' }] }
const plain = { isReviewed: false, state: 'running' } as const
const reviewed = { isReviewed: true, state: 'running' } as const

test('a fact that cannot happen changes nothing', () => {
  expect(next({ ...reviewed, state: 'discarded' }, { kind: 'failed', reason: 'late' })).toBeUndefined()
  expect(next({ ...plain, state: 'uploading' }, { kind: 'discarded' })).toBeUndefined()
})

test('a file that is read again is read from the beginning: nothing of the first reading stays', () => {
  const step = next({ ...reviewed, state: 'reviewing' }, { kind: 'read_asked', parts: 2, sheet: undefined })
  expect(step).toEqual({
    columns: {
      state: 'reading',
      parts: 2,
      sheet: null,
      contents: null,
      reading: null,
      decisions: [],
      matches: [],
      counts: null,
      lines: 0,
      reason: null,
    },
    isEnd: false,
    isTouched: true,
  })
})

test.each<[string, StatedFact, object]>([
  ['plain', { kind: 'succeeded', added: 8, result: tally }, { lines: 9, added: 8, bad: 1 }],
  [
    'reviewed',
    { kind: 'succeeded', added: 2, result: { changed: 1, counts, madeCategories: [7n] } },
    { lines: 15, added: 2, changed: 1, bad: 4 },
  ],
])('a %s import that succeeds has ended, with its figures in the audit trail', (kind, fact, detail) => {
  const step = next(kind === 'plain' ? plain : reviewed, fact)
  expect(step).toMatchObject({ isEnd: true, isTouched: true, columns: { state: 'succeeded' } })
  expect(auditOf(fact, 'succeeded')).toEqual({ action: 'import_succeeded', detail })
})

test('identifiers of categories are written as text, since JSON has no integers of 64 bits', () => {
  const result = { changed: 0, counts, madeCategories: [9_223_372_036_854_775_807n] }
  expect(next(reviewed, { kind: 'succeeded', added: 0, result })?.columns.made_categories).toEqual([
    '9223372036854775807',
  ])
})

test('an undo that cannot be finished leaves the import applied: it has neither ended anew nor failed', () => {
  const fact = { kind: 'failed', reason: 'on our side' } as const
  const step = next({ isReviewed: true, state: 'undoing' }, fact)
  expect(step).toEqual({ columns: { state: 'succeeded', reason: 'on our side' }, isEnd: false, isTouched: false })
  expect(auditOf(fact, 'succeeded')).toBeUndefined()
  expect(auditOf(fact, 'failed')).toEqual({ action: 'import_failed', detail: { bad: 0 } })
})

test('work in the background does not prolong the time that a member has', () => {
  const facts: [Parameters<typeof next>[0], StatedFact][] = [
    [plain, { kind: 'progressed', tally }],
    [
      { ...reviewed, state: 'judging' },
      { kind: 'judged', values: [], counts },
    ],
    [reviewed, { kind: 'outdated', reason: 'changed' }],
    [reviewed, { kind: 'failed', reason: 'no' }],
  ]
  for (const [before, fact] of facts) expect([fact.kind, next(before, fact)?.isTouched]).toEqual([fact.kind, false])
})

test('of the animals that an undo has left, the first hundred are listed and all are counted', () => {
  const kept = Array.from({ length: 150 }, (_, id) => ({ id: String(id), name: 'Rex', reason: 'changed' as const }))
  const step = next({ isReviewed: true, state: 'undoing' }, { kind: 'undone', kept, undone: 7 })
  expect([step?.columns.kept?.length, step?.columns.kept_count]).toEqual([100, 150])
  expect(auditOf({ kind: 'undone', kept, undone: 7 }, 'undone')).toEqual({
    action: 'import_undone',
    detail: { undone: 7, kept: 150 },
  })
})
