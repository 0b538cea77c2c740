// Every table has a cap, and every cap a table; the figures follow from the limits.

import { beforeAll, describe, expect, test } from 'vitest'
import { figuresOf, occupiedByFreeAccount, rowsOf } from '../../src/plans/cap.ts'
import { caps } from '../../src/plans/caps.ts'
import { defaultLimits } from '../../src/plans/limits.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { readCatalogue } from './database-catalogue.ts'

let tables: string[]

beforeAll(async () => {
  const { tables: found } = await asOwner(await cloneDatabase(), readCatalogue)
  tables = found.map(({ name }) => name.replace('public.', ''))
})

const withoutCap = (listed: object) => tables.filter((table) => !(table in listed))

describe('the caps', () => {
  test('name every table of the database, and no other', () => {
    expect(withoutCap(caps)).toEqual([])
    expect(Object.keys(caps).filter((table) => !tables.includes(table))).toEqual([])
  })

  test('that leave a table out are found (negative control)', () => {
    const { pets: _, ...others } = caps
    expect(withoutCap(others)).toEqual(['pets'])
  })

  test('are finite, and grow with the plan', () => {
    for (const table of Object.keys(caps)) {
      const rows = (['free', 'pro', 'enterprise'] as const).map((plan) => rowsOf(caps, table, plan, defaultLimits))
      expect(rows.every((count) => Number.isFinite(count) && count >= 0)).toBe(true)
      expect(rows.toSorted((a, b) => a - b)).toEqual(rows)
    }
  })

  test('follow from the limits', () => {
    const fewer = { ...defaultLimits, ofPlan: { ...defaultLimits.ofPlan, animals: { free: 1, pro: 1, enterprise: 1 } } }
    const sizeOf = (limits: typeof defaultLimits) =>
      figuresOf(caps, 'free', limits).find(({ table }) => table === 'pets')?.bytes
    expect(sizeOf(fewer)).toBe(4500)
    expect(occupiedByFreeAccount(caps, fewer).total).toBeLessThan(occupiedByFreeAccount(caps, defaultLimits).total)
  })
})
