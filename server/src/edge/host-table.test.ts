import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Route } from '../fleet/protocol.ts'
import { createHostTable, type HostTable } from './host-table.ts'

const hostnames = ['a.test', 'b.test', 'c.test', 'd.test']
const hostname = fc.constantFrom(...hostnames)
const leads = fc.oneof(
  fc.record({ kind: fc.constant('site' as const), slug: fc.constantFrom('paws', 'claws') }),
  fc.record({
    kind: fc.constant('redirect' as const),
    slug: fc.constantFrom('paws', 'claws'),
    target: hostname,
    status: fc.constantFrom(301 as const, 302 as const, 307 as const, 308 as const),
  }),
  fc.record({ kind: fc.constant('gone' as const) }),
)

/** A history as the control plane writes it: numbers rise, with gaps. */
const history = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), hostname, leads }), { maxLength: 60 })
  .map((changes) => {
    let seq = 0
    return changes.map(({ gap, hostname: name, leads: to }): Route => {
      seq += gap
      const common = { seq, hostname: name, generation: String(seq) }
      return to.kind === 'gone' ? { ...common, ...to } : { ...common, ...to, serial: `serial-${seq}` }
    })
  })

/** The same history as it may arrive: in order, with repeated earlier pages in any order. */
const arriving = fc
  .tuple(
    history,
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 20 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([routes, again, size]) => {
    const pages: Route[][] = []
    for (let at = 0; at < routes.length; at += size) pages.push(routes.slice(at, at + size))
    for (const [place, which, isReversed] of again) {
      const at = place % (pages.length + 1)
      const page = at === 0 ? undefined : pages[which % at]
      if (page) pages.splice(at, 0, isReversed ? page.toReversed() : page)
    }
    return { routes, pages }
  })

/** Per name the change with the highest number; the simplest possible model. */
function naive(routes: readonly Route[]): Map<string, Route> {
  const newest = new Map<string, Route>()
  for (const route of routes) if ((newest.get(route.hostname)?.seq ?? 0) < route.seq) newest.set(route.hostname, route)
  return newest
}

function differences(table: HostTable, routes: readonly Route[]): string[] {
  const newest = naive(routes)
  const live = [...newest.values()].filter(({ kind }) => kind !== 'gone')
  const wrong = hostnames.filter((name) => {
    const wanted = newest.get(name)
    const found = table.find(name)
    return JSON.stringify(found) !== JSON.stringify(wanted?.kind === 'gone' ? undefined : wanted)
  })
  if (table.size !== live.length) wrong.push('size')
  if (table.seq !== Math.max(0, ...routes.map(({ seq }) => seq))) wrong.push('seq')
  const order = [...table.routes()].map(({ seq }) => seq)
  if (JSON.stringify(order) !== JSON.stringify(live.map(({ seq }) => seq).sort((one, other) => one - other))) {
    wrong.push('order')
  }
  return wrong
}

const filled = (table: HostTable, pages: readonly Route[][]) => {
  for (const page of pages) for (const route of page) table.apply(route)
  return table
}

describe('the host table', () => {
  test('has the newest change of every name, whatever arrives repeatedly or late', () => {
    fc.assert(
      fc.property(arriving, ({ routes, pages }) => {
        expect(differences(filled(createHostTable(), pages), routes)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('that applies late changes fails this check (negative control)', () => {
    const acceptingLate = (): HostTable => {
      const table = createHostTable()
      const seen = new Map<string, Route>()
      return {
        ...table,
        get seq() {
          return Math.max(0, ...[...seen.values()].map(({ seq }) => seq))
        },
        get size() {
          return [...seen.values()].filter(({ kind }) => kind !== 'gone').length
        },
        apply: (route) => seen.set(route.hostname, route).size > 0,
        find(name) {
          const route = seen.get(name)
          return route?.kind === 'gone' ? undefined : route
        },
        *routes() {
          for (const route of seen.values()) if (route.kind !== 'gone') yield route
        },
      }
    }
    const found = fc.check(
      fc.property(arriving, ({ routes, pages }) => differences(filled(acceptingLate(), pages), routes).length === 0),
      { numRuns: 500 },
    )
    expect(found.failed).toBe(true)
  })

  test('never restores a deleted name through an earlier change', () => {
    const table = createHostTable()
    const site = { hostname: 'a.test', kind: 'site', slug: 'paws', generation: '1', serial: 'ab' } as const
    expect(table.apply({ ...site, seq: 4 })).toBe(true)
    expect(table.apply({ seq: 5, hostname: 'a.test', kind: 'gone', generation: '1' })).toBe(true)
    expect(table.apply({ ...site, seq: 4 })).toBe(false)
    expect(table.find('a.test')).toBeUndefined()
  })

  test('is empty after a reset', () => {
    const table = createHostTable()
    const site = { hostname: 'a.test', kind: 'site', slug: 'paws', generation: '1', serial: 'ab' } as const
    table.apply({ ...site, seq: 9 })
    table.reset()
    expect([table.size, table.seq, table.find('a.test')]).toEqual([0, 0, undefined])
    table.apply({ ...site, seq: 3 })
    expect(table.find('a.test')?.seq).toBe(3)
  })

  test('records numbers without routes, and never goes back', () => {
    const table = createHostTable()
    table.advance(7)
    table.advance(3)
    expect(table.seq).toBe(7)
    expect(table.apply({ seq: 7, hostname: 'a.test', kind: 'gone', generation: '1' })).toBe(false)
  })
})
