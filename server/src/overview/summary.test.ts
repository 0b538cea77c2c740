// Groups of domains, setup steps, the history and bounded counts, without any project.

import { domainStatuses, type ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { COUNT_MAX, HISTORY_DAYS } from '@petstore-platform/contract/platform/overview'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { bounded, domainGroups, historyOf, stepsOf } from './summary.ts'

const none = { live: 0, waiting: 0, needAction: 0, others: 0 }

test.each([
  ['live', 'live'],
  ['verifying', 'waiting'],
  ['waiting', 'waiting'],
  ['issuing', 'waiting'],
  ['pending_dns', 'needAction'],
  ['action_required', 'needAction'],
  ['degraded', 'needAction'],
  ['paused', 'others'],
  ['dormant', 'others'],
] as const)('a domain that is %s belongs to %s', (status, group) => {
  expect(domainGroups([status])).toEqual({ ...none, [group]: 1 })
})

test('every status belongs to one group, and all of them are counted', () => {
  const counts = domainGroups([...domainStatuses, ...domainStatuses])
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(2 * domainStatuses.length)
  expect(domainGroups([])).toEqual(none)
})

test.each([
  [0, { count: 0, isMore: false }],
  [COUNT_MAX, { count: COUNT_MAX, isMore: false }],
  [COUNT_MAX + 1, { count: COUNT_MAX, isMore: true }],
])('a count of %d is reported as %j', (counted, told) => {
  expect(bounded(counted)).toEqual(told)
})

const nothing = {
  hasAnimals: false,
  site: firstSettings('Happy Paws'),
  hasLogo: false,
  isPublished: false,
  includesDomains: false,
  domains: [] as ShownStatus[],
}
const done = (reached: typeof nothing) =>
  stepsOf(reached)
    .filter(({ isDone }) => isDone)
    .map(({ step }) => step)

test('the steps are in order, and none of them is done in a new project', () => {
  const steps = ['animals', 'contact', 'about', 'look', 'publish', 'plan', 'domain', 'live']
  expect(stepsOf(nothing).map(({ step }) => step)).toEqual(steps)
  expect(done(nothing)).toEqual([])
})

test.each([
  [{ hasAnimals: true }, ['animals']],
  [{ site: { ...nothing.site, contact: { ...nothing.site.contact, phone: '030 1234567' } } }, ['contact']],
  [{ site: { ...nothing.site, about: 'Open on Saturdays.' } }, ['about']],
  [{ site: { ...nothing.site, about: ' \n' } }, []],
  [{ site: { ...nothing.site, look: 'journal' as const } }, ['look']],
  [{ site: { ...nothing.site, themeColor: '#086d50' } }, ['look']],
  [{ hasLogo: true }, ['look']],
  [{ isPublished: true }, ['look', 'publish']],
  [{ includesDomains: true }, ['plan']],
  [{ domains: ['pending_dns'] as const }, ['domain']],
  [{ domains: ['waiting', 'live'] as const }, ['domain', 'live']],
])('%j does %j', (reached, steps) => {
  expect(done({ ...nothing, ...reached, domains: [...('domains' in reached ? reached.domains : [])] })).toEqual(steps)
})

test('a domain that has gone live stays done when it has a trouble', () => {
  expect(done({ ...nothing, domains: ['degraded'] })).toEqual(['domain', 'live'])
})

test('a project without orders has no history', () => {
  expect(historyOf([])).toEqual({ orders: [], homes: [] })
})

test('the history begins with the first order and ends today, with zeros between', () => {
  const rows = [
    { daysAgo: 1, orders: 0, homes: 1 },
    { daysAgo: 3, orders: 2, homes: 0 },
  ]
  expect(historyOf(rows)).toEqual({ orders: [2, 0, 0, 0], homes: [0, 0, 1, 0] })
})

test('the history leaves out what is older than its days, and then is complete', () => {
  const older = { daysAgo: HISTORY_DAYS, orders: 40, homes: 9 }
  const { orders, homes } = historyOf([{ daysAgo: 0, orders: 1, homes: 0 }, older])
  expect([orders.length, homes.length]).toEqual([HISTORY_DAYS, HISTORY_DAYS])
  expect([orders.at(-1), orders[0], homes[0]]).toEqual([1, 0, 0])
})
