// What every adapter of the port of objects must do; called once for each.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OBJECT_BYTES_MAX, type Objects } from '../../src/foundation/objects.ts'

const MANY = 1203
const AT_ONCE = 16

let projects = 1_000_000n
/** Of a number that no other test has. */
export const newProject = (): bigint => (projects += 1n)

export async function keysOf(objects: Objects, project: bigint, prefix = ''): Promise<string[]> {
  const keys: string[] = []
  let page = await objects.list(project, prefix)
  while (page.length > 0) {
    keys.push(...page.map(({ key }) => key))
    page = await objects.list(project, prefix, page.at(-1)?.key)
  }
  return keys
}

export function objectsContract(name: string, open: () => Objects): void {
  const put = (project: bigint, key: string, text = 'bytes') => open().putIfAbsent(project, key, Buffer.from(text))
  const read = async (project: bigint, key: string) => (await open().get(project, key))?.toString()

  describe(`objects in ${name}`, () => {
    test('are returned as they were stored, and are not there before', async () => {
      const project = newProject()
      expect(await read(project, 'a')).toBeUndefined()
      expect(await put(project, 'a', 'first')).toBe(true)
      expect(await read(project, 'a')).toBe('first')
    })

    test('are never overwritten', async () => {
      const project = newProject()
      await put(project, 'a', 'first')
      expect(await put(project, 'a', 'second')).toBe(false)
      expect(await read(project, 'a')).toBe('first')
    })

    test('are stored by one of many calls at the same moment', async () => {
      const project = newProject()
      const texts = Array.from({ length: AT_ONCE }, (_, index) => `call ${index}`)
      const stored = await Promise.all(texts.map((text) => put(project, 'a', text)))
      expect(stored.filter(Boolean)).toHaveLength(1)
      expect(await read(project, 'a')).toBe(texts[stored.indexOf(true)])
    })

    test('can be removed, also twice, and stored again', async () => {
      const project = newProject()
      await put(project, 'a', 'first')
      await open().remove(project, 'a')
      expect(await read(project, 'a')).toBeUndefined()
      await open().remove(project, 'a')
      expect(await put(project, 'a', 'second')).toBe(true)
      expect(await read(project, 'a')).toBe('second')
    })

    test('have 1 byte to 20 MB', async () => {
      const project = newProject()
      const large = randomBytes(OBJECT_BYTES_MAX)
      for (const bytes of [Buffer.from([0]), large, large.subarray(7, 1007)]) {
        const key = `bytes/${bytes.length}`
        expect(await open().putIfAbsent(project, key, bytes)).toBe(true)
        expect((await open().get(project, key))?.equals(bytes)).toBe(true)
      }
      const sizes = (await open().list(project, '')).map(({ size }) => size)
      expect(sizes.toSorted((one, other) => one - other)).toEqual([1, 1000, OBJECT_BYTES_MAX])
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(OBJECT_BYTES_MAX + 1)]) {
        await expect(open().putIfAbsent(project, 'b', bytes)).rejects.toThrow(RangeError)
      }
    })

    test('are listed in ascending order, with the time at which they were stored', async () => {
      const project = newProject()
      const before = Date.now()
      for (const key of ['b', 'a/2', 'a/10', 'B', 'a-1', 'a']) await put(project, key)
      const listed = await open().list(project, '')
      expect(listed.map(({ key }) => key)).toEqual(['B', 'a', 'a-1', 'a/10', 'a/2', 'b'])
      for (const { storedAt } of listed) expect(Math.abs(storedAt - before)).toBeLessThan(60_000)
      expect(await keysOf(open(), project, 'a/')).toEqual(['a/10', 'a/2'])
      expect((await open().list(project, 'a', 'a-1')).map(({ key }) => key)).toEqual(['a/10', 'a/2'])
      expect(await open().list(project, '', 'b')).toEqual([])
      expect(await open().list(project, 'none')).toEqual([])
    })

    test('are listed completely, however many they are', async () => {
      const project = newProject()
      const keys = Array.from({ length: MANY }, (_, index) => `many/${String(index).padStart(5, '0')}`)
      const left = keys.values()
      const store = async () => {
        for (const key of left) await put(project, key, 'x')
      }
      await Promise.all(Array.from({ length: 8 }, store))
      expect((await open().list(project, '')).length).toBeLessThanOrEqual(1000)
      expect(await keysOf(open(), project)).toEqual(keys)
    })

    test('can have any key that an address can name', async () => {
      const project = newProject()
      const keys = [
        'a b',
        'a+b',
        'a%2Fb',
        'a%b',
        'a&b=c?d#e',
        `quotes "'`,
        '<xml>&amp;</xml>',
        "!'()*;:@$,[]{}|\\^`",
        '...',
        '.a/b.',
        ' ',
        'x'.repeat(200),
      ]
      for (const key of keys) expect([key, await put(project, key, key)]).toEqual([key, true])
      for (const key of keys) expect(await read(project, key)).toBe(key)
      expect(await keysOf(open(), project)).toEqual(keys.toSorted())
      expect(await keysOf(open(), project, 'a+')).toEqual(['a+b'])
      for (const key of keys) await open().remove(project, key)
      expect(await keysOf(open(), project)).toEqual([])
    })

    test('have no other key', async () => {
      const project = newProject()
      for (const key of ['', '.', '..', 'a/../b', '/a', 'a/', 'a//b', 'ä', 'a\n', '~', 'x'.repeat(201)]) {
        await expect(put(project, key)).rejects.toThrow(RangeError)
      }
    })

    test('of one project are not those of another', async () => {
      // The number of one is the beginning of the other.
      const [one, other] = [newProject(), newProject()]
      const longer = one * 10n
      await put(one, 'a', 'one')
      for (const project of [other, longer]) {
        expect(await read(project, 'a')).toBeUndefined()
        expect(await keysOf(open(), project)).toEqual([])
        expect(await put(project, 'a', 'other')).toBe(true)
        await open().remove(project, 'a')
      }
      expect(await read(one, 'a')).toBe('one')
      expect(await keysOf(open(), one)).toEqual(['a'])
    })
  })
}
