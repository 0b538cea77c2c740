// The routes below /docs without a browser: headers, caching, compression, and that the
// example on the page about getPet really works. e2e/reference.test.ts tests the page
// itself.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractDocument } from '@petstore-platform/contract/document'
import { platformDocument as documentOfPlatform } from '@petstore-platform/contract/platform/document'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curlWalk, typescriptWalk } from './reference-page.ts'
import { referenceRoutes } from './reference-routes.ts'

const production = 'https://api.petstore.example/v1'
const staging = 'https://api.staging.petstore.example/v1'
const contact = { name: 'Petstore API', url: 'https://petstore.example/docs' }
const document = contractDocument({ production, staging, contact })
const platformDocument = documentOfPlatform({
  production: 'https://api.petstore.example/platform/v1',
  staging: 'https://api.staging.petstore.example/platform/v1',
  contact,
})
const script = 'reference.0123456789.js'

let assets: string
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  assets = await mkdtemp(join(tmpdir(), 'petstore-assets-'))
  await mkdir(join(assets, 'folder'))
  for (const [name, content] of Object.entries({
    [script]: 'plain',
    [`${script}.br`]: 'brotli',
    [`${script}.gz`]: 'gzip',
    'style.css': 'a{}',
    'gone.css': 'a{}',
    'manifest.json': JSON.stringify({ script, styles: ['style.css'] }),
  })) {
    await writeFile(join(assets, name), content)
  }
  app = fastify({ exposeHeadRoutes: false })
  await app.register(referenceRoutes(document, platformDocument, assets))
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  // As when the reference is rebuilt while a server runs.
  await rm(join(assets, 'gone.css'))
})

afterAll(async () => {
  await app.close()
  await rm(assets, { recursive: true })
})

describe.each(['/docs', '/docs/platform'])('the reference at %s', (path) => {
  test('may run its own scripts and send requests to its own origin and the servers of the OpenAPI document only', async () => {
    const { headers } = await app.inject(path)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; " +
        "connect-src 'self' https://api.petstore.example https://api.staging.petstore.example; " +
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('has no inline script', async () => {
    const { body } = await app.inject(path)
    expect(body.match(/<script.*/g)).toEqual([`<script type="module" src="/docs/assets/${script}"></script>`])
  })

  test('gets 304 while it is unchanged', async () => {
    const { headers } = await app.inject(path)
    const again = await app.inject({ url: path, headers: { 'if-none-match': `W/${headers.etag}` } })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  test('describes how to build the reference where it was not built', async () => {
    const bare = fastify()
    await bare.register(referenceRoutes(document, platformDocument, join(assets, 'nowhere')))
    const { statusCode, body } = await bare.inject(path)
    expect(statusCode).toBe(503)
    expect(body).toContain('npm run build -- reference')
    expect(body).toContain(path === '/docs' ? '"/v1/openapi.json"' : '"/platform/v1/openapi.json"')
  })

  test('links to both references, and marks the one that is open', async () => {
    const { body } = await app.inject(path)
    const links = [...body.matchAll(/<a href="(\/docs[^"]*)"( aria-current="page")?>/g)]
    expect(links.map(([, target]) => target)).toEqual(['/docs', '/docs/platform'])
    expect(links.filter(([, , current]) => current).map(([, target]) => target)).toEqual([path])
  })
})

test('each reference shows its own OpenAPI document, and offers first the credential that its page can send', async () => {
  const shown = async (url: string) =>
    /data-document="([^"]*)" data-slug="[^"]*" data-scheme="([^"]*)"/.exec((await app.inject(url)).body)?.slice(1)
  expect(await shown('/docs')).toEqual(['/v1/openapi.json', 'apiKey'])
  expect(await shown('/docs/platform')).toEqual(['/platform/v1/openapi.json', 'token'])
  expect(Object.keys(document.components.securitySchemes)).toContain('apiKey')
  expect(platformDocument.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
})

test('the try-out of listOrders is hidden, and of no other operation', async () => {
  const { body } = await app.inject('/docs')
  expect(body.match(/\[id\$="[^"]*"\]/g)).toEqual(['[id$="/listOrders"]'])
  expect(body).toContain('data-without-try-out="[&#34;GET /store/orders&#34;]"')
  const platform = await app.inject('/docs/platform')
  expect(platform.body.match(/\[id\$="[^"]*"\]/g)).toBeNull()
  expect(platform.body).toContain('data-without-try-out="[]"')
})

test.each(['/docs', '/docs/platform', '/docs/deprecations', '/docs/deprecations/get-pet', `/docs/assets/${script}`])(
  'HEAD %s has the headers of GET and no body',
  async (url) => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(origin + url, { method })))
    expect(await head?.text()).toBe('')
    expect(headersOf(head)).toEqual(headersOf(get))
  },
)

describe('an asset', () => {
  test.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip', 'gzip'],
    ['identity', 'plain', undefined],
    [undefined, 'plain', undefined],
  ])('is compressed as Accept-Encoding %j allows', async (accepted, body, coding) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const answer = await app.inject({ url: `/docs/assets/${script}`, headers })
    expect(answer.body).toBe(body)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers['vary']).toBe('Accept-Encoding')
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('is cached permanently only if its name contains a hash', async () => {
    const hashed = await app.inject(`/docs/assets/${script}`)
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const plain = await app.inject('/docs/assets/style.css')
    expect(plain.headers['cache-control']).toBe('no-cache')
  })

  test.each([
    'missing.js',
    'gone.css',
    `${script}.br`,
    'folder',
    '.%2fstyle.css',
    'folder%2f..%2fstyle.css',
    '..%2fpackage.json',
    '%2e%2e',
  ])('is not found at %s', async (file) => {
    const { statusCode } = await app.inject(`/docs/assets/${file}`)
    expect(statusCode).toBe(404)
  })
})

describe('the pages on deprecation', () => {
  test.each(['/docs/deprecations', '/docs/deprecations/get-pet'])(
    '%s shows the start and the end of the deprecation',
    async (url) => {
      const { body, headers } = await app.inject(url)
      expect(body).toContain('<time datetime="2025-12-05">5 December 2025</time>')
      expect(body).toContain('<time datetime="2030-12-05">5 December 2030</time>')
      expect(body).not.toContain('<script')
      expect(headers['content-security-policy']).not.toContain('script-src')
    },
  )

  test('follow the configured start of the deprecation', async () => {
    const other = fastify()
    await other.register(referenceRoutes(document, platformDocument, assets, Date.UTC(2026, 0, 31) / 1000))
    const { body } = await other.inject('/docs/deprecations/get-pet')
    expect(body).toContain('31 January 2026')
    expect(body).toContain(`Deprecation: @${Date.UTC(2026, 0, 31) / 1000}`)
  })

  test('describe what the replacement cannot do, and how to rehearse', async () => {
    const { body } = await app.inject('/docs/deprecations/get-pet')
    expect(body).toContain('The list cannot ask for one identifier.')
    expect(body).toContain('Petstore-Now: 2030-12-05T00:00:00Z')
    expect(body).toContain(`${staging}/pets/1044`)
    expect(curlWalk(production)).toContain(`${production}/pets?status=available&limit=100`)
  })

  test('show a TypeScript example that finds an animal pages away, to the digit, and stops where it cannot be', async () => {
    const { origin, requested, stop } = await startList([
      '9223372036854775807',
      '9007199254740993',
      '9007199254740992',
      '1',
    ])
    const code = stripTypeScriptTypes(typescriptWalk)
    const { findPet } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      findPet: (base: string, key: string, id: bigint, status?: string) => Promise<{ id: bigint } | undefined>
    }
    expect(await findPet(origin, 'key', 9007199254740993n, 'sold')).toEqual({ id: 9007199254740993n })
    expect(requested).toEqual(['/pets?limit=100&status=sold', '/pets?after=1'])
    expect(await findPet(origin, 'key', 9007199254740994n)).toBeUndefined()
    expect(await findPet(origin, 'key', 0n)).toBeUndefined()
    await stop()
  })
})

/** Without those that belong to the connection. */
function headersOf(response: Response | undefined) {
  const others = ['date', 'connection', 'keep-alive']
  return Object.fromEntries([...(response?.headers ?? [])].filter(([name]) => !others.includes(name)))
}

/** A list with one animal per page. */
async function startList(ids: string[]) {
  const list = fastify()
  const requested: string[] = []
  list.get<{ Querystring: { after?: string } }>('/pets', ({ url, query }, reply) => {
    requested.push(url)
    const at = Number(query.after ?? 0)
    const first = `<${origin}/pets>; rel="first"`
    const next = at + 1 < ids.length ? `<${origin}/pets?after=${at + 1}>; rel="next", ` : ''
    return reply
      .header('link', next + first)
      .type('application/json')
      .send(`[{"id":${ids[at]}}]`)
  })
  const origin: string = await list.listen({ port: 0, host: '127.0.0.1' })
  return { origin, requested, stop: () => list.close() }
}
