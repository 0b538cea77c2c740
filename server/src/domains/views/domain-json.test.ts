import { expect, test } from 'vitest'
import { domainOf } from '../../../../testbed/catalogue/domains.ts'

const NOW = Date.UTC(2027, 0, 1)

test('the last check is shown with its own time, also if it found the same as the check whose evidence is stored', () => {
  const at = (checkedAt: number | null) => domainOf(NOW, { life: { checkedAt } }).evidenceAt
  expect(at(NOW - 1000)).toBe(new Date(NOW - 1000).toISOString())
  expect(at(null)).toBe(new Date(NOW - 60_000).toISOString())
})
