// The dashboard's routes without a browser: its addresses, its security headers, caching,
// and that no request path reaches the file system.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dashboardPaths } from '@petstore-platform/contract/platform/dashboard-paths'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboardRoutes } from './dashboard-routes.ts'

const html = '<!doctype html><script type="module" src="/assets/index.0123456789.js"></script>'
const script = 'index.0123456789.js'
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const own = [
  '/',
  '/sign-in',
  '/sign-in-link',
  '/sign-up',
  '/recovery',
  '/secure',
  '/confirm-email',
  '/undo-email',
  '/invitations',
  '/unsubscribe/1.acc_0123.members.0123',
  '/dns/abc',
  '/account',
  '/projects',
  '/projects/new',
  '/projects/happy-paws/domains/shop.example',
]

let folder: string
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-dashboard-'))
  await mkdir(join(folder, 'assets/folder'), { recursive: true })
  for (const [name, content] of Object.entries({
    'index.html': html,
    'manifest.json': '{}',
    stamp: 'a',
    [`assets/${script}`]: 'plain',
    [`assets/${script}.br`]: 'brotli',
    [`assets/${script}.gz`]: 'gzip',
    'assets/icon.0123456789.png': 'picture',
    'assets/gone.0123456789.js': 'gone',
  })) {
    await writeFile(join(folder, name), content)
  }
  app = await serving(folder)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  await rm(join(folder, 'assets/gone.0123456789.js'))
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

async function serving(assets: string): Promise<FastifyInstance> {
  const instance = fastify({ exposeHeadRoutes: false })
  await instance.register(dashboardRoutes(assets))
  return instance
}

describe('the page', () => {
  test.each(own)('is at %s', async (url) => {
    const { statusCode, body, headers } = await app.inject(`${url}?from=a-letter`)
    expect([statusCode, body, headers['content-type']]).toEqual([200, html, 'text/html; charset=utf-8'])
  })

  test('has an address below every first path segment that the contract names', () => {
    const parts = new Set(own.map((url) => url.split('/')[1]))
    expect([...parts]).toEqual([...dashboardPaths])
  })

  test('runs its own scripts and styles, sends requests to its own origin only, and cannot be framed', async () => {
    const { headers } = await app.inject('/')
    expect(headers).toMatchObject({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
      'cache-control': 'no-cache',
    })
  })

  test('gets 304 while it is unchanged, with the headers of the page', async () => {
    const { headers } = await app.inject('/projects')
    const again = await app.inject({ url: '/account', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers).toMatchObject({ etag: headers.etag, 'content-security-policy': policy })
    const other = await app.inject({ url: '/account', headers: { 'if-none-match': '"another"' } })
    expect(other.statusCode).toBe(200)
  })

  test('describes how to build the dashboard where it was not built, at each of its addresses', async () => {
    const bare = await serving(join(folder, 'nowhere'))
    for (const url of own) {
      const { statusCode, body, headers } = await bare.inject(url)
      expect(statusCode).toBe(503)
      expect(body).toContain('npm run build -- dashboard')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
    expect((await bare.inject(`/assets/${script}`)).statusCode).toBe(404)
  })
})

test.each([...own, `/assets/${script}`])('HEAD %s has the headers of GET and no body', async (url) => {
  const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(origin + url, { method })))
  expect(await head?.text()).toBe('')
  expect([head?.status, headersOf(head)]).toEqual([200, headersOf(get)])
})

test.each([
  '/sign-in/',
  '/sign-in/more',
  '/sign-up/more',
  '/recovery/more',
  '/secure/more',
  '/confirm-email/more',
  '/undo-email/more',
  '/account/more',
  '/invitations/a',
  '/unsubscribe',
  '/unsubscribe/a/b',
  '/dns/a/b',
  '/projectsandmore',
  '/index.html',
  '/assets',
  '/elsewhere',
])('%s is not found', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(404)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s is not a method of the page', async (method) => {
  for (const url of own) expect((await app.inject({ method, url })).statusCode).toBe(404)
})

describe('an asset of the page', () => {
  test.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', 'plain', undefined],
  ])('is compressed as Accept-Encoding %j allows, and cached permanently', async (accepted, body, coding) => {
    const answer = await app.inject({ url: `/assets/${script}`, headers: { 'accept-encoding': accepted } })
    expect([answer.body, answer.headers['content-encoding']]).toEqual([body, coding])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
  })

  test('has its media type', async () => {
    const { headers } = await app.inject('/assets/icon.0123456789.png')
    expect(headers['content-type']).toBe('image/png')
  })

  test.each([
    'missing.js',
    `${script}.br`,
    'folder',
    'manifest.json',
    '..%2findex.html',
    '..%2fmanifest.json',
    '..%2fassets%2findex.0123456789.js',
    '..%2f..%2f..%2fetc%2fpasswd',
    `${script}%00`,
  ])('is not found at %s', async (file) => {
    expect((await app.inject(`/assets/${file}`)).statusCode).toBe(404)
  })

  test('is served until shutdown even if a new build deletes it', async () => {
    const { statusCode, body } = await app.inject('/assets/gone.0123456789.js')
    expect([statusCode, body]).toEqual([200, 'gone'])
  })
})

/** Without those that belong to the connection. */
function headersOf(response: Response | undefined) {
  const others = ['date', 'connection', 'keep-alive']
  return Object.fromEntries([...(response?.headers ?? [])].filter(([name]) => !others.includes(name)))
}
