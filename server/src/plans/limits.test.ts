// The table of limits, its check, and the file that overrides it.

import { refusals } from '@petstore-platform/contract/errors'
import { plans } from '@petstore-platform/contract/platform/projects'
import { describe, expect, test } from 'vitest'
import type { PlanLimit } from '../projects/plan-rules.ts'
import { settings } from '../program/settings.ts'
import { limitTableOf } from './limits-file.ts'
import { otherTable, planTable, processLimits, settingLimits } from './limit-table.ts'
import { defaultLimits, defaultRules, isOrdered, planRulesOf } from './limits.ts'

const planLimits = defaultLimits.ofPlan
const all = Object.keys(planLimits) as PlanLimit[]
const { limitsOf, most, overLimit } = defaultRules

describe('the limits of a plan', () => {
  test('are numbers, and a more expensive plan never includes less', () => {
    for (const what of all) expect({ what, isOrdered: isOrdered(planLimits[what]) }).toEqual({ what, isOrdered: true })
    for (const plan of plans) for (const what of all) expect(most(plan, what)).toBeGreaterThanOrEqual(0)
    expect(isOrdered({ free: 2, pro: 1, enterprise: 3 })).toBe(false)
  })

  test('leave room up to the limit, and none for one more', () => {
    for (const plan of plans) {
      for (const what of all) {
        const limit = most(plan, what)
        if (limit > 0) expect(overLimit(plan, what, limit - 1)).toBeUndefined()
        expect(overLimit(plan, what, limit)).toMatchObject({ code: 'plan_required', status: 403 })
        expect(overLimit(plan, what, 0, limit)).toBeUndefined()
        expect(overLimit(plan, what, 0, limit + 1)).toMatchObject({ code: 'plan_required' })
      }
    }
  })

  test('of a project over the limit of a smaller plan keep everything, and nothing can be added', () => {
    expect(overLimit('free', 'keys', 60)?.message).toBe("The plan 'free' includes 10 API keys; 60 are in use.")
  })

  test('say that a plan does not include a feature at all', () => {
    expect(overLimit('free', 'customDomains', 0)?.message).toBe("The plan 'free' includes no custom domains.")
  })

  test('that are shown are those of the contract', () => {
    expect(Object.keys(limitsOf('free')).sort()).toEqual(
      ['animals', 'customDomains', 'importRows', 'keys', 'members', 'photoBytes'].sort(),
    )
  })
})

describe('LIMITS', () => {
  const read = (text: string | undefined) => {
    const mistakes: string[] = []
    return { table: limitTableOf(text, mistakes), mistakes }
  }

  test('is not needed', () => {
    expect(read(undefined)).toEqual({ table: defaultLimits, mistakes: [] })
    expect(read('{}')).toEqual({ table: defaultLimits, mistakes: [] })
  })

  test('overrides a limit of all plans, of some, and of accounts', () => {
    const { table, mistakes } = read('{"deployments": 7, "animals": {"free": 5}, "unpaidProjects": 100}')
    expect(mistakes).toEqual([])
    const rules = planRulesOf(table)
    expect(plans.map((plan) => rules.most(plan, 'deployments'))).toEqual([7, 7, 7])
    expect(plans.map((plan) => rules.most(plan, 'animals'))).toEqual([5, 1_000_000, 100_000_000])
    expect(rules.other).toEqual({ ...defaultLimits.other, unpaidProjects: 100 })
  })

  test.each([
    ['{', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    ['{"cats": 1}', "names 'cats', which is not a limit"],
    ['{"animals": null}', "'animals' takes a whole number"],
    ['{"animals": -1}', "'animals' takes a whole number"],
    ['{"animals": {"gold": 1}}', "'animals' takes a whole number"],
    ['{"animals": {"free": 1.5}}', "'animals' takes a whole number"],
    ['{"animals": {"pro": 5}}', "'animals' gives a larger plan less"],
    ['{"auditDays": 0}', "'auditDays' takes a whole number from 1"],
    ['{"auditDays": {"free": 1}}', "'auditDays' takes a whole number from 1"],
  ])('%s is a mistake', (text, sentence) => {
    expect(read(text).mistakes).toEqual([expect.stringContaining(sentence)])
  })
})

describe('the table of limits', () => {
  const rows = { ...planTable, ...otherTable, ...processLimits }

  test('names each limit once, with what happens beyond it and a reason', () => {
    const tables = [planTable, otherTable, processLimits].flatMap((table) => Object.keys(table))
    expect(new Set(tables).size).toBe(tables.length)
    for (const [name, { beyond, because }] of Object.entries(rows)) {
      expect({ name, isComplete: beyond !== '' && because !== '' }).toEqual({ name, isComplete: true })
    }
  })

  test('names refusals by codes that exist', () => {
    const codes = [...Object.values(rows), ...settingLimits].flatMap(({ beyond }) => beyond.match(/\w+_\w+/g) ?? [])
    expect(codes.filter((code) => !(code in refusals))).toEqual([])
    expect(codes).toContain('plan_required')
  })

  test('names settings that exist, each with a default that is a number', () => {
    const all: Readonly<Record<string, { default?: string }>> = settings
    for (const { setting } of settingLimits) expect(Number(all[setting]?.default)).toBeGreaterThan(0)
  })
})
