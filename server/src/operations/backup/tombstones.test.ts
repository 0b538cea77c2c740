import { describe, expect, test } from 'vitest'
import { fileOfDay, parseTombstones, sinceBackup, tombstoneFiles, type Tombstone } from './tombstones.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 19, 12, minute)).toISOString()
const line = (minute: number, kind = 'key'): Tombstone => ({
  at: at(minute),
  kind,
  subject: 'key_1',
  project: '1',
  endsAt: null,
})
const textOf = (...lines: Tombstone[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('')

describe('a file of tombstones', () => {
  test('is read as it was written', () => {
    expect(parseTombstones(textOf(line(1), line(2)), 'file')).toEqual([line(1), line(2)])
    expect(parseTombstones('', 'file')).toEqual([])
  })
  test('may end in a line that was being written', () => {
    expect(parseTombstones(`${textOf(line(1))}{"at":"2026`, 'file')).toEqual([line(1)])
    expect(parseTombstones('{"at":"2026', 'file')).toEqual([])
  })
  test('with any other line that cannot be read is refused (negative control)', () => {
    expect(() => parseTombstones(`${textOf(line(1))}{"at":"2026\n${textOf(line(2))}`, 'file')).toThrow('Line 2 of file')
    expect(() => parseTombstones('{"at":"yesterday","kind":"key"}\n', 'file')).toThrow('Line 1 of file')
  })
  test('is named by its day, and sorted by it', () => {
    const names = [fileOfDay(Date.UTC(2026, 10, 20)), fileOfDay(Date.UTC(2026, 1, 3))]
    expect(tombstoneFiles([...names, 'notes.txt'])).toEqual([
      'tombstones-2026-02-03.jsonl',
      'tombstones-2026-11-20.jsonl',
    ])
  })
})

describe('what is replayed', () => {
  test('has ended since the backup, or up to an hour before', () => {
    const all = [line(-120, 'begin'), line(-61), line(-59), line(5)]
    expect(sinceBackup(all, at(0))).toEqual([line(-59), line(5)])
  })
  test('must reach back to the backup', () => {
    expect(() => sinceBackup([line(1, 'begin'), line(5)], at(0))).toThrow(`The tombstones begin at ${at(1)}`)
    expect(() => sinceBackup([], at(0))).toThrow('The tombstones begin at no time')
  })
})
