// The plans and their limit check, without any project.

import { plans, type Limits } from '@petstore-platform/contract/platform/projects'
import { expect, test } from 'vitest'
import { limitsOf, overLimit, type Limited } from './limits.ts'

const all: readonly Limited[] = ['animals', 'members', 'keys', 'importRows', 'customDomains', 'photoBytes']
const size = (limit: Limits[Limited]) => limit ?? Number.POSITIVE_INFINITY

test('every plan defines every limit', () => {
  for (const plan of plans) expect(Object.keys(limitsOf(plan)).sort()).toEqual(all.toSorted())
})

test('a more expensive plan never includes less', () => {
  const [free, pro, enterprise] = plans.map(limitsOf)
  if (!free || !pro || !enterprise) throw new Error('there are three plans')
  for (const what of all) {
    expect(size(pro[what])).toBeGreaterThanOrEqual(size(free[what]))
    expect(size(enterprise[what])).toBeGreaterThanOrEqual(size(pro[what]))
  }
})

test('there is room up to the limit, and none for one more', () => {
  for (const plan of plans) {
    for (const what of all) {
      const most = limitsOf(plan)[what]
      if (most === null) continue
      if (most > 0) expect(overLimit(plan, what, most - 1)).toBeUndefined()
      expect(overLimit(plan, what, most)).toMatchObject({ code: 'plan_required', status: 403 })
      expect(overLimit(plan, what, 0, most)).toBeUndefined()
      expect(overLimit(plan, what, 0, most + 1)).toMatchObject({ code: 'plan_required' })
    }
  }
})

test('a project over the limit of a smaller plan keeps everything, and cannot add more', () => {
  expect(overLimit('free', 'keys', 60)?.message).toBe("The plan 'free' includes 10 API keys; 60 are in use.")
})

test('where there is no limit there is always room', () => {
  expect(limitsOf('enterprise').animals).toBeNull()
  expect(overLimit('enterprise', 'animals', 10 ** 12)).toBeUndefined()
})

test('a feature that a plan does not include at all is reported as such', () => {
  expect(overLimit('free', 'customDomains', 0)?.message).toBe("The plan 'free' includes no custom domains.")
})
