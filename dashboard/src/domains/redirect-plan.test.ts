import { describe, expect, test } from 'vitest'
import { changeOf, drawingOf, planOf, rowsNamed, withAllTo, withLead, withPrimary, type Plan } from './redirect-plan.ts'

const settings = {
  version: 4,
  primary: 'www.a.com',
  redirects: [{ from: 'a.com', to: 'www.a.com', status: 308 }],
}
const plan = planOf(settings, ['a.com', 'b.com', 'www.a.com'])

describe('A plan', () => {
  test('is what is stored, with every domain in it, and is stored again as it was', () => {
    expect(plan.leads).toEqual({ 'a.com': { to: 'www.a.com', status: 308 }, 'b.com': null, 'www.a.com': null })
    expect(changeOf(plan, 4)).toEqual(settings)
  })

  test('is sent without a primary where none is chosen', () => {
    expect(changeOf({ ...plan, primary: null }, 4)).not.toHaveProperty('primary')
  })

  test('ends the redirect of the domain that is made primary', () => {
    expect(withPrimary(plan, 'a.com')).toMatchObject({ primary: 'a.com', leads: { 'a.com': null } })
  })

  test('sends all others to one, each with the status that it has', () => {
    expect(withAllTo(plan, 'www.a.com').leads).toEqual({
      'a.com': { to: 'www.a.com', status: 308 },
      'b.com': { to: 'www.a.com', status: 301 },
      'www.a.com': null,
    })
  })
})

describe('The drawing', () => {
  const chain = withLead(plan, 'b.com', { to: 'a.com', status: 302 })

  test('leads each domain to where its visitors end, over whichever they pass', () => {
    const { groups, lost } = drawingOf(chain)
    expect(groups.map(({ end, ways }) => [end, ways.map(({ from, via }) => [from, ...via])])).toEqual([
      ['www.a.com', [['a.com'], ['b.com', 'a.com']]],
    ])
    expect(lost).toEqual([])
  })

  test('shows the primary first, then those that others lead to, then those alone', () => {
    const four = planOf({ ...settings, primary: 'd.com', redirects: [{ from: 'a.com', to: 'c.com' }] }, [
      'a.com',
      'b.com',
      'c.com',
      'd.com',
    ])
    expect(drawingOf(four).groups.map(({ end }) => end)).toEqual(['d.com', 'c.com', 'b.com'])
  })

  test('detects domains in a loop, and those that lead into one', () => {
    const circle: Plan = {
      primary: null,
      leads: {
        x: { to: 'y', status: 301 },
        y: { to: 'x', status: 301 },
        z: { to: 'x', status: 301 },
        self: { to: 'self', status: 301 },
        fine: null,
      },
    }
    const { groups, lost } = drawingOf(circle)
    expect(lost.map(({ from }) => from)).toEqual(['x', 'y', 'z', 'self'])
    expect(groups).toEqual([{ end: 'fine', ways: [] }])
  })
})

describe('A refusal', () => {
  const leading = withLead(withLead(plan, 'a.com', { to: 'b.com', status: 301 }), 'b.com', { to: 'a.com', status: 301 })
  test.each([
    ['redirect_cycle', 'These redirects form a loop: a.com → b.com → a.com.', ['a.com', 'b.com']],
    ['redirect_target_not_live', 'b.com is not live yet. Save the redirect once it is.', ['a.com']],
    ['wrong_state', 'www.a.com is the primary domain, so it cannot redirect.', ['www.a.com']],
    ['redirect_target_foreign', "'b.com' is not a domain of this project.", ['b.com']],
    ['rate_limited', 'More than 30 requests. Retry in 5 s.', []],
  ])('of %s is shown next to the rows that it names', (code, message, rows) => {
    expect(rowsNamed(leading, { code, message })).toEqual(rows)
  })
})
