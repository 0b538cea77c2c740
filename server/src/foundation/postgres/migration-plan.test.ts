import { describe, expect, test } from 'vitest'
import {
  compatibilityTrouble,
  contractTrouble,
  isOlder,
  lockRetrySeconds,
  planOf,
  runningProcess,
  startTrouble,
  toApply,
  parseMigration,
} from './migration-plan.ts'

const migration = (name: string, phase = 'expand', oldestRelease = '1.0') =>
  parseMigration(name, `-- phase: ${phase}\n-- oldest-release: ${oldestRelease}\n-- locks: none\n\nselect '${name}';\n`)
const applied = ({ name, digest, oldestRelease }: ReturnType<typeof migration>) => ({ name, digest, oldestRelease })

const first = migration('0001-first.sql')
const contract = migration('0002-contract.sql', 'contract', '1.4')
const third = migration('0003-third.sql')
const known = [first, contract, third]
const namesOf = (migrations: readonly { name: string }[]) => migrations.map(({ name }) => name)

describe('a plan', () => {
  test('separates pending from unknown migrations', () => {
    const plan = planOf(known, [applied(first), applied(migration('0009-later.sql'))])
    expect(namesOf(plan.pending)).toEqual(['0002-contract.sql', '0003-third.sql'])
    expect(namesOf(plan.unknown)).toEqual(['0009-later.sql'])
  })

  test('rejects a migration that was changed after it had been applied', () => {
    expect(() => planOf(known, [{ ...applied(first), digest: 'another' }])).toThrow('0001-first.sql was changed')
  })

  test('leaves contract migrations until they are requested, except on a new schema', () => {
    expect(namesOf(toApply(planOf(known, [applied(first)]), false))).toEqual(['0003-third.sql'])
    expect(namesOf(toApply(planOf(known, [applied(first)]), true))).toEqual(['0002-contract.sql', '0003-third.sql'])
    expect(namesOf(toApply(planOf(known, []), false))).toEqual(namesOf(known))
  })
})

describe('a release', () => {
  const later = (oldestRelease: string | null) =>
    planOf([first], [applied(first), { name: '0009-later.sql', digest: '', oldestRelease }])

  test('starts on a newer schema that was declared to support it', () => {
    expect(startTrouble(later('1.3'), '1.3.0')).toBeUndefined()
    expect(startTrouble(later('1.3'), '1.4.2')).toBeUndefined()
  })

  test('does not start on another newer schema, and names the release to use (negative control)', () => {
    expect(startTrouble(later('1.4'), '1.3.9')).toEqual({
      sentence: 'The database holds 0009-later.sql, which this release (1.3.9) does not know.',
      remedy: 'Use release 1.4 or a later one.',
    })
    expect(startTrouble(later(null), '1.3.9')).toMatchObject({ remedy: 'Use the release that applied it.' })
  })

  test('names the newest of several releases', () => {
    const unknown = ['1.4', '2.0', '1.9'].map((oldestRelease) => ({ name: oldestRelease, digest: '', oldestRelease }))
    expect(compatibilityTrouble({ unknown }, '1.3.0')?.remedy).toBe('Use release 2.0 or a later one.')
    expect(compatibilityTrouble({ unknown }, '1.9.0')?.sentence).toContain('The database holds 2.0, which')
  })

  test('does not start while an expand migration is pending; a contract migration can wait', () => {
    expect(startTrouble(planOf(known, [applied(first)]), '1.4.0')).toEqual({
      sentence: 'The schema lacks 0003-third.sql.',
      remedy: 'Run the command "migrate" first.',
    })
    expect(startTrouble(planOf(known, [applied(first), applied(third)]), '1.4.0')).toBeUndefined()
  })
})

describe('a database from before the baseline', () => {
  const earlier = planOf(known, [applied(migration('0001-projects.sql')), applied(migration('0002-api-keys.sql'))])

  test('is refused by name, although its migrations declare that this release runs on them', () => {
    expect(startTrouble(earlier, '1.4.0')?.sentence).toContain('(0001-projects.sql)')
    expect(compatibilityTrouble(earlier, '1.4.0')?.remedy).toContain('Create a new database')
  })

  test('is not confused with one that a later release has migrated (negative control)', () => {
    const later = planOf(known, [...known, migration('0009-projects.sql')].map(applied))
    expect(startTrouble(later, '1.4.0')).toBeUndefined()
  })
})

describe('a contract migration', () => {
  test('waits while an older release is connected', () => {
    const trouble = contractTrouble([contract, third], ['psql', 'petstore/1.3.9 serve one', 'petstore/1.4.0 work two'])
    expect(trouble).toBe(
      '0002-contract.sql must wait: older releases still run (petstore/1.3.9 serve one). Upgrade or stop them first.',
    )
  })

  test('waits for no release that it supports, and for no other program (negative control)', () => {
    expect(
      contractTrouble([contract], ['', 'psql', 'petstore/1.4.0 serve one', 'petstore/2.0.0-rc.1 work two']),
    ).toBeUndefined()
    expect(contractTrouble([third], ['petstore/0.9.0 serve one'])).toBeUndefined()
  })

  test('a process is recognised by its application_name', () => {
    expect(runningProcess('petstore/1.4.0-rc.1 edge a b')).toEqual({
      version: '1.4.0',
      name: 'petstore/1.4.0-rc.1 edge a b',
    })
    expect(runningProcess('petstore/next edge a')).toBeUndefined()
  })
})

test('versions are compared by number', () => {
  expect(isOlder('1.9.0', '1.10')).toBe(true)
  expect(isOlder('1.10.0', '1.9')).toBe(false)
  expect(isOlder('1.3', '1.3.0')).toBe(false)
  expect(isOlder('1.3.0', '1.3.1')).toBe(true)
  expect(isOlder('2.0.0', '1.99.99')).toBe(false)
})

test('a lock timeout is followed by twenty retries, at most half a minute apart', () => {
  expect(lockRetrySeconds).toHaveLength(20)
  expect(lockRetrySeconds.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30])
})
