// Certificates for the platform's own names, from a real authority (pebble) and a real nameserver
// (knot), which lets our key change nothing but the TXT record of the challenge. The small version of
// `npm run ship -- --only renewals`.

import { X509Certificate } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewalFault, renewUnderHandshakes } from '../testbed/ship/wildcard-renewal.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { startPlatformNames, type PlatformNamesEnvironment } from '../testbed/harness/platform-names.ts'
import { visit, visitPlainly } from '../testbed/harness/visitor.ts'
import { openDnsUpdates } from '../server/src/foundation/dns/update.io.ts'
import { statement } from '../server/src/foundation/postgres/postgres.io.ts'
import { readUpdateKey, readUpdateServer } from '../server/src/platform-names/settings.ts'

const [SITE, SERVICE, WILDCARD] = ['happy-paws.petstore.test', 'app.petstore.test', '*.petstore.test']

/** Longer than the first delay of a retry. */
const RETRIED_MS = 150_000

const ordersRow = statement<{ hostname: string }, []>(
  'test-orders',
  `select hostname
   from certificate_orders`,
)

let names: PlatformNamesEnvironment
beforeAll(async () => {
  names = await startPlatformNames((await cloneDatabase()).appUrl)
})
afterAll(() => names?.close())

const kindOf = async (hostname: string) => (await names.route(hostname))?.kind

test('per host: a published site is served over HTTPS, and plain HTTP leads there', async () => {
  const { environment } = names
  const [edge] = environment.edges
  const at = { address: edge?.address ?? '', ca: await environment.pebble.rootPem() }
  const plainly = () => visitPlainly({ ...at, port: environment.httpPort }, SITE)
  await expect.poll(async () => (await plainly()).status).toBe(200)
  const work = await names.work({ PLATFORM_TLS: 'per-host' })
  await names.publish()
  await expect.poll(() => kindOf(SITE)).toBe('site')
  await expect.poll(async () => (await visit({ ...at, port: environment.httpsPort }, SITE)).status).toBe(200)
  await expect.poll(async () => (await plainly()).headers.location).toBe(`https://${SITE}/`)
  await work.stop()
  expect(work.reports).toEqual([])
})

test('the name of the dashboard and the API has a certificate, and so has the wildcard, by an executable', async () => {
  const { world } = names.environment
  const hook = join(world.directory, 'hook')
  const [address = '', port = ''] = world.challengeUpdates.server.split(':')
  const lines = [
    '#!/bin/sh',
    '[ "$1" = present ] && change="add $2. 1 TXT $3" || change="delete $2. TXT $3"',
    `printf 'server ${address} ${port}\\nzone petstore.test.\\nupdate %s\\nsend\\n' "$change" | nsupdate -k ${world.updateKeyFile}`,
  ]
  await writeFile(hook, `${lines.join('\n')}\n`)
  await chmod(hook, 0o700)
  const work = await names.work({
    PLATFORM_TLS: 'wildcard',
    DNS_UPDATE_HOOK: hook,
    DASHBOARD_ORIGIN: `https://${SERVICE}`,
  })
  await expect.poll(() => kindOf(SERVICE)).toBe('service')
  // An attempt that failed is repeated after a minute; then the reports say what was wrong.
  await expect.poll(() => kindOf(WILDCARD), { timeout: RETRIED_MS }).toBe('wildcard')
  // The site needs its own certificate no longer.
  await names.publish()
  await expect.poll(() => kindOf(SITE)).toBe('gone')
  await work.stop()
  // The authority's resolver may not show the record yet, although all nameservers do; that attempt is repeated.
  expect(work.reports.filter((report) => !report.includes('No TXT records found'))).toEqual([])
  const orders = (await names.database.run(ordersRow)).map(({ hostname }) => hostname)
  expect(new Set(orders)).toEqual(new Set([SITE, SERVICE, WILDCARD]))
  const { chain = '' } = (await names.certificate(WILDCARD)) ?? {}
  expect(new X509Certificate(chain).subjectAltName).toBe(`DNS:${WILDCARD}`)
})

test('the key of the platform can change nothing but its challenges (negative control)', async () => {
  const server = readUpdateServer(names.byUpdate.DNS_UPDATE_SERVER)
  const key = readUpdateKey(names.byUpdate.DNS_UPDATE_KEY)
  if (!server || !key) throw new Error('there are settings for updates')
  const change = openDnsUpdates({ ...server, key })
  expect(await change('add', '_acme-challenge.petstore.test', 'value')).toBeUndefined()
  expect(await change('remove', '_acme-challenge.petstore.test', 'value')).toBeUndefined()
  expect(await change('add', 'other.petstore.test', 'value')).toMatch(/rejected the update of other\.petstore\.test/)
  expect(await change('add', '_acme-challenge.elsewhere.test', 'value')).toContain('has no zone')
  const unknown = openDnsUpdates({ ...server, key: { ...key, name: 'unknown' } })
  expect(await unknown('add', '_acme-challenge.petstore.test', 'value')).toContain('BADKEY')
  const nowhere = openDnsUpdates({ address: '127.0.53.7', port: server.port, key })
  expect(await nowhere('add', '_acme-challenge.petstore.test', 'value')).toContain('ECONNREFUSED')
})

test('a wildcard by RFC 2136 is renewed without a failed handshake; a wrong key is reported at once', async () => {
  const { appUrl } = await cloneDatabase()
  const measured = await renewUnderHandshakes(appUrl, { renewals: 2, handshakes: 200 })
  expect(renewalFault(measured, 2)).toBeUndefined()
})
