// A published site over HTTP: which site a host has, what it shows, how old that may be, and
// which headers it has.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { once } from 'node:events'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer as bufferOf, text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import * as deployments from '../../src/sites/publishing/deployment-queries.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { png } from '../../../testbed/photos/images.ts'
import { nameCategory } from '../../src/animals/category-queries.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { HOSTILE, contentWith } from '../../../testbed/samples/sites.ts'
import { noticeStyleHash } from '../../src/sites/pages/platform-pages.ts'
import { eventually, follow, startTestEdge, type Store } from './environment.ts'

const edge = await startTestEdge()
const north = await edge.store('north', contentWith({ title: 'North Shelter', hiddenCategories: [13n] }))
const south = await edge.store('south', contentWith({ title: 'South Shop' }))
const [rex = 0n] = await north.addAnimals(
  { name: 'Rex' },
  { name: HOSTILE },
  { name: 'Hidden Hugo', categoryId: 13n },
  { name: 'Sold Sam', status: 'sold' },
)
const [secretOfSouth = 0n] = await south.addAnimals({ name: 'Southern Sue' })

describe('the host chooses the site', () => {
  const at = (host: string, path = '/') => edge.send({ path, headers: { Host: host } })

  test.each([
    'north.petstore.test',
    'north.petstore.test:3080',
    'north.petstore.test:9',
    'NORTH.PetStore.TEST',
    'north.petstore.test.',
    'north.petstore.test.:3080',
  ])('%s is the north', async (host) => {
    const { status, text } = await at(host)
    expect(status).toBe(200)
    expect(text).toContain('North Shelter')
  })

  test.each([
    'nobody.petstore.test',
    'petstore.test',
    'a.north.petstore.test',
    'north.petstore.test.evil.example',
    'northpetstore.test',
    'north.petstore.test..',
    '127.0.0.1',
    'north',
    '.petstore.test',
    '-.petstore.test',
    'north%2epetstore.test',
  ])('%s is no site', async (host) => {
    const { status, text, headers } = await at(host)
    expect(status).toBe(421)
    expect(text).toContain('Site not found')
    expect(text).not.toMatch(/North|South/)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('a project that has published nothing has no site, and neither has a deleted one', async () => {
    const quiet = await edge.store('quiet', null)
    const gone = await edge.store('gone')
    await inProjectOf(edge.database)(gone.project, (db) => db(deleteProject, gone.project))
    for (const { host } of [quiet, gone]) {
      const { status, text } = await at(host)
      expect([status, text.includes('No site here yet')]).toEqual([404, true])
    }
  })

  test('an animal of another project is answered exactly like one that never existed', async () => {
    const foreign = await north.get(`/a/${secretOfSouth}`)
    const never = await north.get('/a/9007199254740991')
    expect([foreign.status, foreign.text]).toEqual([404, never.text])
    expect((await south.get(`/animals/southern-sue-${secretOfSouth}`)).status).toBe(200)
  })

  test('two hosts, or none, are a bad request', async () => {
    for (const hosts of ['Host: north.petstore.test\r\nHost: south.petstore.test\r\n', '']) {
      const answer = await raw(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).not.toMatch(/North|South/)
    }
  })

  test('a request that is not HTTP is rejected, and the connection ends', async () => {
    expect(await raw('GET / HTTP/9\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/)
  })

  test('an Upgrade is ignored, and the connection ends with the response', async () => {
    const upgrade = 'GET / HTTP/1.1\r\nHost: north.petstore.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    for (const next of ['', upgrade, 'GET / HTTP/9\r\n\r\n']) {
      const answer = await raw(`${upgrade}${next}`)
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/i)
      expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    }
  })

  test('a target that names a host must name the same', async () => {
    const of = (target: string) =>
      raw(`GET ${target} HTTP/1.1\r\nHost: north.petstore.test\r\nConnection: close\r\n\r\n`)
    expect(await of('http://north.petstore.test/')).toMatch(/^HTTP\/1\.1 200 [^]*North Shelter/)
    expect(await of('http://south.petstore.test/')).toMatch(/^HTTP\/1\.1 421 /)
    expect(await of('http://south.petstore.test/')).not.toContain('South')
  })

  test('a site cannot be chosen by any other header', async () => {
    const { text } = await north.get('/', { 'X-Forwarded-Host': south.host, Forwarded: `host=${south.host}` })
    expect(text).toContain('North Shelter')
  })
})

describe('the pages of a site', () => {
  test('the home page shows what is available, newest first, and nothing hidden', async () => {
    const { text } = await north.get('/')
    expect(text).toContain('Rex')
    expect(text).not.toMatch(/Hidden Hugo|Sold Sam/)
  })

  test('hostile names are text on every page', async () => {
    const { text } = await north.get('/')
    expect(text).not.toMatch(/<script(?! type="application.ld.json">)|<img src=x/)
    expect(text).toContain('&lt;script&gt;')
  })

  test('an animal of a hidden category has no page, and neither has the category', async () => {
    const [hidden = 0n] = await north.addAnimals({ name: 'Hidden Hanna', categoryId: 13n })
    expect((await north.get(`/a/${hidden}`)).status).toBe(404)
    expect((await north.get(`/animals/hidden-hanna-${hidden}/print`)).status).toBe(404)
    expect((await north.get('/c/13')).status).toBe(404)
    expect((await north.get('/categories/13')).status).toBe(404)
    expect((await north.get(`/thanks?animal=${hidden}`)).text).not.toContain('Hanna')
    expect((await north.get('/sitemap.xml')).text).not.toContain(`-${hidden}<`)
  })

  test('an animal has a printable page, unless its owner has hidden it, in this project alone', async () => {
    const [shown = 0n, hidden = 0n] = await north.addAnimals({ name: 'Shown' }, { name: 'Hidden' })
    await north.putProfile(hidden, { isHidden: true })
    const page = await north.get(`/animals/shown-${shown}/print`)
    expect([page.status, page.text.includes('<h1><bdi>Shown</bdi></h1>')]).toEqual([200, true])
    const never = await north.get('/animals/never-9007199254740991/print')
    const missing = [`hidden-${hidden}`, `southern-sue-${secretOfSouth}`].map((name) => `/animals/${name}/print`)
    for (const path of missing) {
      const answer = await north.get(path)
      expect([answer.status, answer.text]).toEqual([404, never.text])
    }
    const style = /href="(\/styles\/[^"]+)"/.exec(page.text)?.[1] ?? ''
    const loaded = await north.get(style)
    expect([loaded.status, loaded.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(loaded.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    // A form is sent to the page of the animal alone.
    expect((await north.post(`/animals/shown-${shown}/print`, {})).status).toBe(405)
  })

  test('several animals are printed on one page, in their order, without those that the site does not show', async () => {
    const [one = 0n, hidden = 0n, two = 0n, other = 0n] = await north.addAnimals(
      { name: 'Sheet One' },
      { name: 'Sheet Hidden' },
      { name: 'Sheet Two' },
      { name: 'Sheet Other', categoryId: 13n },
    )
    await north.putProfile(hidden, { isHidden: true })
    const never = 9_007_199_254_740_991n
    const asked = [two, hidden, secretOfSouth, never, other, one]
    const page = await north.get(`/print?animals=${asked.join()}`)
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect([...page.text.matchAll(/<h1><bdi>([^<]*)</g)].map(([, name]) => name)).toEqual(['Sheet Two', 'Sheet One'])
    expect(page.text).toContain('<meta name="robots" content="noindex" />')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    for (const path of [
      `/print?animals=${hidden},${secretOfSouth}`,
      '/print',
      `/print?animals=${Array(31).fill(one).join()}`,
    ])
      expect((await north.get(path)).status).toBe(404)
    expect((await north.get(`/print?animals=${Array(30).fill(one).join()}`)).status).toBe(200)
    // Nothing is cached: the next request shows what is hidden since.
    await north.putProfile(two, { isHidden: true })
    expect((await north.get(`/print?animals=${asked.join()}`)).text).not.toContain('Sheet Two')
    expect((await north.post(`/print?animals=${one}`, {})).status).toBe(405)
  })

  test('the privacy page names the owner of the site, and is in the site map', async () => {
    const { status, text } = await north.get('/privacy')
    expect([status, text.includes('<b><bdi>North Shelter</bdi></b>')]).toEqual([200, true])
    expect((await north.get('/sitemap.xml')).text).toContain('//north.petstore.test:3080/privacy</loc>')
    expect((await north.get('/privacy/')).status).toBe(404)
  })

  test('a category shows its own animals', async () => {
    await north.addAnimals({ name: 'Mimi the cat', categoryId: 2n })
    const { status, text } = await north.get('/categories/cats-2')
    expect([status, text.includes('Mimi the cat'), text.includes('Rex')]).toEqual([200, true, false])
  })

  test('a new category has its name as soon as its animals are shown, and a renamed one when it is published', async () => {
    const store = await edge.store('growing')
    const name = (id: bigint, text: string) =>
      inProjectOf(edge.database)(store.project, (db) => nameCategory(db, store.project, id, text))
    await store.addAnimals({ name: 'Rex' }, { name: 'Flora', categoryId: 77n })
    expect((await store.get('/categories/ferrets-77')).status).toBe(404)
    await name(77n, 'Ferrets')
    await name(1n, 'Puppies')
    const { text } = await eventually(
      () => store.get('/'),
      (page) => page.text.includes('Ferrets'),
    )
    expect(text).toMatch(/<bdi>Dogs<\/bdi>[^]*<bdi>Ferrets<\/bdi>/)
    expect(text).not.toContain('Puppies')
    expect((await store.get('/categories/ferrets-77')).text).toContain('Flora')
    await name(77n, 'Polecats')
    const renamed = () => store.get('/')
    expect((await eventually(renamed, (page) => page.text.includes('Polecats'))).text).not.toContain('Ferrets')
  })

  test('kinds have the number of animals that their lists show, reserved ones too, without hidden ones', async () => {
    const categories = ['Dogs', 'Cats', 'Rabbits'].map((name, index) => ({ id: BigInt(index + 1), name }))
    const store = await edge.store('counted', contentWith({ hiddenCategories: [13n] }, { categories }))
    await store.addAnimals(
      { name: 'Rex' },
      { name: 'Bo' },
      { name: 'Mimi', categoryId: 2n, status: 'pending' },
      { name: 'Tom', categoryId: 2n },
      { name: 'Hazel', categoryId: 3n, status: 'pending' },
      { name: 'Sold Sam', status: 'sold' },
      { name: 'Hidden Hugo', categoryId: 13n },
    )
    const { text } = await store.get('/')
    const chips = [...text.matchAll(/<a\s+class="chip"[^>]*>([^]*?)<\/a/g)].map(([, inner = '']) =>
      inner.replace(/<[^>]*>/g, ''),
    )
    expect(chips.map((chip) => chip.trim())).toEqual(['All animals 5', 'Cats 2', 'Dogs 2', 'Rabbits 1'])
    expect(text).toContain('<span>3 available, 2 reserved</span>')
    for (const [path, counted, cards] of [
      ['/animals', '3 available, 2 reserved', 5],
      ['/categories/cats-2', '1 available, 1 reserved', 2],
      ['/animals?sort=longest', '3 available', 3],
    ] as const) {
      const page = await store.get(path)
      expect([path, page.text.includes(`<span>${counted}</span>`)]).toEqual([path, true])
      expect([path, page.text.match(/class="card"/g)?.length]).toEqual([path, cards])
    }
  })

  test('a store with more animals than are counted shows its kinds without numbers', async () => {
    const store = await edge.store('uncounted')
    await store.addAnimals(...Array.from({ length: 1001 }, () => ({ name: 'One of many' })))
    expect((await store.get('/')).text).toMatch(/><bdi>Cats<\/bdi><\/a/)
  })

  test('the page of an animal shows others that can be reserved, and not the animal again', async () => {
    const store = await edge.store('others', contentWith({ hiddenCategories: [13n] }))
    const [first = 0n, second = 0n] = await store.addAnimals({ name: 'First' }, { name: 'Second' })
    await store.addAnimals({ name: 'Hidden', categoryId: 13n }, { name: 'Sold', status: 'sold' })
    const { text } = await follow(store, `/a/${first}`)
    expect([...text.matchAll(/class="card" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      `/animals/second-${second}`,
    ])
    expect(text).not.toMatch(/Hidden|Sold/)
  })

  test('a site that was stored before there were looks is shown as Meadow, and Journal as Journal', async () => {
    const store = await edge.store('looks')
    expect((await store.get('/')).text).toContain('href="/style-meadow-')
    await store.publish(contentWith({ look: 'journal' }))
    const { text } = await eventually(
      () => store.get('/'),
      (page) => page.text.includes('style-journal-'),
    )
    expect(text).toMatch(/href="\/fonts\/young-serif-latin-/)
  })

  test('all animals are reached page by page, forwards and backwards, each once', async () => {
    const many = await edge.store('many')
    const ids = await many.addAnimals(...Array.from({ length: 250 }, (_, index) => ({ name: `Nr ${index}` })))
    const down = await walk(many, '/animals', 'next')
    expect(down.animals).toEqual(ids.toReversed().map(String))
    expect(down.pages).toBe(6)
    const up = await walk(many, down.last, 'prev')
    expect(up.pages).toBe(6)
    expect([...new Set(up.animals)].toSorted()).toEqual(ids.map(String).toSorted())
  })

  test('an animal behind many hidden ones is still found', async () => {
    const deep = await edge.store('deep', contentWith({ hiddenCategories: [13n] }))
    const [first = 0n] = await deep.addAnimals({ name: 'Old Otto' })
    await deep.addAnimals(...Array.from({ length: 5200 }, () => ({ name: 'Hidden', categoryId: 13n })))
    const { animals, pages } = await walk(deep, '/animals', 'next')
    expect([animals, pages]).toEqual([[String(first)], 2])
  })

  test.each([
    '/a/01',
    '/c/99',
    '/nothing',
    '/a/%zz',
    '/?before=x',
    '/index.html',
    '/a/1/../2',
    '/visit',
    '/embed',
    '/photos/x',
  ])('%s is not found', async (path) => {
    const { status, text, headers } = await north.get(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('Page not found')
  })

  test('the logo is served under its digest, and no file of another project is', async () => {
    const store = await edge.store('logo')
    const digest = 'ab'.repeat(32)
    await inProjectOf(edge.database)(store.project, (db) =>
      deployments.insertBlob(db, store.project, digest, { type: 'image/png', bytes: png }),
    )
    await store.publish(contentWith({}, { logo: digest }))
    const found = await eventually(
      () => store.get(`/logo-${digest}`),
      ({ status }) => status === 200,
    )
    expect([found.status, found.headers['content-type'], found.headers['content-length']]).toEqual([
      200,
      'image/png',
      String(png.length),
    ])
    expect((await north.get(`/logo-${digest}`)).status).toBe(404)
  })

  test('a change is visible within a second', async () => {
    const store = await edge.store('lively')
    expect((await store.get('/')).text).not.toContain('Newcomer')
    const startedAt = performance.now()
    await store.addAnimals({ name: 'Newcomer' })
    await eventually(
      () => store.get('/'),
      ({ text }) => text.includes('Newcomer'),
    )
    expect(performance.now() - startedAt).toBeLessThan(1000)
    await store.publish(contentWith({ title: 'Another title' }))
    const republished = performance.now()
    await eventually(
      () => store.get('/'),
      ({ text }) => text.includes('Another title'),
    )
    expect(performance.now() - republished).toBeLessThan(1000)
  })
})

describe('the headers of a site', () => {
  test('every response restricts what a page may do, and sets no cookie', async () => {
    const answers = await Promise.all(
      [
        '/',
        '/animals',
        `/a/${rex}`,
        `/animals/rex-${rex}`,
        `/animals/rex-${rex}/print`,
        '/privacy',
        '/nothing',
        '/robots.txt',
        '/favicon.svg',
      ].map((path) => north.get(path)),
    )
    const ofSite =
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    // A page of the platform loads nothing: its style is inside it.
    const ofPlatform = `default-src 'none'; style-src '${noticeStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    const notice = await edge.send({ path: '/', headers: { Host: 'x' } })
    const policies = [...answers.map((answer) => [answer, ofSite] as const), [notice, ofPlatform] as const]
    for (const [{ headers }, policy] of policies) {
      expect(headers).toMatchObject({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()') as unknown,
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('every text names its charset: pages, styles, drawings, the site map', async () => {
    const { text } = await north.get('/')
    const linked = [/href="(\/style-[^"]+)"/, /src="(\/portraits\/[^"]+)"/].map((form) => form.exec(text)?.[1] ?? '?')
    const paths = ['/', '/nothing', '/robots.txt', '/sitemap.xml', '/favicon.svg', ...linked]
    const types = await Promise.all(paths.map(async (path) => (await north.get(path)).headers['content-type']))
    expect(types).toEqual(
      paths.map(() => expect.stringMatching(/^(text\/|application\/xml|image\/svg).*; charset=utf-8$/)),
    )
  })

  test('a page is revalidated each time, and not sent again if it is unchanged', async () => {
    const first = await north.get('/')
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
    })
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    const again = await north.get('/', { 'If-None-Match': `"other", ${etag}` })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await north.get('/', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('the style is named by its content and cached permanently', async () => {
    const [, href = ''] = /rel="stylesheet" href="([^"]+)"/.exec((await north.get('/')).text) ?? []
    const { status, headers } = await north.get(href)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    const others = [
      href.replace(/-[0-9a-f]{16}/, '-0000000000000000'),
      href.replace(/style-meadow-.{6}/, 'style-meadow-000000'),
      href.replace('meadow', 'journal'),
      '/style-.css',
    ]
    for (const other of others) expect([other, (await north.get(other)).status]).toEqual([other, 404])
  })

  test('typefaces and portraits are named by their content, cached permanently, and those of the program', async () => {
    const { text } = await north.get('/')
    const [font = '', picture = ''] = [/href="(\/fonts\/[^"]+)"/, /src="(\/portraits\/[^"]+)"/].map(
      (form) => form.exec(text)?.[1],
    )
    const immutable = 'public, max-age=31536000, immutable'
    const loaded = await north.get(font, { 'Accept-Encoding': 'br' })
    expect([loaded.status, loaded.headers['content-type'], loaded.headers['cache-control']]).toEqual([
      200,
      'font/woff2',
      immutable,
    ])
    // A typeface is compressed already.
    expect([loaded.headers['content-encoding'], loaded.headers['content-length']]).toEqual([undefined, '20156'])
    const drawn = await south.get(picture)
    expect([drawn.headers['content-type'], drawn.headers['cache-control']]).toEqual([
      'image/svg+xml; charset=utf-8',
      immutable,
    ])
    expect(drawn.text).toMatch(/^<svg /)
    for (const other of [picture.replace(/[0-9a-f]{16}/, '0'.repeat(16)), '/portraits/', '/fonts/OFL-figtree.txt'])
      expect([other, (await north.get(other)).status]).toEqual([other, 404])
  })

  test.each([
    ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
  ])('the response encoded as %s is the same page', async (coding, expand) => {
    const plain = await north.get('/')
    const { headers, bytes } = await bytesOf(coding)
    expect(headers['content-encoding']).toBe(coding)
    expect(expand(bytes).toString()).toBe(plain.text)
    expect(bytes.length).toBeLessThan(plain.text.length / 2)
  })

  test.each(['identity', 'br;q=0, gzip;q=0', ''])(
    'a client that accepts %j gets the page unencoded',
    async (accept) => {
      const { headers } = await bytesOf(accept)
      expect(headers['content-encoding']).toBeUndefined()
    },
  )

  test('HEAD has the headers of GET', async () => {
    const [got, asked] = await Promise.all([
      north.get('/'),
      edge.send({ method: 'HEAD', path: '/', headers: { Host: north.host } }),
    ])
    expect([asked.status, asked.text, asked.headers['content-length'], asked.headers.etag]).toEqual([
      200,
      '',
      got.headers['content-length'],
      got.headers.etag,
    ])
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is not allowed', async (method) => {
    const { status, headers } = await edge.send({ method, path: '/', headers: { Host: north.host } })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

const deleteProject = statement<never, [project: ProjectId]>(
  'test-delete-project',
  `update projects set deleted_at = now() where project_id = $1`,
)

async function walk(store: Store, start: string, rel: 'next' | 'prev') {
  const animals: string[] = []
  let path: string | undefined = start
  let last = start
  let pages = 0
  while (path !== undefined && pages < 10) {
    const { text } = await store.get(path)
    animals.push(...[...text.matchAll(/class="card" href="\/animals\/[a-z0-9-]+-(\d+)"/g)].map(([, id = '']) => id))
    last = path
    pages += 1
    path = new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1]
  }
  return { animals, pages, last }
}

async function raw(bytes: string): Promise<string> {
  const socket = connect(edge.port, '127.0.0.1')
  socket.write(bytes)
  return textOf(socket)
}

async function bytesOf(accept: string): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  const asked = request(`${edge.origin}/`, { headers: { Host: north.host, 'Accept-Encoding': accept } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { headers: response.headers, bytes: await bufferOf(response) }
}
