// From a visitor to the database and back, over both servers: a site under a domain of its
// own is exactly as it is at its default address, accepts reservations, and names its
// canonical address.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { contextOf } from '../../src/program/context.ts'
import type { RunningControl } from '../../src/program/control.ts'
import { openControl } from '../../src/program/serve.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { addEdge } from '../../src/fleet/edge-tokens.io.ts'
import { putRoute } from '../../src/fleet/directory.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { hrefOfFile, siteFiles } from '../../src/sites/pages/site-files.ts'
import { asProject } from '../v1/responses.ts'
import { exchange, type RawRequest } from '../../../testbed/harness/http.ts'
import { temporaryFolderOf } from './environment.ts'
import { PLATFORM_HOST, eventually, startTestEdge, type Store, type TestEdge } from '../sites/environment.ts'

const HOST = 'shop.example:8443'
let local: TestEdge
let north: Store
let rex = 0n
let control: RunningControl | undefined
let edge: RunningEdge
let folder: Awaited<ReturnType<typeof temporaryFolderOf>>

beforeAll(async () => {
  local = await startTestEdge()
  north = await local.store('north', contentWith({ title: 'North Shelter', languages: ['de'] }))
  await local.store('quiet', null)
  ;[rex = 0n] = await north.addAnimals({ name: 'Rex' })
  const { database } = local
  const config = parseConfig({
    DATABASE_URL: local.clone.appUrl,
    CONTROL_PORT: '0',
    PLATFORM_HOST,
    RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '3',
  })
  control = await openControl(contextOf(config, database), { logger: { level: 'silent' } })
  const { token } = await addEdge({ run: database.run, newId, randomBytes }, 'edge-1')
  for (const hostname of ['shop.example', 'second.example']) {
    await putRoute(database.run, hostname, 1n, { kind: 'site', slug: 'north', serial: 'ab' })
  }
  folder = await temporaryFolderOf()
  edge = await startEdge(
    parseConfig({
      DATABASE_URL: 'postgresql://nobody.invalid/none',
      PLATFORM_HOST,
      EDGE_PORT: '0',
      EDGE_CONTROL_URL: `http://127.0.0.1:${control?.port}`,
      EDGE_TOKEN: token,
      EDGE_KEY: Buffer.alloc(32, 7).toString('base64'),
      EDGE_DIRECTORY: folder.directory,
      EDGE_CERTIFICATE_PORT: '0',
    }),
    { logger: { level: 'silent' } },
  )
  await eventually(
    () => visit('/'),
    ({ status }) => status === 200,
  )
})
afterAll(async () => {
  await edge.stop()
  await control?.stop()
  await folder.remove()
})

function visit(path: string, { headers = {}, ...sent }: Partial<RawRequest> = {}) {
  const given = { Host: HOST, 'X-Forwarded-Proto': 'https', ...headers }
  return exchange(`http://127.0.0.1:${edge.port}`, { ...sent, path, headers: given })
}

async function reserve(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await visit(`/animals/rex-${rex}`)).text) ?? []
  return visit(`/animals/rex-${rex}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token, website: '', ...fields }).toString(),
  })
}

test('every page is the same, byte for byte, as at the default address', async () => {
  for (const path of [
    '/',
    `/a/${rex}`,
    `/animals/rex-${rex}`,
    `/animals/max-${rex}`,
    '/animals?sex=female',
    '/?before=5',
    '/nothing',
    '/de',
    '/de/',
    `/de/animals/rex-${rex}`,
    `/de/a/${rex}`,
    '/de/animals?sex=female',
    '/de/nothing',
    '/de/thanks',
    '/en/animals',
    '/fr/',
    '/a/%zz',
    '/robots.txt',
    '/sitemap.xml',
    '/favicon.svg',
    '/thanks',
    ...siteFiles.map(hrefOfFile),
  ]) {
    const [here, there] = await Promise.all([visit(path), north.get(path)])
    expect([path, here.status, here.text]).toEqual([path, there.status, there.text])
    for (const name of ['content-type', 'location', 'etag', 'cache-control', 'vary', 'content-security-policy']) {
      expect([path, name, here.headers[name]]).toEqual([path, name, there.headers[name]])
    }
  }
})

test('a default address is served as well, and one that no project has is misdirected', async () => {
  const at = (host: string) => visit('/', { headers: { Host: host } })
  expect((await at('north.petstore.test:3080')).text).toContain('North Shelter')
  expect((await at('quiet.petstore.test:3080')).status).toBe(404)
  const nobody = await at('nobody.petstore.test:3080')
  expect([nobody.status, nobody.headers.connection]).toEqual([421, 'close'])
})

test('a form must come from the visited host', async () => {
  const foreign = await reserve({}, { Origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  const atAnother = await reserve({}, { Origin: 'https://second.example' })
  expect(atAnother.status).toBe(403)
  const own = await reserve({}, { Origin: `https://${HOST}`, 'Sec-Fetch-Site': 'same-origin' })
  expect(own.status).toBe(422)
})

test('the rate limit of forms counts each visitor separately', async () => {
  const from = (address: string) => reserve({}, { 'X-Forwarded-For': address })
  for (let count = 0; count < 3; count += 1) expect((await from('203.0.113.1')).status).toBe(422)
  const over = await from('203.0.113.1')
  expect([over.status, Number(over.headers['retry-after']) > 0]).toEqual([429, true])
  expect((await from('203.0.113.2')).status).toBe(422)
})

test('an animal can be asked for, and the next visitor sees that it is held', async () => {
  // By this rule, the first request holds the animal.
  await asProject(local.clone, north.project, async (client) => {
    await client.query(
      `insert into request_settings (project_id, hold_rule, hold_days, shows_request_count)
       values ($1, 'on_first_request', 7, false)`,
      [north.project],
    )
  })
  // Cached by the edge until the form is sent.
  for (const path of ['/', `/de/animals/rex-${rex}`]) expect((await visit(path)).text).toContain('Rex')
  const reserved = await reserve(
    { name: 'Ann', contact: 'ann@example.com', message: '' },
    { 'X-Forwarded-For': '203.0.113.3', Origin: `https://${HOST}` },
  )
  expect([reserved.status, reserved.headers.location]).toEqual([303, `/thanks?animal=${rex}`])
  expect((await visit(`/animals/rex-${rex}`)).text).toContain('Reserved')
  expect((await visit(`/de/animals/rex-${rex}`)).text).toContain('Reserviert')
})

test('pages name the primary domain while visitors are served there, and the default address otherwise', async () => {
  const sitemapOf = async () => /Sitemap: (\S+)/.exec((await visit('/robots.txt')).text)?.[1]
  const seen = (wanted: string) => eventually(sitemapOf, (found) => found === wanted)
  const byDefault = `http://north.${PLATFORM_HOST}/sitemap.xml`
  expect(await sitemapOf()).toBe(byDefault)
  const change = (text: string) =>
    asProject(local.clone, north.project, async (client) => void (await client.query(text, [north.project])))

  await change(
    `insert into domains (project_id, id, hostname, token, token_generation, next_look_at)
     values ($1, 'dom_0123456789abcdef01234567', 'shop.example', repeat('t', 30), 0, now())`,
  )
  await change(
    `insert into domain_settings (project_id, primary_id) values ($1, 'dom_0123456789abcdef01234567')
     on conflict (project_id) do update set primary_id = excluded.primary_id`,
  )
  const startedAt = performance.now()
  while (performance.now() - startedAt < 1000) expect(await sitemapOf()).toBe(byDefault)

  await change(
    `update domains set ownership = 'proven', generation = 1, certificate = 'deployed', routing = 'pointing'
     where project_id = $1`,
  )
  const changedAt = performance.now()
  expect(await seen('https://shop.example/sitemap.xml')).toBe('https://shop.example/sitemap.xml')
  expect(performance.now() - changedAt).toBeLessThan(1000)
  expect((await visit('/sitemap.xml')).text).toContain('<loc>https://shop.example/</loc>')

  await change(`update domains set rest = 'paused' where project_id = $1`)
  expect(await seen(byDefault)).toBe(byDefault)
})
