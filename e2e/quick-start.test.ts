// Quick start: `npm run dev`, signing in as the owner that it prints, adding a custom domain up
// to the record that must be created, and every command of the README.
//
//   UPDATE_DOCS=1   writes the actual output into the README where it differs

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { platformClient } from '../devserver/demo.ts'
import { exchange } from '../testbed/harness/http.ts'
import { envOf } from '../testbed/harness/service-environment.ts'
import { startWorld } from '../testbed/internet/world.ts'
import { startDevTerminal, type DevTerminal } from './dev-terminal.ts'
import { inShell, walk } from './guide/walk.ts'
import { childEnv } from '../testbed/harness/child-env.ts'

const root = join(import.meta.dirname, '..')
let dev: DevTerminal

beforeAll(async () => {
  dev = await startDevTerminal()
})
afterAll(() => dev?.stop())

type DnsRecord = { type: string; name: string; value: string }

async function signedIn() {
  const [, email, password] = /^(\S+), password "(.+)"$/.exec(dev.line('Owner')) ?? []
  const [platform = ''] = dev.line('Platform').split(' ')
  const ask = platformClient(platform, { Origin: new URL(dev.line('Dashboard')).origin })
  await ask('POST', '/session', { email, password })
  return ask
}

test('the owner printed by npm run dev adds a domain and gets its record', async () => {
  const ask = await signedIn()
  expect(await ask('GET', '/projects/demo')).toMatchObject({ plan: 'pro', siteUrl: dev.line('Site') })
  // No nameserver answers here, and the record is shown nevertheless.
  const { records } = (await ask('POST', '/projects/demo/domains', { hostname: 'shop.example.org' })) as {
    records: DnsRecord[]
  }
  expect(records).toEqual([expect.objectContaining({ type: 'CNAME', name: 'shop', value: 'demo.localhost' })])
  // Negative control: a store that its owner has created is on Free.
  await ask('POST', '/projects', { slug: 'small-shop', name: 'Small Shop' })
  expect(await ask('GET', '/projects/small-shop')).toMatchObject({ plan: 'free' })
})

test('an animal that is added with a profile and a photo is on the site, and on /v1 as any other', async () => {
  const ask = await signedIn()
  const { id } = await ask('POST', '/projects/demo/animals', { name: 'Bandit', categoryId: 9 })
  const animal = `/projects/demo/animals/${String(id)}`
  await ask('PUT', `${animal}/profile`, { ...emptyProfile, headline: 'Steals hearts and socks', breed: 'Whippet' })
  const jpeg = await readFile(join(root, 'devserver/demo-photos/wren-1.jpg'))
  const { digest } = await ask('POST', `${animal}/photos`, new Blob([jpeg], { type: 'image/jpeg' }))
  const site = dev.line('Site')
  const { host, port } = new URL(site)
  // Not every system knows names below localhost.
  const visit = (path: string) => exchange(`http://127.0.0.1:${port}`, { path, headers: { Host: host } })
  const readPage = async () => (await visit(`/animals/bandit-${String(id)}`)).text
  await expect.poll(readPage, { timeout: 60_000, interval: 200 }).toContain(`/photos/${String(digest)}/1-640.webp 640w`)
  const page = await readPage()
  expect(page).toContain('<meta name="description" content="Steals hearts and socks')
  expect(page).toContain(`<meta property="og:image" content="${site}/photos/${String(digest)}/1-shared.jpg"`)
  // A shelter sells nothing, so its data is that of the shelter.
  expect((await visit('/')).text).toMatch(/<script type="application\/ld\+json">[^<]*"@type":"AnimalShelter"/)
  const photo = await visit(`/photos/${String(digest)}/1-640.webp`)
  expect([photo.status, photo.headers['content-type']]).toEqual([200, 'image/webp'])
  const asKey = { Authorization: `Bearer ${dev.line('API key')}` }
  const pet = await fetch(`${dev.line('API')}/pets/${String(id)}`, { headers: asKey })
  expect(await pet.text()).toBe(`{"id":${String(id)},"name":"Bandit","categoryId":9,"status":"available"}`)
})

test("the operator's command works as printed", async () => {
  const { stdout } = await promisify(execFile)('sh', ['-c', dev.line('Operator')], {
    cwd: root,
    env: childEnv,
  })
  expect(stdout).toBe('demo is already on the plan pro.\n')
})

/** The zones of the documents, as in the real DNS: they exist and have no shop. */
const zones = [
  { zone: 'example.net', records: [] },
  { zone: 'petstore.site', records: ['happy-paws A 127.0.80.1'] },
]
const CHECK = 'node server/src/main.ts domains check shop.example.net --target happy-paws.petstore.site'
const TRACE = 'node server/src/main.ts domains trace http://shop.example.net'

test('README.md: every command prints what the document shows', async () => {
  const world = await startWorld({ zones })
  const env = { ...childEnv, ...envOf(world), API: dev.line('API'), KEY: dev.line('API key') }
  // Otherwise curl exits with 0 whatever the response is.
  const shell = inShell('curl() { command curl --fail --silent --show-error "$@"; }', env)
  try {
    const problems = await walk('README.md', {
      runs: [/^npm run dev$/, /^curl .*"\$API\/pets/, /^node server\/src\/main\.ts domains /],
      exempt: {
        'npm ci': 'CI begins with it, in a clean checkout',
        'npm run check': 'CI runs each of its steps',
        'npm run test:e2e': 'these tests are among them',
        'npm test': 'CI runs it; this test is part of it',
      },
      codes: { [CHECK]: [1], [TRACE]: [1] },
      run: (command) => (command === 'npm run dev' ? Promise.resolve({ code: 0, text: dev.printed }) : shell(command)),
    })
    expect(problems.join('\n\n')).toBe('')
  } finally {
    await world.close()
  }
})
