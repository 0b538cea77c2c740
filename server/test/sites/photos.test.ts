// Photos on a published site: which are shown, under which addresses their files are served, and that a photo which is
// not ready, was deleted, or belongs to another project is not found.

import { beforeAll, expect, test } from 'vitest'
import { putPhoto, removePhoto, type TestPhoto } from '../../../testbed/harness/photos.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { eventually, startTestEdge, type Store } from './environment.ts'

const edge = await startTestEdge()
const inProject = inProjectOf(edge.database)
const put = (store: Store, animal: bigint, photo: TestPhoto) => putPhoto(inProject, store.project, animal, photo)
const fileOf = (digest: string, name: string) => `/photos/${digest}/${name}`

let store: Store
let rex = 0n
let digest = ''
beforeAll(async () => {
  store = await edge.store('photographed')
  ;[rex = 0n] = await store.addAnimals({ name: 'Rex' }, { name: 'Plain' })
  await put(store, rex, { seed: 'second', position: 2, width: 700, height: 900 })
  digest = await put(store, rex, { seed: 'first', position: 1, alt: 'Rex & "friends"', focal: { x: 0, y: 4 } })
  await put(store, rex, { seed: 'processing', position: 0, state: 'processing' })
  await put(store, rex, { seed: 'failed', position: 0, state: 'failed' })
})

test('a card shows the first photo that is ready, and a portrait where there is none', async () => {
  const { text } = await store.get('/animals')
  const [image = ''] = /<img[^>]*photos[^>]*>/.exec(text) ?? []
  expect(image).toContain('class="ph fx0 fy4"')
  expect(image).toContain(`src="${fileOf(digest, '1-320.webp')}"`)
  expect(image).toContain(`${fileOf(digest, '1-1600.webp')} 1600w`)
  for (const part of ['alt="Rex &amp; &quot;friends&quot;"', 'width="1600"', 'height="1200"'])
    expect(image).toContain(part)
  expect(text).toContain('src="/portraits/')
})

test('the page of an animal has a gallery, and what other services show', async () => {
  const { text } = await store.get(`/animals/rex-${rex}`)
  expect([...text.matchAll(/<img\s+id="p(\d)"/g)].map(([, number]) => number)).toEqual(['1', '2'])
  expect(text).toContain('alt="Rex, Dogs, photo 2 of 2"')
  expect(text).toMatch(/<a href="#p2" aria-label="Photo 2 of 2"/)
  expect(text).toMatch(new RegExp(`property="og:image" content="http://[^"]*${fileOf(digest, '1-shared.jpg')}"`))
  expect(text).toContain('property="og:image:width" content="1200"')
  const map = (await store.get('/sitemap.xml')).text
  expect(map).toMatch(new RegExp(`<image:loc>http://[^<]*${fileOf(digest, '1-shared.jpg')}</image:loc>`))
})

test('a file is served as it is, for a week, and not again to a client that has it', async () => {
  const { status, headers, text } = await store.get(fileOf(digest, '1-640.webp'), { 'Accept-Encoding': 'br' })
  expect([status, text, headers['content-type'], headers['content-encoding'], headers.vary]).toEqual([
    200,
    'first 1-640.webp',
    'image/webp',
    undefined,
    undefined,
  ])
  expect(headers['cache-control']).toBe('public, max-age=604800, s-maxage=3600, immutable')
  expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
  expect(headers['x-content-type-options']).toBe('nosniff')
  const again = await store.get(fileOf(digest, '1-640.webp'), { 'If-None-Match': headers.etag ?? '' })
  expect([again.status, again.text]).toEqual([304, ''])
  const jpeg = await store.get(fileOf(digest, '1-shared.jpg'))
  expect([jpeg.status, jpeg.headers['content-type']]).toEqual([200, 'image/jpeg'])
})

test('masters, other widths and recipes, other spellings and photos that are not ready are not found', async () => {
  const processing = await put(store, rex, { seed: 'more processing', state: 'processing' })
  const failed = await put(store, rex, { seed: 'more failed', state: 'failed' })
  const small = await put(store, rex, { seed: 'small', width: 700, height: 900, position: 3 })
  expect((await store.get(fileOf(small, '1-640.webp'))).status).toBe(200)
  for (const path of [
    fileOf(digest, '1-master.webp'),
    fileOf(digest, '2-640.webp'),
    fileOf(digest, '1-641.webp'),
    fileOf(digest, '01-640.webp'),
    fileOf(digest, '1-640.jpg'),
    fileOf(digest, '1-shared.webp'),
    fileOf(digest.toUpperCase(), '1-640.webp'),
    fileOf(small, '1-960.webp'),
    fileOf(processing, '1-640.webp'),
    fileOf(failed, '1-640.webp'),
    fileOf('0'.repeat(64), '1-640.webp'),
    `/photos/${digest}`,
    `/photos/../uploads/x`,
  ]) {
    const { status } = await store.get(path)
    expect([path, status]).toEqual([path, 404])
  }
})

test("another project's photo is not found, even if its address is known", async () => {
  const other = await edge.store('other')
  expect((await other.get(fileOf(digest, '1-640.webp'))).status).toBe(404)
  const [twin = 0n] = await other.addAnimals({ name: 'Twin' })
  await put(other, twin, { seed: 'first' })
  expect((await other.get(fileOf(digest, '1-640.webp'))).status).toBe(200)
})

test('photos of an animal that is hidden are gone with its page, for clients that have them too', async () => {
  const [first = 0n, second = 0n] = await store.addAnimals({ name: 'Withheld' }, { name: 'Shown', categoryId: 13n })
  const own = await put(store, first, { seed: 'withheld' })
  const ofCategory = await put(store, second, { seed: 'of a category' })
  // Two animals have this one: it is shown as long as one of them is.
  const shared = await put(store, first, { seed: 'shared', position: 2 })
  await put(store, second, { seed: 'shared', position: 2 })
  const statuses = () =>
    Promise.all([own, ofCategory, shared].map(async (one) => (await store.get(fileOf(one, '1-320.webp'))).status))
  expect(await statuses()).toEqual([200, 200, 200])
  const { headers } = await store.get(fileOf(own, '1-320.webp'))

  await store.putProfile(first, { isHidden: true })
  expect(await statuses()).toEqual([404, 200, 200])
  expect((await store.get(fileOf(own, '1-320.webp'), { 'If-None-Match': headers.etag ?? '' })).status).toBe(404)
  await store.publish(contentWith({ hiddenCategories: [13n] }))
  await eventually(statuses, (seen) => seen.every((status) => status === 404))
  await store.putProfile(first, { isHidden: false })
  expect(await statuses()).toEqual([200, 404, 200])
  await store.publish(contentWith({}))
  await eventually(statuses, (seen) => seen.every((status) => status === 200))
})

test('a deleted photo is gone at once, and from pages within a second', async () => {
  const gone = await put(store, rex, { seed: 'gone', position: 9 })
  const { headers } = await store.get(fileOf(gone, '1-320.webp'))
  await removePhoto(inProject, store.project, gone)
  expect((await store.get(fileOf(gone, '1-320.webp'))).status).toBe(404)
  expect((await store.get(fileOf(gone, '1-320.webp'), { 'If-None-Match': headers.etag ?? '' })).status).toBe(404)
  const page = await eventually(
    () => store.get(`/animals/rex-${rex}`),
    ({ text }) => !text.includes(gone),
  )
  expect(page.text).not.toContain(gone)
})
