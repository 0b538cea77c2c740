import { describe, expect, test } from 'vitest'
import { conflictsOf, parseMigration, statementsOf } from './migration-plan.ts'

const header = ['-- phase: expand', '-- oldest-release: 1.3', '-- locks: pets share row exclusive']
const sql = '-- Why.\nalter table pets add column weight integer;\n'
const file = (...lines: readonly string[]) => `${lines.join('\n')}\n\n${sql}`

describe('the header of a migration', () => {
  test('declares phase, oldest release and locks', () => {
    expect(parseMigration('0001-a.sql', file(...header))).toMatchObject({
      phase: 'expand',
      oldestRelease: '1.3',
      locks: [{ table: 'pets', mode: 'share row exclusive' }],
      isTransactional: true,
      text: sql,
    })
  })

  test('may declare several locks, or none, and that there is no transaction', () => {
    const several = file(
      '-- phase: contract',
      '-- oldest-release: 1.3.1',
      '-- locks: pets share',
      '-- locks: orders share',
    )
    expect(parseMigration('0001-a.sql', several)).toMatchObject({
      phase: 'contract',
      oldestRelease: '1.3.1',
      locks: [{ table: 'pets' }, { table: 'orders' }],
    })
    const none = file('-- phase: expand', '-- oldest-release: 1.3', '-- locks: none', '-- transaction: none')
    expect(parseMigration('0001-a.sql', none)).toMatchObject({ locks: [], isTransactional: false })
  })

  test('is no part of the digest; the SQL is (negative control)', () => {
    const digest = (text: string) => parseMigration('0001-a.sql', text).digest
    expect(digest(file(...header))).toBe(digest(file('-- phase: contract', '-- oldest-release: 2.0', '-- locks: none')))
    expect(digest(file(...header))).not.toBe(digest(`${file(...header)} `))
  })

  test.each([
    ['no header', sql, '-- phase: …'],
    ['no phase', file(...header.slice(1)), '-- phase: …'],
    ['another phase', file('-- phase: both', ...header.slice(1)), '-- phase: …'],
    ['two phases', file('-- phase: expand', ...header), '-- phase: …'],
    ['no release', file('-- phase: expand', '-- locks: none'), '-- oldest-release: …'],
    [
      'a word as release',
      file('-- phase: expand', '-- oldest-release: next', '-- locks: none'),
      '-- oldest-release: …',
    ],
    ['no locks', file(...header.slice(0, 2)), 'must declare its locks'],
    ['an unknown lock', file(...header.slice(0, 2), '-- locks: pets strongly'), 'declares no lock by "pets strongly"'],
    ['another transaction', file(...header, '-- transaction: some'), '-- transaction: …'],
  ])('is rejected with %s (negative control)', (_, text, message) => {
    expect(() => parseMigration('0007-a.sql', text)).toThrow(message)
    expect(() => parseMigration('0007-a.sql', text)).toThrow('0007-a.sql')
  })
})

test('the statements of a migration without a transaction are run one by one', () => {
  const text = `-- Repeatable; an attempt that failed leaves an invalid index.
drop index concurrently if exists pets_by_weight;
create index concurrently pets_by_weight
  on pets (project_id, weight);
`
  expect(statementsOf({ text })).toEqual([
    'drop index concurrently if exists pets_by_weight',
    'create index concurrently pets_by_weight\n  on pets (project_id, weight)',
  ])
})

test('a reader is in the way of an access exclusive lock, and of no weaker one', () => {
  expect(conflictsOf('access exclusive')).toContain('AccessShareLock')
  expect(conflictsOf('exclusive')).not.toContain('AccessShareLock')
  expect(conflictsOf('share row exclusive')).toContain('RowExclusiveLock')
  expect(conflictsOf('share update exclusive')).not.toContain('RowExclusiveLock')
})
