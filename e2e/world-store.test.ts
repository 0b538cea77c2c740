// `npm run world` by the guides: runs their commands as written, with a store, its owner, the
// registrar and a visitor.
//
//   UPDATE_DOCS=1   writes the actual output into the guides where it differs

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformClient, demoOwner } from '../devserver/demo.ts'
import { visit, visitPlainly, type Met } from '../testbed/harness/visitor.ts'
import { inShell, npmWords, walk, type Ran } from './guide/walk.ts'
import { startRunningWorld, type RunningWorld, type StoreReady } from './guide/world.ts'
import { childEnv } from '../testbed/harness/child-env.ts'

const root = join(import.meta.dirname, '..')
const TMPDIR = mkdtempSync(join(tmpdir(), 'walk-'))
const env = { ...childEnv, HOME: TMPDIR, TMPDIR }

const run = (file: string, ...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...words], { env, cwd: root }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, text: `${out}${err}`.trim() }),
    )
  })
const owner = (...words: readonly string[]) => run('testbed/internet/main.ts', 'owner', ...words)

let world: RunningWorld<StoreReady>
let ready: StoreReady

beforeAll(async () => {
  world = await startRunningWorld(env)
  ready = world.ready
})
afterAll(async () => {
  await world?.stop()
  rmSync(TMPDIR, { recursive: true, force: true })
})

const secure = () => ({ address: '127.0.80.1', port: ready.ports.webTls, ca: ready.store.rootPem })
const plain = () => ({ address: '127.0.80.1', port: ready.ports.web })

/** The browser of the test internet maps ports 80 and 443 of every `*.test`, and nothing else. */
function follow(link: string): Promise<Met> {
  const { protocol, hostname, port, pathname } = new URL(link)
  if (port !== '') throw new Error(`a visitor of this world reaches no port ${port}`)
  const options = { path: pathname }
  return protocol === 'https:' ? visit(secure(), hostname, options) : visitPlainly(plain(), hostname, options)
}

test('By default a project is published at a subdomain of the hosting platform', async () => {
  const { dashboard, slug } = ready.store
  const ask = platformClient(new URL('/platform/v1', dashboard).href, { Origin: new URL(dashboard).origin })
  await ask('POST', '/session', { email: demoOwner.email, password: demoOwner.password })
  const { siteUrl } = (await ask('GET', `/projects/${slug}`)) as { siteUrl: string }
  expect(new URL(siteUrl).hostname).toBe(`${slug}.petstore.test`)
  expect(await follow(siteUrl)).toMatchObject({
    status: 200,
    body: expect.stringContaining('Willow Street Animal Shelter'),
  })
  // Negative control: default addresses have no certificate in the test internet.
  const other = siteUrl.startsWith('https:') ? siteUrl.replace('https:', 'http:') : siteUrl.replace('http:', 'https:')
  expect(await follow(other)).toMatchObject({ status: 0 })
})

/** The guides begin by starting the test internet in another terminal and loading its shell functions in this one. */
const beginning = [/^npm run world( -- --dns)?$/, /^\. \/tmp\/petstore-world-\S+\/world\.sh$/]
const begun = { code: 0, text: '' }

/** Headless browser that prints the page. */
const chromium = 'chromium() { command chromium --headless --no-sandbox --disable-gpu --dump-dom "$@" 2>/dev/null; }'
/** These commands exit with 0 whatever the page is. */
const page = /^(curl|chromium) /

test('docs/try-custom-domains.md: every command prints what the guide shows, from Add domain to adding it again', async () => {
  const words = `. ${ready.shell}\n${npmWords('world')}\n${chromium}`
  const shell = inShell(words, env)
  const problems = await walk('docs/try-custom-domains.md', {
    runs: [...beginning, /^npm run world -- (owner|zone) /, /^(visit|trace|petstore) /, page],
    exempt: {
      'npm run world -- owner show www.willow-street.test':
        'drift is confirmed after ten minutes; custom-domains.test.ts does it with a clock that it moves',
    },
    codes: {
      'trace https://shop.willow-street.test/': [1],
      'npm run world -- owner primary www.willow-street.test': [1, 0],
      'visit -I https://www.willow-street.test/': [0, 35],
      'trace www.willow-street.test': [1],
    },
    async run(command) {
      if (beginning.some((one) => one.test(command))) return begun
      const ran = await shell(command)
      const isMissing = page.test(command) && !ran.text.includes('Willow Street Animal Shelter')
      return isMissing ? { ...ran, code: -1 } : ran
    },
  })
  expect(problems.join('\n\n')).toBe('')
})

test('docs/try-domains.md: every command prints what the guide shows, with DNS alone', async () => {
  const elsewhere = { ...env, TMPDIR: join(TMPDIR, 'dns') }
  mkdirSync(elsewhere.TMPDIR)
  const dns = await startRunningWorld(elsewhere, '--dns')
  try {
    const shell = inShell(`. ${dns.ready.shell}\n${npmWords('world')}`, elsewhere)
    const problems = await walk('docs/try-domains.md', {
      runs: [...beginning, /^npm run world -- zone /, /^(lookup|petstore) /],
      codes: { 'petstore domains check shop.willow-street.test --target happy-paws.petstore.test': [1, 0] },
      run: (command) => (beginning.some((one) => one.test(command)) ? Promise.resolve(begun) : shell(command)),
    })
    expect(problems.join('\n\n')).toBe('')
  } finally {
    await dns.stop()
  }
})

test('the demo owner can sign in from the printed dashboard address and from no other origin', async () => {
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

test('npm run world explains mistakes in its arguments', async () => {
  expect(await owner('dance')).toMatchObject({ code: 1, text: expect.stringContaining('npm run world -- owner add') })
  expect(await owner('show', 'nobody.test')).toMatchObject({ code: 1, text: expect.stringMatching(/^not_found: /) })
  const elsewhere = await run('testbed/internet/main.ts')
  expect(elsewhere).toMatchObject({ code: 1, text: 'A world of yours runs already. End it first (Ctrl-C there).' })
})
