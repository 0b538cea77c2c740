// Profiles on a published site: cards, the page of an animal, filters, orders, addresses that have changed, and animals
// that the owner hides or wants to be seen first.

import { describe, expect, test } from 'vitest'
import { defaultRequestSettings } from '@petstore-platform/contract/platform/order-holds'
import { reserve } from '../../src/orders/reservations.io.ts'
import { setRequestSettings } from '../../src/orders/settings-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { follow, startTestEdge, type Store } from './environment.ts'

const NOW = Date.UTC(2026, 10, 17, 12)
const edge = await startTestEdge({}, { now: () => NOW })
const DAY = 86_400_000
const dayBefore = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10)

/** As texts were stored before their formatting had a limit. */
const MANY_ITEMS = '- a\n'.repeat(2500)

const cardsOn = (text: string) =>
  [...text.matchAll(/class="card"[^]*?<bdi>([^<]*)<\/bdi>[^]*?<\/a/g)].map(([, name = '']) => name)
const namesAt = async (store: Store, path: string) => cardsOn((await store.get(path)).text)

test('a story and a text about the store that were stored with 2,500 items are formatted up to the limit', async () => {
  const store = await edge.store('items', contentWith({ about: MANY_ITEMS }))
  const [rex = 0n] = await store.addAnimals({ name: 'Rex' })
  await store.putProfile(rex, { story: MANY_ITEMS })
  for (const path of ['/', `/animals/rex-${rex}`, `/animals/rex-${rex}/print`]) {
    const { status, text } = await store.get(path)
    expect([path, status, (text.match(/<li>a/g) ?? []).length <= 300]).toEqual([path, 200, true])
    expect(path.endsWith('print') || text.includes('- a\n- a\n- a')).toBe(true)
  }
})

test('a card and the page of an animal show its profile, and an animal without one is shown as before', async () => {
  const store = await edge.store('shown')
  const [rex = 0n] = await store.addAnimals({ name: 'Rex' }, { name: 'Plain' })
  await store.putProfile(rex, {
    headline: 'Walks like a gentleman',
    story: 'Came to us in **spring**. <b>Bold</b>',
    breed: 'Labrador',
    isMixed: true,
    sex: 'male',
    size: 'large',
    coat: 'short',
    color: 'black',
    weightGrams: 28_500,
    born: { date: '2023-04-01', precision: 'month', isEstimated: true },
    goodWithChildren: 'yes',
    goodWithCats: 'no',
    goodWithNote: 'Older cats are fine',
    isNeutered: 'yes',
    specialNeeds: 'Needs a garden',
    traits: ['calm', 'curious'],
    fee: { amount: 25_000, currency: 'EUR' },
    location: 'Berlin',
    inCareSince: '2026-03-14',
    portrait: 'hen-1',
  })
  const home = (await store.get('/')).text
  expect(home).toContain('<span><bdi>Labrador mix</bdi> · about 3 years</span>')
  expect(home).toContain('src="/portraits/hen-1-')
  const { text } = await store.get(`/animals/rex-${rex}`)
  for (const shown of [
    'Walks like a gentleman',
    '<strong>spring</strong>',
    '&lt;b&gt;Bold',
    'Labrador mix',
    '>Male<',
    '>Large<',
    '29 kg',
    'about 3 years',
    '<li>Children</li>',
    '<li class="no">Not with cats</li>',
    'Older cats are fine',
    '<li>Neutered</li>',
    'Needs a garden',
    '<bdi>calm</bdi>',
    '€250',
    'Berlin',
    'since March 2026',
    'property="og:title" content="Rex"',
    '<meta name="description" content="Walks like a gentleman – Labrador mix · about 3 years · Male · Berlin" />',
  ])
    expect(text).toContain(shown)
  const data = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(text)?.[1] ?? '') as object
  expect(data).toMatchObject({ '@type': 'Product', offers: { price: '250.00', priceCurrency: 'EUR' } })
  expect(home).toMatch(/"@type":"PetStore"/)
  expect((await follow(store, `/a/${rex + 1n}`)).text).not.toContain('class="facts"')
})

test('a shelter says adopted and adoption fee, and offers no product', async () => {
  const store = await edge.store('shelter', contentWith())
  await store.setKind('shelter')
  const [rex = 0n, sold = 0n] = await store.addAnimals({ name: 'Rex' }, { name: 'Sam', status: 'sold' })
  await store.putProfile(rex, { fee: { amount: 100, currency: 'USD' } })
  const { text } = await store.get(`/animals/rex-${rex}`)
  expect(text).toContain('Adoption fee')
  expect(text).not.toContain('ld+json')
  expect((await store.get('/')).text).toContain('"@type":"AnimalShelter"')
  expect((await store.get(`/animals/sam-${sold}`)).text).toContain('<p class="state">Adopted</p>')
})

test('a hidden animal is nowhere', async () => {
  const store = await edge.store('hiding')
  const [shown = 0n, hidden = 0n] = await store.addAnimals({ name: 'Shown' }, { name: 'Withheld' })
  await store.putProfile(hidden, { isHidden: true, isFeatured: true })
  for (const path of ['/', '/animals', '/animals?q=w', '/animals?sort=longest', '/categories/dogs-1', '/sitemap.xml']) {
    const { status, text } = await store.get(path)
    expect([path, status, /withheld/i.test(text)]).toEqual([path, 200, false])
  }
  expect((await store.get('/')).text).toContain('<span>1 available</span>')
  expect((await store.get(`/animals/shown-${shown}`)).text).not.toContain('Withheld')
  for (const path of [`/animals/withheld-${hidden}`, `/a/${hidden}`])
    expect([path, (await store.get(path)).status]).toEqual([path, 404])
  expect((await store.get(`/thanks?animal=${hidden}`)).text).not.toContain('Withheld')
})

test('featured animals come first on the home page, each once; reserved ones stay, with a badge', async () => {
  const store = await edge.store('featured', contentWith({ hiddenCategories: [13n] }))
  const ids = await store.addAnimals(
    { name: 'Old' },
    { name: 'Middle' },
    { name: 'New' },
    { name: 'Reserved', status: 'pending' },
    { name: 'Other', categoryId: 13n },
  )
  for (const id of [ids[0], ids[1], ids[3], ids[4]]) await store.putProfile(id ?? 0n, { isFeatured: true })
  expect(await namesAt(store, '/')).toEqual(['Middle', 'Old', 'Reserved', 'New'])
  expect((await store.get('/')).text).toMatch(/<em>Reserved<\/em><b><bdi>Reserved/)
  expect(await namesAt(store, '/animals')).toEqual(['Reserved', 'New', 'Middle', 'Old'])
  expect((await store.get('/animals')).text).toMatch(/<em>Reserved<\/em><b><bdi>Reserved/)
  // In the order of waiting, only those who still wait.
  expect(await namesAt(store, '/animals?sort=longest')).toEqual(['Old', 'Middle', 'New'])
})

test('the number of people who have asked is shown only if the owner wishes', async () => {
  const inProject = inProjectOf(edge.database)
  const visitor = { name: 'Ben', contact: 'ben@visitor.example', message: '' }
  const homeOf = async (slug: string, showsRequestCount: boolean) => {
    const store = await edge.store(slug)
    const settings = { ...defaultRequestSettings, showsRequestCount }
    await inProject(store.project, (db) => setRequestSettings(db, store.project, settings))
    const [petId = 0n] = await store.addAnimals({ name: 'Rex' }, { name: 'Milo' })
    for (let n = 0; n < 3; n++) await reserve({ inProject }, store.project, { petId, ...visitor })
    return (await store.get('/')).text
  }
  expect((await homeOf('asked', true)).match(/\d+ people have asked/g)).toEqual(['3 people have asked'])
  expect(await homeOf('discreet', false)).not.toContain('asked')
})

test('the home page shows 48, and leads to the others', async () => {
  const store = await edge.store('full')
  await store.addAnimals(...Array.from({ length: 49 }, (_, index) => ({ name: `N${index}` })))
  const { text } = await store.get('/')
  expect(cardsOn(text)).toHaveLength(48)
  expect(text).toContain('See all animals')
})

describe('filters', async () => {
  const store = await edge.store('filtered')
  const animals = [
    [
      'Mia',
      { breed: 'Tabby', sex: 'female', size: 'small', born: dayBefore(100), goodWithChildren: 'yes' },
      '2026-01-01',
    ],
    [
      'Max',
      { sex: 'male', size: 'large', born: dayBefore(400), goodWithChildren: 'yes', goodWithCats: 'yes' },
      '2024-05-05',
    ],
    [
      'Mo',
      {
        breed: 'Brown Tabby',
        chipNumber: '9410001',
        sex: 'male',
        size: 'small',
        born: dayBefore(2000),
        goodWithChildren: 'no',
      },
      '2025-05-05',
    ],
    ['Old Otto', { sex: 'male', size: 'small', born: dayBefore(4000) }, null],
  ] as const
  const ids = await store.addAnimals(...animals.map(([name], index) => ({ name, categoryId: index === 3 ? 2n : 1n })))
  await store.addAnimals({ name: 'Without' })
  for (const [index, [, { born, ...rest }, inCareSince]] of animals.entries()) {
    await store.putProfile(ids[index] ?? 0n, {
      ...rest,
      born: { date: born, precision: 'day', isEstimated: false },
      inCareSince,
    })
  }

  test.each([
    ['', ['Without', 'Old Otto', 'Mo', 'Max', 'Mia']],
    ['?sex=male', ['Old Otto', 'Mo', 'Max']],
    ['?sex=male&size=small', ['Old Otto', 'Mo']],
    ['?age=baby', ['Mia']],
    ['?age=young', ['Max']],
    ['?age=adult', ['Mo']],
    ['?age=senior', ['Old Otto']],
    ['?with=children', ['Max', 'Mia']],
    ['?with=children&with=cats', ['Max']],
    ['?with=dogs', []],
    ['?q=M', ['Mo', 'Max', 'Mia']],
    ['?q=ot', ['Old Otto']],
    ['?q=old%20o', ['Old Otto']],
    ['?q=ld', []],
    ['?q=tabb', ['Mo', 'Mia']],
    ['?q=tabb&sort=longest&sex=male', ['Mo']],
    ['?q=9410', []],
    ['?q=%25', []],
    ['?kind=2', ['Old Otto']],
    ['?kind=99&sex=x&age=&size=&q=&sort=', ['Without', 'Old Otto', 'Mo', 'Max', 'Mia']],
    ['?sort=longest', ['Max', 'Mo', 'Mia', 'Old Otto', 'Without']],
    ['?sort=longest&sex=male', ['Max', 'Mo', 'Old Otto']],
  ])('%s', async (query, expected) => {
    const { status, text } = await store.get(`/animals${query}`)
    expect([status, cardsOn(text)]).toEqual([200, expected])
  })

  test('what is chosen stands above the list, each with a way to leave it out', async () => {
    const { text } = await store.get('/animals?sex=male&with=children&with=cats&q=m&kind=1')
    const links = [...text.matchAll(/<li>\s*<a\s+class="chip" href="(\/animals\?[^"]+)"/g)].map(([, href]) => href)
    expect(links.map((href) => href?.replaceAll('&amp;', '&'))).toEqual([
      '/animals?kind=1&sex=male&with=children&with=cats',
      '/animals?sex=male&with=children&with=cats&q=m',
      '/animals?kind=1&with=children&with=cats&q=m',
      '/animals?kind=1&sex=male&with=cats&q=m',
      '/animals?kind=1&sex=male&with=children&q=m',
    ])
  })

  test('a list without a match says so, and offers to clear the filters', async () => {
    const { text } = await store.get('/animals?with=dogs')
    expect(text).toContain('No animal fits all of this at the moment.')
    expect(text).toMatch(/class="empty"[^]*<a class="btn" href="\/animals">Clear all<\/a>/)
  })
})

test('in the order of waiting, every animal is reached page by page', async () => {
  const store = await edge.store('waiting')
  const ids = await store.addAnimals(...Array.from({ length: 110 }, (_, index) => ({ name: `N${index}` })))
  for (const [index, id] of ids.entries())
    if (index % 2 === 0)
      await store.putProfile(id, { inCareSince: `2025-01-${String(1 + (index % 20)).padStart(2, '0')}` })
  const seen: string[] = []
  let path: string | undefined = '/animals?sort=longest'
  for (let page = 0; path !== undefined && page < 5; page++) {
    const { text } = await store.get(path)
    seen.push(...cardsOn(text))
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(new Set(seen).size).toBe(110)
  expect(seen).toHaveLength(110)
  expect(seen.slice(0, 2)).toEqual(['N0', 'N20'])
})

test('a list looks at 5,000 animals, then offers to continue', async () => {
  const store = await edge.store('far')
  const [far = 0n] = await store.addAnimals({ name: 'Far' })
  await store.putProfile(far, { sex: 'female' })
  await store.addAnimals(...Array.from({ length: 5100 }, () => ({ name: 'Any' })))
  const { text } = await store.get('/animals?sex=female')
  expect(cardsOn(text)).toEqual([])
  expect(text).toContain('There may be more.')
  const next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await namesAt(store, next)).toEqual(['Far'])
})

test('former addresses and outdated names lead to the current ones', async () => {
  const store = await edge.store('moved')
  const [rex = 0n, bella = 0n] = await store.addAnimals({ name: 'Rex' }, { name: 'בלה' })
  for (const [path, location] of [
    [`/a/${rex}`, `/animals/rex-${rex}`],
    [`/animals/${rex}`, `/animals/rex-${rex}`],
    [`/animals/max-the-dog-${rex}`, `/animals/rex-${rex}`],
    [`/a/${bella}`, `/animals/${bella}`],
    [`/animals/${rex}/print`, `/animals/rex-${rex}/print`],
    [`/animals/max-${rex}/print`, `/animals/rex-${rex}/print`],
    ['/c/1', '/categories/dogs-1'],
    ['/c/1?before=9', '/categories/dogs-1?before=9'],
    ['/categories/cats-1', '/categories/dogs-1'],
    ['/?before=9', '/animals?before=9'],
    ['/?after=9&utm_source=x', '/animals?after=9'],
  ]) {
    const { status, headers } = await store.get(path ?? '')
    expect([path, status, headers.location, headers['cache-control']]).toEqual([
      path,
      301,
      location,
      'public, max-age=0, must-revalidate',
    ])
  }
  expect((await store.get(`/animals/${bella}`)).status).toBe(200)
})
