// A site in several languages over HTTP: which addresses exist, where the others lead, and a form that is sent from a
// page in another language than the main one.

import { describe, expect, test } from 'vitest'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { wordsOf } from '../../src/sites/strings/strings.ts'
import { asProject } from '../v1/responses.ts'
import { eventually, startTestEdge, type Store } from './environment.ts'

const edge = await startTestEdge()
const store = await edge.store('speaking', contentWith({ title: 'Willow', languages: ['de', 'fr'] }))
const single = await edge.store('single', contentWith({ title: 'Willow' }))
const [rex = 0n] = await store.addAnimals({ name: 'Rex' })
const { de, en, fr } = wordsOf

const heading = (text: string) => /<h1[^>]*>([^]*?)<\/h1/.exec(text)?.[1]?.replace(/<[^>]*>/g, '')
const languageOf = (text: string) => /<html lang="([^"]*)"/.exec(text)?.[1]

describe('a page in another language', () => {
  test.each([
    ['/de/', 'de'],
    ['/fr/', 'fr'],
    ['/de/animals', 'de'],
    ['/de/animals?sex=female&sort=longest', 'de'],
    ['/de/categories/dogs-1', 'de'],
    [`/de/animals/rex-${rex}`, 'de'],
    ['/de/thanks', 'de'],
    [`/fr/thanks?animal=${rex}`, 'fr'],
  ])('%s is there, with the headers of any page', async (path, language) => {
    const page = await store.get(path)
    const plain = await store.get(path.slice(3))
    expect([page.status, languageOf(page.text)]).toEqual([200, language])
    expect([plain.status, languageOf(plain.text)]).toEqual([200, 'en'])
    for (const name of ['content-type', 'cache-control', 'content-security-policy', 'vary', 'x-robots-tag'])
      expect([name, page.headers[name]]).toEqual([name, plain.headers[name]])
    expect(page.text.includes('content="noindex"')).toBe(plain.text.includes('content="noindex"'))
  })

  test.each([
    ['/de', '/de/'],
    ['/de?utm_source=mail', '/de/'],
    [`/de/a/${rex}`, `/de/animals/rex-${rex}`],
    [`/de/animals/max-${rex}`, `/de/animals/rex-${rex}`],
    ['/de/c/1', '/de/categories/dogs-1'],
    ['/de/?before=5', '/de/animals?before=5'],
    ['/en', '/'],
    ['/en/', '/'],
    ['/en/animals?with=cats&sex=male', '/animals?sex=male&with=cats'],
    [`/en/animals/rex-${rex}`, `/animals/rex-${rex}`],
    ['/en/thanks', '/thanks'],
  ])('%s leads to %s', async (path, to) => {
    const { status, headers } = await store.get(path)
    expect([status, headers.location]).toEqual([301, to])
  })

  test.each([
    ['/de/nothing', de],
    ['/de/animals/rex-9007199254740991', de],
    ['/de/robots.txt', de],
    ['/de/sitemap.xml', de],
    ['/fr/categories/99', fr],
    ['/es/', en],
    ['/es', en],
    [`/es/animals/rex-${rex}`, en],
    ['/it/', en],
    ['/DE/', en],
    ['/en/nothing', en],
  ])('%s is not found, and the page says so in a language that the site has', async (path, words) => {
    const { status, text } = await store.get(path)
    expect([status, heading(text)]).toEqual([404, words.missing])
  })

  test('does not exist where the owner has chosen none, and the code of the main language leads to its pages', async () => {
    expect((await single.get('/de/')).status).toBe(404)
    expect((await single.get('/')).text).not.toMatch(/hreflang|rel="alternate"/)
    const { status, headers } = await single.get('/en/animals')
    expect([status, headers.location]).toEqual([301, '/animals'])
  })

  test('leads to pages of its language alone, but for its menu of languages', async () => {
    const { text } = await store.get(`/de/animals/rex-${rex}`)
    const links = [...text.matchAll(/<(?:a|form)\b[^>]*?\s(?:href|action)="(\/[^"]*)"[^>]*>/g)]
    const plain = links.filter(([whole]) => !whole.includes('hreflang=')).map(([, href = '']) => href)
    expect(plain.length).toBeGreaterThan(3)
    expect(plain.filter((href) => !href.startsWith('/de/'))).toEqual([])
    expect(links.filter(([whole]) => whole.includes('hreflang=')).map(([, href]) => href)).toEqual([
      `/animals/rex-${rex}`,
      `/de/animals/rex-${rex}`,
      `/fr/animals/rex-${rex}`,
    ])
  })

  test('appears and disappears with a deployment', async () => {
    const changing = await edge.store('changing', contentWith({ languages: ['es'] }))
    expect((await changing.get('/es/')).status).toBe(200)
    await changing.publish(contentWith({ language: 'es', languages: ['en'] }))
    const moved = await eventually(
      () => changing.get('/es/animals'),
      ({ status }) => status === 301,
    )
    expect(moved.headers.location).toBe('/animals')
    expect(languageOf((await changing.get('/en/')).text)).toBe('en')
    await changing.publish(contentWith({}))
    const gone = await eventually(
      () => changing.get('/es/'),
      ({ status }) => status === 404,
    )
    expect(gone.status).toBe(404)
  })
})

describe('a form on a page in another language', () => {
  const mia = { name: 'Mia', contact: 'mia@example.org', message: '', website: '' }
  const tokenAt = async (at: Store, path: string) =>
    /name="token" value="([^"]+)"/.exec((await at.get(path)).text)?.[1] ?? ''

  test('shows mistakes in that language, leads to its thanks, and the next visitor sees the change in all', async () => {
    // By this rule, the first request holds the animal.
    await asProject(edge.clone, store.project, async (client) => {
      await client.query(
        `insert into request_settings (project_id, hold_rule, hold_days, shows_request_count)
         values ($1, 'on_first_request', 7, false)`,
        [store.project],
      )
    })
    const [id = 0n] = await store.addAnimals({ name: 'Bo' })
    const path = `/de/animals/bo-${id}`
    const token = await tokenAt(store, path)
    for (const other of [`/fr/animals/bo-${id}`, `/animals/bo-${id}`, '/de/', '/de/animals'])
      expect((await store.get(other)).status).toBe(200)
    const wrong = await store.post(path, { ...mia, token, name: '' })
    expect([wrong.status, languageOf(wrong.text)]).toEqual([422, 'de'])
    expect(wrong.text).toContain(de.wrong.name_missing)
    expect(wrong.text).toContain(`action="${path}"`)
    const sent = await store.post(path, { ...mia, token })
    expect([sent.status, sent.headers.location]).toEqual([303, `/de/thanks?animal=${id}`])
    expect(heading((await store.get(sent.headers.location ?? '')).text)).toBe(de.thanks)
    for (const [other, words] of [
      [path, de],
      [`/fr/animals/bo-${id}`, fr],
      [`/animals/bo-${id}`, en],
    ] as const)
      expect((await store.get(other)).text).toContain(words.status.pending)
    const again = await store.post(path, { ...mia, token })
    expect([again.status, again.text.includes(de.wrong.asked_already)]).toEqual([409, true])
  })

  test('is accepted after the owner has removed that language', async () => {
    const leaving = await edge.store('leaving', contentWith({ languages: ['de'] }))
    const [id = 0n] = await leaving.addAnimals({ name: 'Bo' })
    const token = await tokenAt(leaving, `/de/animals/bo-${id}`)
    await leaving.publish(contentWith({}))
    await eventually(
      () => leaving.get('/de/'),
      ({ status }) => status === 404,
    )
    const sent = await leaving.post(`/de/animals/bo-${id}`, { ...mia, token })
    expect([sent.status, sent.headers.location]).toEqual([303, `/thanks?animal=${id}`])
  })

  test('is not accepted at an address without a form, in any language', async () => {
    for (const path of ['/de/', '/de', '/de/animals', '/de/thanks'])
      expect((await store.post(path, mia)).status).toBe(405)
  })
})
