// `npm run world` as a person uses it: a store, its owner and the registrar in three
// terminals, and a visitor who sees the domain come and go.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askingAt, demoOwner } from '../server/dev/demo.ts'
import { visit, visitPlainly, type Met } from '../server/dev/visitor.ts'

const HOST = 'shop.willow-street.test'
const root = join(import.meta.dirname, '..')
const TMPDIR = mkdtempSync(join(tmpdir(), 'walk-'))
const env = { PATH: process.env['PATH'], TMPDIR }

type Ran = { code: number; text: string }
type Ready = {
  ports: { web: number; webTls: number }
  settings: string
  store: { rootPem: string; dashboard: string; slug: string }
}

const run = (file: string, ...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...file.split(' '), ...words], { env, cwd: root }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, text: `${out}${err}`.trim() }),
    )
  })
const owner = (...words: readonly string[]) => run('server/dev/world/owner.ts', ...words)
const zone = (...words: readonly string[]) => run('server/dev/world/zone.ts', 'willow-street.test', ...words)

let ready: Ready
let end: () => Promise<unknown>

beforeAll(async () => {
  const world = spawn(process.execPath, ['server/dev/world/main.ts', '--json'], {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(world, 'exit')
  end = () => {
    world.kill('SIGTERM')
    return exited
  }
  const gone = exited.then(() => Promise.reject(new Error('the world did not start')))
  // Later it is meant to end.
  gone.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(world.stdout), 'line'), gone])) as [string]
  ready = JSON.parse(line) as Ready
  writeFileSync(join(TMPDIR, 'root.pem'), ready.store.rootPem)
})
afterAll(async () => {
  await end()
  rmSync(TMPDIR, { recursive: true, force: true })
})

const secure = () => ({ address: '127.0.80.1', port: ready.ports.webTls, ca: ready.store.rootPem })
const plain = () => ({ address: '127.0.80.1', port: ready.ports.web })

function trace(url: string): Promise<Ran> {
  const places = [
    '--resolve',
    `*:80:127.0.80.1:${ready.ports.web}`,
    '--resolve',
    `*:443:127.0.80.1:${ready.ports.webTls}`,
  ]
  const program = `--env-file=${ready.settings} server/src/main.ts domains trace`
  return run(program, url, '--ca', join(TMPDIR, 'root.pem'), ...places)
}

/** The browser of this world maps port 80 and port 443 of every `*.test`, and nothing else. */
function follow(link: string): Promise<Met> {
  const { protocol, hostname, port, pathname } = new URL(link)
  if (port !== '') throw new Error(`a visitor of this world reaches no port ${port}`)
  const options = { path: pathname }
  return protocol === 'https:' ? visit(secure(), hostname, options) : visitPlainly(plain(), hostname, options)
}

test('By default a project is published at a subdomain of the hosting platform', async () => {
  const { dashboard, slug } = ready.store
  const ask = askingAt(new URL('/platform/v1', dashboard).href, { Origin: new URL(dashboard).origin })
  await ask('POST', '/session', { email: demoOwner.email, password: demoOwner.password })
  const { siteUrl } = (await ask('GET', `/projects/${slug}`)) as { siteUrl: string }
  expect(new URL(siteUrl).hostname).toBe(`${slug}.petstore.test`)
  expect(await follow(siteUrl)).toMatchObject({
    status: 200,
    body: expect.stringContaining('Willow Street Animal Shelter'),
  })
  // Negative control: default addresses have no certificate in this world.
  const other = siteUrl.startsWith('https:') ? siteUrl.replace('https:', 'http:') : siteUrl.replace('http:', 'https:')
  expect(await follow(other)).toMatchObject({ status: 0 })
})

test('a domain is added, corrected, live, removed and added back, by the commands of the guide', async () => {
  expect((await owner('list')).text).toBe('There are no domains yet.')
  expect((await owner('add', HOST)).text).toMatch(/: action_required\n {2}dns\.conflict_a: [^]*record {2}CNAME {2}shop/)
  expect(await visit(secure(), HOST)).toMatchObject({ status: 0 })
  expect(await trace(HOST)).toMatchObject({ code: 1, text: expect.stringContaining('not attached to a project') })

  expect((await zone('set', 'shop', 'CNAME', 'happy-paws.petstore.test')).code).toBe(0)
  expect((await owner('verify', HOST)).text).toMatch(/: (issuing|live)/)
  expect((await owner('watch', HOST)).text).toMatch(/: live\n[^]*certificate of letsencrypt\.org/)
  expect(await visit(secure(), HOST)).toMatchObject({
    status: 200,
    issuer: expect.stringContaining('Pebble'),
    body: expect.stringContaining('Willow Street Animal Shelter'),
  })
  expect((await visitPlainly(plain(), HOST, { path: '/a?b=%20' })).headers.location).toBe(`https://${HOST}/a?b=%20`)
  expect(await trace(HOST)).toMatchObject({ code: 0, text: expect.stringMatching(/\nfine: .* in one hop/) })
  const { serial } = await visit(secure(), HOST)

  expect((await owner('remove', HOST)).text).toBe(`${HOST} is removed on 1 of 1 servers.`)
  expect(await visit(secure(), HOST)).toMatchObject({ status: 0 })
  expect(await visitPlainly(plain(), HOST)).toMatchObject({ status: 421 })

  expect((await owner('add', HOST)).code).toBe(0)
  expect((await owner('watch', HOST)).text).toContain(`${HOST}: live`)
  // Without a new order: it is the certificate of before.
  expect(await visit(secure(), HOST)).toMatchObject({ status: 200, serial })
})

test('its owner signs in at the dashboard, from the address that the world names and from no other', async () => {
  const { dashboard } = ready.store
  expect(await (await fetch(dashboard)).text()).toContain('<title>Petstore</title>')
  const { email, password } = demoOwner
  const signIn = (origin: string) =>
    fetch(new URL('/platform/v1/session', dashboard), {
      method: 'POST',
      headers: { Origin: origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
  expect((await signIn(new URL(dashboard).origin)).status).toBe(200)
  expect((await signIn(new URL(dashboard).origin.replace('localhost', '127.0.0.1'))).status).toBe(403)
})

test('mistakes are answered with sentences', async () => {
  expect(await owner('dance')).toMatchObject({ code: 1, text: expect.stringContaining('npm run owner -- add') })
  expect(await owner('show', 'nobody.test')).toMatchObject({ code: 1, text: expect.stringMatching(/^not_found: /) })
  const elsewhere = await run('server/dev/world/main.ts')
  expect(elsewhere).toMatchObject({ code: 1, text: 'A world of yours runs already. End it first (Ctrl-C there).' })
})
