import { describe, expect, test } from 'vitest'
import { createRows, unwritten, type Animal } from './rows.ts'

const animal = (id: number, name = `A${id}`): Animal => ({
  id: BigInt(id),
  name,
  categoryId: 1n,
  status: 'available',
  createdAt: '2026-11-14T22:00:00Z',
  ...unwritten,
})

/** Three pages of two, the newest first; each can be made to fail. */
function threePages() {
  const requested: (string | undefined)[] = []
  const failing = new Set<string | undefined>()
  const rows = createRows(async (cursor) => {
    requested.push(cursor)
    if (failing.delete(cursor)) throw new Error('nobody there')
    const from = 6 - Number(cursor ?? 0)
    return { items: [animal(from), animal(from - 1)], next: from > 2 ? String(6 - from + 2) : undefined }
  })
  const ids = () => rows.slice(0, 10).map(({ id }) => Number(id))
  return { rows, requested, failing, ids }
}

describe('rows that come page by page', () => {
  test('only as many pages are fetched as are viewed, each once', async () => {
    const { rows, requested, ids } = threePages()
    await rows.want(0)
    expect(ids()).toEqual([6, 5])
    expect(rows.snapshot()).toEqual({ loaded: 2, isComplete: false, error: undefined })
    await Promise.all([rows.want(3), rows.want(2)])
    expect(requested).toEqual([undefined, '2'])
    await rows.want(Infinity)
    expect(rows.snapshot()).toMatchObject({ loaded: 6, isComplete: true })
    await rows.want(100)
    expect(requested).toEqual([undefined, '2', '4'])
  })

  test('a page that failed is not fetched again until a retry, and nothing is lost', async () => {
    const { rows, requested, failing, ids } = threePages()
    failing.add('2')
    await rows.want(5)
    expect(rows.snapshot()).toMatchObject({ loaded: 2, isComplete: false, error: new Error('nobody there') })
    await rows.want(5)
    expect(requested).toEqual([undefined, '2'])
    rows.retry()
    await rows.want(5)
    expect(ids()).toEqual([6, 5, 4, 3, 2, 1])
    expect(rows.snapshot()).toMatchObject({ isComplete: true, error: undefined })
  })

  test('subscribers are notified of every page and of every change, with another snapshot', async () => {
    const { rows } = threePages()
    const seen: number[] = []
    const stop = rows.subscribe(() => seen.push(rows.snapshot().loaded))
    await rows.want(3)
    rows.add(animal(7))
    stop()
    rows.add(animal(8))
    expect(seen).toEqual([2, 4, 5])
    expect(rows.snapshot()).toBe(rows.snapshot())
  })

  test('an added animal comes first, and once, even if its page is loaded later', async () => {
    const { rows, ids } = threePages()
    await rows.want(0)
    rows.add(animal(2, 'Found again'))
    await rows.want(Infinity)
    expect(ids()).toEqual([2, 6, 5, 4, 3, 1])
  })

  test('what was changed is changed in its place, and what left the list is gone', async () => {
    const { rows, ids, requested } = threePages()
    await rows.want(3)
    rows.change(new Set([5n, 4n]), (one) => (one.id === 5n ? { ...one, status: 'sold' } : undefined))
    expect(ids()).toEqual([6, 5, 3])
    expect(rows.at(1)?.status).toBe('sold')
    expect(requested).toHaveLength(2)
  })
})

describe('rows that are refreshed', () => {
  test('show the changes of others, as far as they are viewed, and stay unchanged until then', async () => {
    let names = ['Ada', 'Bo', 'Cy', 'Di']
    const rows = createRows(async (cursor) => {
      const from = Number(cursor ?? 0)
      const items = names.slice(from, from + 2).map((name) => animal(100 - name.charCodeAt(0), name))
      return { items, next: from + 2 < names.length ? String(from + 2) : undefined }
    })
    const shown = () => rows.slice(0, 10).map(({ name }) => name)
    await rows.want(3)
    names = ['Zoe', 'Ada', 'Cy', 'Di', 'Ed']
    const renewed = rows.renew()
    expect(shown()).toEqual(['Ada', 'Bo', 'Cy', 'Di'])
    await renewed
    expect(shown()).toEqual(['Zoe', 'Ada', 'Cy', 'Di'])
    expect(rows.snapshot()).toEqual({ loaded: 4, isComplete: false, error: undefined })
    await rows.want(Infinity)
    expect(shown()).toEqual(['Zoe', 'Ada', 'Cy', 'Di', 'Ed'])
  })

  test('once more, if something was changed here on the way', async () => {
    let requested = 0
    const rows = createRows(async () => {
      requested += 1
      if (requested === 2) rows.change(new Set([6n]), () => animal(6, 'changed here'))
      return { items: [animal(6, requested === 2 ? 'before' : 'changed here')], next: undefined }
    })
    await rows.want(0)
    await rows.renew()
    expect(requested).toBe(3)
    expect(rows.at(0)?.name).toBe('changed here')
  })

  test('stay while the server is unreachable', async () => {
    const { rows, failing, ids } = threePages()
    await rows.want(1)
    failing.add(undefined)
    await rows.renew()
    expect(ids()).toEqual([6, 5])
    expect(rows.snapshot()).toMatchObject({ loaded: 2, error: new Error('nobody there') })
    await rows.renew()
    expect(rows.snapshot()).toMatchObject({ loaded: 2, error: undefined })
  })
})
