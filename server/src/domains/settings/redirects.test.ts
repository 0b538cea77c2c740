import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Redirect as RedirectSchema } from '@petstore-platform/contract/platform/domain-shapes'
import { Refusal } from '../../foundation/refusal.ts'
import { planRedirects, type DomainPlaces, type Redirect } from './redirects.ts'

const live = (...names: string[]): DomainPlaces => new Map(names.map((name) => [name, { isLive: true }]))

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('it was not refused')
}

const abc = live('a.example', 'b.example', 'c.example')
const redirect = (from: string, to: string, status?: number) => ({
  from: `${from}.example`,
  to: `${to}.example`,
  ...(status !== undefined && { status }),
})

describe('A list of redirects', () => {
  test('is stored as sent, with 301 where no status was given', () => {
    expect(planRedirects([redirect('a', 'b'), redirect('c', 'b', 307)], abc, null)).toEqual([
      redirect('a', 'b', 301),
      redirect('c', 'b', 307),
    ])
  })

  test.each([
    [301, 301, 301],
    [308, 308, 308],
    [301, 308, 301],
    [308, 307, 307],
    [302, 308, 302],
    [307, 301, 302],
  ])('with a chain of %d and %d is shortened to one hop with %d', (first, second, both) => {
    const planned = planRedirects([redirect('a', 'b', first), redirect('b', 'c', second)], abc, null)
    expect(planned).toEqual([redirect('a', 'c', both), redirect('b', 'c', second)])
  })

  test('in a loop is refused, and the message shows the loop', () => {
    const loop = [redirect('c', 'a'), redirect('a', 'b'), redirect('b', 'a')]
    const { code, message } = refusalOf(() => planRedirects(loop, abc, null))
    expect([code, message]).toEqual([
      'redirect_cycle',
      'These redirects form a loop: a.example → b.example → a.example.',
    ])
    expect(refusalOf(() => planRedirects([redirect('a', 'a')], abc, null)).message).toBe(
      'These redirects form a loop: a.example → a.example.',
    )
  })

  test.each([200, 300, 303, 304, 305, 306, 309, 400])('with the status %d is refused', (status) => {
    const refused = refusalOf(() => planRedirects([redirect('a', 'b', status)], abc, null))
    expect(refused).toMatchObject({ code: 'redirect_status_invalid', status: 400 })
  })

  test.each([
    'evil.test',
    '//evil.test',
    'b.example/..',
    'b.example\r\nX: y',
    'b.example\\@evil.test',
    'B.example',
    '',
  ])('never leads to %j', (to) => {
    const refused = refusalOf(() => planRedirects([{ from: 'a.example', to }], abc, null))
    expect(refused).toMatchObject({ code: 'redirect_target_foreign', status: 400 })
  })

  test('accepts only a live domain as a new target', () => {
    const places: DomainPlaces = new Map([...abc, ['b.example', { isLive: false }]])
    const refused = refusalOf(() => planRedirects([redirect('a', 'b')], places, null))
    expect([refused.code, refused.message]).toEqual([
      'redirect_target_not_live',
      'b.example is not live yet. Save the redirect once it is.',
    ])
    expect(planRedirects([redirect('b', 'a')], places, null)).toEqual([redirect('b', 'a', 301)])
  })

  test('keeps a stored redirect whose target is no longer live', () => {
    const places: DomainPlaces = new Map([...abc, ['b.example', { isLive: false }]])
    const stored = [redirect('a', 'b')]
    expect(planRedirects([redirect('a', 'b', 308)], places, null, stored)).toEqual([redirect('a', 'b', 308)])
    expect(refusalOf(() => planRedirects([redirect('c', 'b')], places, null, stored)).code).toBe(
      'redirect_target_not_live',
    )
  })

  test('has a status that is "HTTP redirect status, 301 in the example shape": exactly those that the contract names', () => {
    const { enum: documented } = RedirectSchema.properties.status as { enum?: number[] }
    const isAccepted = (status: number) => {
      try {
        return planRedirects([redirect('a', 'b', status)], abc, null).length === 1
      } catch {
        return false
      }
    }
    const accepted = Array.from({ length: 1000 }, (_, status) => status).filter(isAccepted)
    expect(accepted).toEqual([301, 302, 307, 308])
    expect(documented).toEqual(accepted)
    expect(isAccepted(303)).toBe(false)
  })

  test('names each domain once, and never redirects the primary one', () => {
    const twice = refusalOf(() => planRedirects([redirect('a', 'b'), redirect('a', 'c')], abc, null))
    expect(twice.code).toBe('invalid_field')
    expect(refusalOf(() => planRedirects([redirect('a', 'b')], abc, 'a.example')).code).toBe('wrong_state')
    expect(refusalOf(() => planRedirects([redirect('x', 'b')], abc, null)).code).toBe('redirect_target_foreign')
  })
})

describe('A random graph of redirects', () => {
  const names = Array.from({ length: 12 }, (_, index) => `d${index}.example`)
  const places = live(...names)
  const ours = fc.constantFrom(...names)
  const graphs = fc.uniqueArray(
    fc.record({
      from: ours,
      to: fc.oneof({ weight: 20, arbitrary: ours }, { weight: 1, arbitrary: fc.domain() }),
      status: fc.constantFrom(301, 302, 307, 308),
    }),
    { selector: ({ from }) => from, maxLength: 12 },
  )

  /** Follows redirects as sent, without the code under test: the end of the chain, or undefined for a loop. */
  function endOf(requests: readonly { from: string; to: string }[], from: string): string | undefined {
    let here = from
    for (let hops = 0; hops <= requests.length; hops += 1) {
      const next = requests.find((one) => one.from === here)
      if (!next) return here
      here = next.to
    }
    return undefined
  }

  const faultsOf = (plan: typeof planRedirects, requests: readonly Redirect[]): string[] => {
    const isForeign = requests.some(({ to }) => !places.has(to))
    const isCircular = requests.some(({ from }) => endOf(requests, from) === undefined)
    let planned: Redirect[]
    try {
      planned = plan(requests, places, null)
    } catch (error) {
      if (!(error instanceof Refusal)) return ['it failed']
      return isForeign || isCircular ? [] : ['what is right was refused']
    }
    return [
      ...(isForeign ? ['a foreign host was accepted'] : []),
      ...(isCircular ? ['a circle was accepted'] : []),
      ...(planned.length === requests.length ? [] : ['one was lost']),
      ...planned
        .filter(({ to }) => planned.some(({ from }) => from === to))
        .map(({ from }) => `${from} takes more than one hop`),
      ...planned.filter(({ to }) => !places.has(to)).map(({ to }) => `${to} is foreign`),
      ...planned.filter(({ from, to }) => endOf(requests, from) !== to).map(({ from }) => `${from} ends elsewhere`),
    ]
  }

  test('takes every visitor to the end of the chain in one hop, and never to a foreign host', () => {
    fc.assert(
      fc.property(graphs, (requests) => {
        expect(faultsOf(planRedirects, requests as Redirect[])).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })

  test('reports a plan that neither shortens chains nor detects loops (negative control)', () => {
    const careless: typeof planRedirects = (requests) =>
      requests.map((request) => ({ status: 301, ...request }) as Redirect)
    const result = fc.check(
      fc.property(graphs, (requests) => faultsOf(careless, requests as Redirect[]).length === 0),
      { numRuns: 500 },
    )
    expect(result.failed).toBe(true)
  })
})
