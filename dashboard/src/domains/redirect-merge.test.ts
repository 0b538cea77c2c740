import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergePlans } from './redirect-merge.ts'
import { samePlan, type Lead, type Plan } from './redirect-plan.ts'

const to = (target: string, status: 301 | 302 = 301): Lead => ({ to: target, status })
const base: Plan = { primary: 'a', leads: { a: null, b: null, c: null } }
const plan = (leads: Record<string, Lead>, primary: string | null = 'a'): Plan => ({
  primary,
  leads: { ...base.leads, ...leads },
})

describe('Two concurrent changes of the settings', () => {
  test('both keep what they changed, where they changed different rows', () => {
    const { merged, differences } = mergePlans(base, plan({ b: to('a') }), plan({ c: to('a', 302) }))
    expect(merged).toEqual(plan({ b: to('a'), c: to('a', 302) }))
    expect(differences).toEqual([
      { what: 'lead', hostname: 'b', by: 'me', mine: to('a'), theirs: null },
      { what: 'lead', hostname: 'c', by: 'them', mine: null, theirs: to('a', 302) },
    ])
  })

  test('the second is shown both choices where they changed the same row, and keeps their own', () => {
    const { merged, differences } = mergePlans(base, plan({ b: to('a', 302) }), plan({ b: to('a') }))
    expect(merged).toEqual(plan({ b: to('a', 302) }))
    expect(differences).toEqual([{ what: 'lead', hostname: 'b', by: 'both', mine: to('a', 302), theirs: to('a') }])
  })

  test('a status alone is a change', () => {
    const was = plan({ b: to('a') })
    expect(mergePlans(was, plan({ b: to('a', 302) }), was).differences).toHaveLength(1)
  })

  test('have no conflict if both chose the same', () => {
    expect(mergePlans(base, plan({ b: to('a') }), plan({ b: to('a') })).differences).toEqual([])
  })

  test('the primary is a row like the others', () => {
    const { merged, differences } = mergePlans(base, plan({}, 'b'), plan({}, 'c'))
    expect(merged.primary).toBe('b')
    expect(differences).toEqual([{ what: 'primary', by: 'both', mine: 'b', theirs: 'c' }])
  })

  test('the primary that one chose shows the site, also where the other sent its visitors away', () => {
    const { merged } = mergePlans(base, plan({}, 'b'), plan({ b: to('a') }))
    expect(merged).toEqual(plan({}, 'b'))
  })

  test('remove a domain that the other member removed, and redirects to it', () => {
    const theirs: Plan = { primary: null, leads: { b: null, c: to('b') } }
    const { merged } = mergePlans(base, plan({ b: to('c'), c: to('a') }), theirs)
    expect(merged).toEqual({ primary: null, leads: { b: to('c'), c: to('b') } })
  })
})

const names = ['a', 'b', 'c', 'd']
const anyLead = fc.option(
  fc.record({ to: fc.constantFrom(...names), status: fc.constantFrom(301 as const, 302 as const) }),
)
const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    primary: fc.option(fc.constantFrom(...names)),
    leads: fc.tuple(anyLead, anyLead, anyLead, anyLead),
  })
  .map(({ primary, leads }) => {
    const entries = names.map((name, index) => [name, name === primary ? null : (leads[index] ?? null)] as const)
    return { primary, leads: Object.fromEntries(entries) }
  })

describe('Whatever both do', () => {
  test('take everything from the other if one changed nothing, and keep everything if the other did', () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, (one, other) => {
        expect(samePlan(mergePlans(one, one, other).merged, other)).toBe(true)
        const mine = mergePlans(one, other, one).merged
        // A primary that is chosen stays chosen: it cannot be reset to none.
        expect(samePlan(mine, other) || other.primary === null).toBe(true)
      }),
    )
  })

  test('give rows that one of them chose, and a primary that does not redirect', () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, anyPlan, (was, mine, theirs) => {
        const { merged } = mergePlans(was, mine, theirs)
        for (const [name, lead] of Object.entries(merged.leads)) {
          const chosen = [mine.leads[name], theirs.leads[name], ...(name === merged.primary ? [null] : [])]
          expect(chosen).toContainEqual(lead)
        }
        if (merged.primary !== null) expect(merged.leads[merged.primary]).toBeNull()
      }),
    )
  })
})
