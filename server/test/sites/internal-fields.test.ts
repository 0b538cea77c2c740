// What members keep to themselves stays there: a canary in each internal field of a profile is found on no page of the
// site and in no log, and no statement outside the feature of animals names such a column, so no mail can hold one.

import { expect, test } from 'vitest'
import { statementsIn, writtenStatements } from '../projects/statement-rules.ts'
import { startTestEdge, type Store } from './environment.ts'

const CANARY = 'canary-7f3a'
const internal = { externalId: `${CANARY}-1`, chipNumber: `${CANARY}-2`, internalNotes: `${CANARY}-3` }
const edge = await startTestEdge()

async function storeWith(slug: string, story: string): Promise<Store> {
  const store = await edge.store(slug)
  const [id = 0n] = await store.addAnimals({ name: 'Rex' })
  await store.putProfile(id, { ...internal, story, breed: 'Labrador', sex: 'male' })
  return store
}

/** Every page that a link, a form or the site map of another one leads to. */
async function pagesOf(store: Store): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  const open = ['/', '/sitemap.xml', '/robots.txt', '/animals?sex=male&q=re', '/thanks?animal=1', '/nowhere']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    const { text, headers } = await store.get(path)
    seen.set(path, `${JSON.stringify(headers)}\n${text}`)
    const named = [...text.matchAll(/(?:href|src|action)="(\/[^"#]*)|<loc>https?:\/\/[^/<]*(\/[^<]*)/g)]
    open.push(...named.map(([, link, place]) => (link ?? place ?? '/').replaceAll('&amp;', '&')))
    if (typeof headers.location === 'string') open.push(new URL(headers.location, 'http://site.test').pathname)
  }
  return seen
}

const hitsIn = (texts: Iterable<string>) => [...texts].filter((text) => text.includes(CANARY)).length

test('a canary in each internal field is on no page and in no log', async () => {
  const pages = await pagesOf(await storeWith('kept', 'A calm dog.'))
  expect(pages.size).toBeGreaterThan(8)
  expect([...pages.values()].join('')).toContain('A calm dog.')
  expect([hitsIn(pages.values()), hitsIn(edge.logs)]).toEqual([0, 0])
})

test('a canary in a field that visitors see is found (negative control)', async () => {
  const pages = await pagesOf(await storeWith('shown', `A calm dog, ${CANARY}.`))
  expect(hitsIn(pages.values())).toBeGreaterThan(0)
})

const INTERNAL_COLUMN = /\b(external_id|chip_number|internal_notes)\b/
const namingThem = (statements: readonly { name: string; text: string }[]) =>
  statements.filter(({ text }) => INTERNAL_COLUMN.test(text) || /pet_profiles\.\*|select \*/.test(text))

test('only the feature of animals reads internal columns', () => {
  const others = writtenStatements().filter(({ file }) => !file.startsWith('animals/'))
  expect(others.length).toBeGreaterThan(100)
  expect(namingThem(others)).toEqual([])
  const leaking = statementsIn("statement<Row, []>(\n 'leak',\n `select chip_number from pet_profiles`)")
  expect(namingThem(leaking)).toHaveLength(1)
})
