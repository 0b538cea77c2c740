// Every cell of the lifecycle of imports, stated a second time as people read it, and its promises.

import { importStates, type ImportState } from '@petstore-platform/contract/platform/import-shapes'
import { describe, expect, test } from 'vitest'
import {
  givenUp,
  importFacts,
  importTransitions,
  isByMember,
  nextState,
  objectionTo,
  secondsLeft,
  waitsFor,
  type ImportFact,
} from './lifecycle.ts'

const stated = `
  uploading: started queued, read_asked reading, failed failed, discarded discarded
  queued: progressed running, failed failed
  reading: table_read mapping, failed failed, discarded discarded
  mapping: read_asked reading, mapped judging, failed failed, discarded discarded
  judging: judged reviewing, failed failed, discarded discarded
  reviewing: read_asked reading, mapped judging, judging_asked judging, cell_corrected reviewing, apply_asked running,
    failed failed, discarded discarded
  running: progressed running, outdated judging, succeeded succeeded, failed failed
  succeeded: undo_asked undoing
  failed: discarded discarded
  undoing: undone undone, failed succeeded
  undone:
  discarded:
`

test('every cell is as stated here', () => {
  const table = stated
    .trim()
    .split(/\n {2}(?! )/)
    .map((line) => line.split(':'))
  const cells = table.map(([state = '', text = '']) => [
    state,
    Object.fromEntries(
      text
        .split(',')
        .map((cell) => cell.trim().split(' '))
        .filter(([fact]) => fact !== ''),
    ),
  ])
  expect(importTransitions).toEqual(Object.fromEntries(cells))
  expect(Object.keys(importTransitions)).toEqual([...importStates])
})

/** The states that an import of this kind can reach, each with the facts that can happen there. */
function reachable(isReviewed: boolean): Map<ImportState, ImportFact[]> {
  const found = new Map<ImportState, ImportFact[]>()
  const visit = (state: ImportState) => {
    if (found.has(state)) return
    const facts = importFacts.filter((kind) => nextState({ state, isReviewed }, kind) !== undefined)
    found.set(state, facts)
    for (const kind of facts) visit(nextState({ state, isReviewed }, kind) as ImportState)
  }
  visit('uploading')
  return found
}

test('a plain import is uploaded, queued and added, and every other state belongs to a review', () => {
  expect([...reachable(false).keys()].toSorted()).toEqual(['failed', 'queued', 'running', 'succeeded', 'uploading'])
  expect([...reachable(true).keys()].toSorted()).toEqual(importStates.filter((state) => state !== 'queued').toSorted())
})

describe.each([
  ['plain', false],
  ['reviewed', true],
])('a %s import', (_, isReviewed) => {
  const states = reachable(isReviewed)

  test('can fail until it has succeeded, and never afterwards', () => {
    for (const state of states.keys()) {
      const isOver = ['succeeded', 'failed', 'undone', 'discarded'].includes(state)
      const failed = nextState({ state, isReviewed }, 'failed')
      expect([state, failed]).toEqual([state, isOver ? undefined : state === 'undoing' ? 'succeeded' : 'failed'])
    }
  })

  test('writes animals while it is running only, and takes them back while it is undone only', () => {
    for (const [state, facts] of states) {
      expect([state, facts.includes('succeeded')]).toEqual([state, state === 'running'])
      expect([state, facts.includes('undone')]).toEqual([state, state === 'undoing'])
    }
    const leave = (states.get('running') ?? []).filter((kind) => isByMember(kind))
    expect(leave).toEqual([])
  })

  test('waits for a worker where only a worker can continue it, and for a member where a member can', () => {
    for (const [state, facts] of states) {
      const continuing = facts.filter((kind) => kind !== 'failed' && kind !== 'discarded')
      const byMember = continuing.filter((kind) => isByMember(kind))
      const expected = { worker: 0, member: continuing.length, none: continuing.length }[waitsFor[state] ?? 'none']
      expect([state, byMember.length]).toEqual([state, expected])
      if (waitsFor[state] !== null) expect(continuing).not.toEqual([])
    }
  })

  test('never waits for ever: what has not ended has work, or a time at which it is given up', () => {
    for (const [state, facts] of states) {
      if (waitsFor[state] === 'member') expect(facts).toContain('failed')
      expect(secondsLeft({ state, isReviewed, idleSeconds: 7 * 24 * 3600 })).toBe(0)
    }
  })

  test('that is over for good stays so', () => {
    const over = [...states].filter(([, facts]) => facts.length === 0).map(([state]) => state)
    expect(over.toSorted()).toEqual(isReviewed ? ['discarded', 'undone'] : ['failed', 'succeeded'])
  })
})

test('a fact of the other kind of import cannot happen (negative control: in the table it could)', () => {
  expect(importTransitions.uploading.started).toBe('queued')
  expect(nextState({ state: 'uploading', isReviewed: true }, 'started')).toBeUndefined()
  expect(importTransitions.failed.discarded).toBe('discarded')
  expect(nextState({ state: 'failed', isReviewed: false }, 'discarded')).toBeUndefined()
})

test.each([
  ['uploading', true, 'started', 'This import is reviewed: have its file read instead.'],
  ['running', false, 'started', 'This import has already been started; its state is running.'],
  ['mapping', true, 'started', 'This import has already been started; its state is mapping.'],
  ['uploading', false, 'started', undefined],
  ['uploading', false, 'read_asked', 'This import is not reviewed: it was created without isReviewed.'],
  ['running', true, 'discarded', 'Not possible now: the state of this import is running.'],
  ['failed', true, 'discarded', undefined],
] as const)('%s, reviewed: %s: %s is refused with "%s"', (state, isReviewed, kind, objection) => {
  expect(objectionTo({ state, isReviewed }, kind)).toBe(objection)
})

test('the rows of a review are kept for a week after its last step, those of a discarded one are not', () => {
  expect(secondsLeft({ state: 'reviewing', isReviewed: true, idleSeconds: 3599.5 })).toBe(7 * 24 * 3600 - 3599)
  expect(secondsLeft({ state: 'succeeded', isReviewed: true, idleSeconds: 0 })).toBe(7 * 24 * 3600)
  expect(secondsLeft({ state: 'discarded', isReviewed: true, idleSeconds: 0 })).toBe(0)
  expect(secondsLeft({ state: 'succeeded', isReviewed: false, idleSeconds: 0 })).toBe(0)
  expect(secondsLeft({ state: 'reviewing', isReviewed: true, idleSeconds: 8 * 24 * 3600 })).toBe(0)
})

test('the reason says what was missing', () => {
  expect(givenUp('uploading')).toContain('not started within a day')
  expect(givenUp('reviewing')).toContain('not applied within 7 days')
})
