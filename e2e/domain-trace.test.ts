// The domain trace of `/platform/v1`, tested on the whole test internet: real certificates,
// an edge behind Caddy, and a redirect that was saved a moment ago.

import type { DomainTrace } from '@petstore-platform/contract/platform/domain-tracing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEnvironment, type Environment } from '../testbed/harness/full-environment.ts'
import { until } from '../testbed/internet/processes.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { requestDomains } from './request-domains.ts'

const ZONE = 'willow-street.test'
const [SHOP, OLD] = [`shop.${ZONE}`, `old.${ZONE}`]

let environment: Environment

beforeAll(async () => {
  const records = ['shop', 'old'].map((label) => `${label} CNAME happy-paws.petstore.test.`)
  const servers = [
    { name: `ns1.${ZONE}`, role: 'first' as const },
    { name: `ns2.${ZONE}`, role: 'second' as const },
  ]
  environment = await startEnvironment((await cloneDatabase()).appUrl, {
    world: { zones: [{ zone: ZONE, servers, records }] },
  })
  for (const hostname of [SHOP, OLD]) await request('POST', '', { hostname })
  for (const hostname of [SHOP, OLD]) {
    await until(
      `${hostname} is live`,
      async () => (await request<Shown>('GET', `/${hostname}`)).status === 'live',
      60_000,
    )
  }
})
afterAll(() => environment?.close())

type Shown = { status: string }

const request = <T>(method: string, path: string, body?: object) =>
  requestDomains<T>(environment.service, method, path, body)
const trace = (hostname: string) => request<DomainTrace>('GET', `/${hostname}/trace`)

test('the trace of a live domain shows one redirect, to HTTPS', async () => {
  const { outcome, hops } = await trace(SHOP)
  expect([outcome, hops.map(({ url, status }) => [url, status])]).toEqual([
    'arrives',
    [
      [`http://${SHOP}/`, 301],
      [`https://${SHOP}/`, 200],
    ],
  ])
  expect(hops[1]).toMatchObject({ address: '127.0.80.1', certificateUntil: expect.stringMatching(/Z$/) as string })
  expect(hops[1]?.hsts).toContain('max-age=')
})

test('the trace shows a redirect as soon as it is saved and served', async () => {
  const { version } = await request<{ version: number }>('GET', '/settings')
  // The domain that went live first is primary now.
  await request('PUT', '/redirects', { version, primary: SHOP, redirects: [{ from: OLD, to: SHOP, status: 302 }] })
  const leads = async () => (await trace(OLD)).hops.at(-1)?.url === `https://${SHOP}/`
  await until('the redirect is served', leads, 10_000)
  const { outcome, hops } = await trace(OLD)
  expect(outcome).toBe('arrives')
  expect(hops.some(({ status, location }) => status === 302 && location === `https://${SHOP}/`)).toBe(true)
})
