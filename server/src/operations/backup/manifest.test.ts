import { describe, expect, test } from 'vitest'
import { fileNameAt, parseManifest, refuseOtherRows, superseded } from './manifest.ts'

const DAY_MS = 86_400_000
const nightly = (days: number, from = Date.UTC(2026, 0, 1, 3)) =>
  Array.from({ length: days }, (_, day) => fileNameAt(new Date(from + day * DAY_MS).toISOString()))

/** Runs the retention every night, as the timer does. */
function after(days: number): string[] {
  let files: string[] = []
  for (const name of nightly(days)) {
    files = [...files, name]
    const gone = superseded(files)
    files = files.filter((one) => !gone.includes(one))
  }
  return files
}

describe('backups that are kept', () => {
  test('are the last seven and the newest of each of the last four weeks', () => {
    expect(after(5)).toEqual(nightly(5))
    const kept = after(100)
    expect(kept.slice(-7)).toEqual(nightly(100).slice(-7))
    // The seven days are of two weeks, so two or three further weeks are kept.
    expect(kept.length).toBeGreaterThanOrEqual(9)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  test('never reach back further than 35 days, however often backups are taken', () => {
    for (let days = 36; days < 80; days += 1) {
      const oldest = nightly(days).indexOf(after(days)[0]!)
      expect(days - oldest).toBeLessThanOrEqual(35)
    }
  })

  test('are the newest of a day', () => {
    const [morning, noon] = [Date.UTC(2026, 0, 1, 3), Date.UTC(2026, 0, 1, 12)].map((at) =>
      fileNameAt(new Date(at).toISOString()),
    )
    expect(superseded([noon!, morning!])).toEqual([morning])
  })

  test('and other files are never removed (negative control)', () => {
    expect(
      superseded([...nightly(30), 'petstore-2026.backup', 'notes.txt', '.petstore-2020-01-01T03-00-00-000Z.backup']),
    ).not.toEqual(expect.arrayContaining([expect.not.stringMatching(/^petstore-2026-01-\d\dT03-00-00-000Z\.backup$/)]))
  })
})

describe('the rows of a dump', () => {
  const wanted = { pets: 20, orders: 0 }
  test('are those of the manifest', () => {
    expect(() => refuseOtherRows(wanted, { orders: 0, pets: 20 }, 'the dump')).not.toThrow()
  })
  test.each([
    [{ pets: 0, orders: 0 }, 'pets: 0 rows in the dump, 20 rows in the manifest'],
    [{ pets: 20 }, 'orders: no table in the dump, 0 rows in the manifest'],
    [{ pets: 20, orders: 0, more: 1 }, 'more: 1 rows in the dump, no table in the manifest'],
  ])('or the difference is named: %o', (found, fault) => {
    expect(() => refuseOtherRows(wanted, found, 'the dump')).toThrow(fault)
  })
})

test('a manifest of another form is refused', () => {
  for (const text of ['', '{}', '{"format":2}']) expect(() => parseManifest(text)).toThrow('no backup of Petstore')
})
