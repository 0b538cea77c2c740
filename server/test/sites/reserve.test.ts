// The form with which visitors of a published site ask for an animal, where no mail is sent: who may send it, how
// mistakes are shown, and that those who ask wait in a queue, of which no animal has more than its places.

import { beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { HOSTILE, contentWith } from '../../../testbed/samples/sites.ts'
import { startTestEdge, tokenOf, type Store, type TestEdge } from './environment.ts'

const START = Date.UTC(2026, 0, 5, 12, 0, 30)
const HOUR = 3_600_000

let now = START
let edge: TestEdge
let store: Store
let other: Store

beforeAll(async () => {
  edge = await startTestEdge({}, { now: () => now })
  store = await edge.store('forms', contentWith({ hiddenCategories: [13n] }))
  other = await edge.store('other')
})

const mia = { name: 'Mia', contact: 'mia@example.org', message: 'Is she shy?' }
let contacts = 0
/** Each visitor may ask for a few animals only. */
const newContact = () => `mia-${(contacts += 1)}@example.org`
const animal = async (name = 'Rex'): Promise<bigint> => (await store.addAnimals({ name }))[0] ?? 0n

async function filled(petId: bigint): Promise<Record<string, string>> {
  return { ...mia, contact: newContact(), website: '', token: await tokenOf(store, petId) }
}

describe('a request', () => {
  test('waits in the queue of the animal with what was typed, and leads to a page that names no person', async () => {
    const id = await animal()
    const form = await filled(id)
    const answer = await store.post(`/animals/rex-${id}`, form, {
      Origin: `http://${store.host}`,
      'Sec-Fetch-Site': 'same-origin',
    })
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
      303,
      `/thanks?animal=${id}`,
      'no-store',
    ])
    expect(await ordersFor(id)).toEqual([{ ...mia, contact: form.contact, phone: '' }])

    const thanks = await store.get(answer.headers.location ?? '')
    expect(thanks.text).toContain('<bdi>Rex</bdi>')
    expect(thanks.text).not.toContain('Mia')
    // The animal is still there for others to ask for.
    const page = await store.get(`/animals/rex-${id}`)
    expect(page.text).toContain('<form')
    expect((await store.get('/')).text).toContain(`/animals/rex-${id}"`)
  })

  test('joins those of others, until the queue of the animal is full', async () => {
    const id = await animal()
    const form = await filled(id)
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, n) => store.post(`/a/${id}`, { ...form, contact: `v${n}@visitor.example` })),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.text).toContain('Many people have asked for this animal already')
    expect(await ordersFor(id)).toHaveLength(20)
  })

  test('for a reserved animal is accepted, and for one that has a home it is not', async () => {
    const [reserved = 0n, sold = 0n] = await store.addAnimals(
      { name: 'Rex', status: 'pending' },
      { name: 'Bo', status: 'available' },
    )
    expect((await store.get(`/animals/rex-${reserved}`)).text).toContain('You can still ask for it')
    expect((await store.post(`/a/${reserved}`, { ...(await filled(reserved)), contact: 'r@b.example' })).status).toBe(
      303,
    )
    const form = await filled(sold)
    await setSold(sold)
    const { status, text } = await store.post(`/a/${sold}`, { ...form, contact: 's@b.example' })
    expect([status, text.includes('this animal has just found a home')]).toEqual([409, true])
    expect(await ordersFor(sold)).toEqual([])
  })

  test('of one contact is accepted once for an animal, and for three animals at a time', async () => {
    const contact = 'Ann@Visitor.example'
    const animals = await store.addAnimals(...['A', 'B', 'C', 'D'].map((name) => ({ name })))
    const [first = 0n, second = 0n, third = 0n, fourth = 0n] = animals
    const send = async (id: bigint, typed = contact) =>
      store.post(`/a/${id}`, { ...(await filled(id)), contact: typed })
    for (const id of [first, second, third]) expect((await send(id)).status).toBe(303)
    expect((await send(first, contact.toLowerCase())).text).toContain('You have already asked for this animal.')
    const { status, text } = await send(fourth)
    expect([status, text.includes('You have already asked for three animals.')]).toEqual([409, true])
  })

  test('with hostile text is stored as it was written', async () => {
    const id = await animal()
    const typed = {
      name: HOSTILE.slice(0, 80),
      contact: 'hostile@b.example',
      phone: '+44 (20) 7946-0958',
      message: `${HOSTILE}'; drop table pets; --`,
    }
    expect((await store.post(`/a/${id}`, { ...(await filled(id)), ...typed })).status).toBe(303)
    expect(await ordersFor(id)).toEqual([typed])
  })

  test.each(['1234', '1'.repeat(31), 'call me', '020 7946 <b>', '+++++'])(
    'with the phone number %j is returned',
    async (phone) => {
      const id = await animal()
      const { status } = await store.post(`/a/${id}`, { ...(await filled(id)), phone })
      expect([status, await ordersFor(id)]).toEqual([422, []])
    },
  )

  test('is logged without any of the typed text', async () => {
    const id = await animal()
    await store.post(`/a/${id}`, { ...(await filled(id)), name: 'Unmistakable Ursula' })
    const lines = edge.logs.filter((line) => line.includes('"POST"'))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toMatch(/Ursula|mia@example|127\.0\.0\.1/)
  })
})

describe('a form with mistakes', () => {
  test('comes back filled, with a message next to each field', async () => {
    const id = await animal()
    const { status, text, headers } = await store.post(`/a/${id}`, {
      ...(await filled(id)),
      name: ' ',
      contact: '<nowhere>',
    })
    expect([status, headers['cache-control']]).toEqual([422, 'no-store'])
    expect(text).toContain('id="name-wrong">Please enter your name.')
    expect(text).toContain('id="contact-wrong">This is neither')
    expect(text).toContain('value="&lt;nowhere&gt;"')
    expect(text).toContain('Is she shy?</textarea')
    expect(await ordersFor(id)).toEqual([])
  })

  test('can be sent at once when it is fixed', async () => {
    const id = await animal()
    const { text } = await store.post(`/a/${id}`, { ...(await filled(id)), name: '' })
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await store.post(`/a/${id}`, { ...mia, contact: newContact(), token })).status).toBe(303)
  })

  test.each([
    ['forged', () => 'A'.repeat(43)],
    ['empty', () => ''],
    ['longer', (token: string) => `${token}A`],
    ['cut', (token: string) => token.slice(1)],
  ])('is not accepted with a token that is %s, and nothing typed is lost', async (_, twist) => {
    const id = await animal()
    const form = await filled(id)
    const { status, text } = await store.post(`/a/${id}`, { ...form, token: twist(form.token ?? '') })
    expect(status).toBe(422)
    expect(text).toContain('Please send the form again.')
    expect(text).toContain(`value="${form.contact}"`)
    expect(await ordersFor(id)).toEqual([])
  })

  test('is not accepted with the token of another animal or of another store', async () => {
    const [id, second] = [await animal(), await animal('Bo')]
    const [foreign = 0n] = await other.addAnimals({ name: 'Sue' })
    for (const token of [await tokenOf(store, second), await tokenOf(other, foreign)]) {
      expect((await store.post(`/a/${id}`, { ...(await filled(id)), token })).status).toBe(422)
    }
    expect(await ordersFor(id)).toEqual([])
  })

  test('can be sent for two hours and not for three', async () => {
    const [young, old] = [await animal(), await animal()]
    const [youngForm, oldForm] = [await filled(young), await filled(old)]
    now = START + 2 * HOUR
    expect((await store.post(`/a/${young}`, youngForm)).status).toBe(303)
    now = START + 3 * HOUR
    expect((await store.post(`/a/${old}`, oldForm)).status).toBe(422)
    now = START
  })

  test('is not accepted when the hidden field is filled', async () => {
    const id = await animal()
    const { status, text } = await store.post(`/a/${id}`, { ...(await filled(id)), website: 'https://spam.example' })
    expect(status).toBe(422)
    expect(text).not.toContain('spam.example')
    expect(await ordersFor(id)).toEqual([])
  })
})

describe('a request of another origin', () => {
  test.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://other.petstore.test:3080' },
    { Origin: 'http://forms.petstore.test:9999' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('%j is refused', async (headers) => {
    const id = await animal()
    expect((await store.post(`/a/${id}`, await filled(id), headers as Record<string, string>)).status).toBe(403)
    expect(await ordersFor(id)).toEqual([])
  })

  test('cannot reserve an animal of another store, nor one that is hidden', async () => {
    const [foreign = 0n] = await other.addAnimals({ name: 'Sue' })
    const [hidden = 0n] = await store.addAnimals({ name: 'Hugo', categoryId: 13n })
    const withheld = await animal('Withheld')
    const form = await filled(withheld)
    await store.putProfile(withheld, { isHidden: true })
    expect((await store.post(`/animals/withheld-${withheld}`, form)).status).toBe(404)
    expect(await ordersFor(withheld)).toEqual([])
    for (const id of [foreign, hidden]) expect((await store.post(`/a/${id}`, { ...mia, token: 'x' })).status).toBe(404)
  })
})

describe('a body', () => {
  test('of more than 32 KiB is too large, and a smaller one is read', async () => {
    const id = await animal()
    expect((await store.post(`/a/${id}`, { ...mia, message: 'x'.repeat(32_768) })).status).toBe(413)
    expect((await store.post(`/a/${id}`, { ...mia, message: 'x'.repeat(30_000) })).status).toBe(422)
  })

  test('that is no form is refused', async () => {
    const id = await animal()
    expect((await store.post(`/a/${id}`, mia, { 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await store.post(`/a/${id}`, {}, { 'Content-Type': 'multipart/form-data; boundary=x' })).status).toBe(415)
  })

  test('is accepted by the page of an animal and by no other', async () => {
    expect((await store.post('/', mia)).status).toBe(405)
    expect((await store.post('/thanks', mia)).status).toBe(405)
  })
})

describe('a rate limit', () => {
  test('per address ends in a friendly page, with the form still filled', async () => {
    const narrow = await startTestEdge({ RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '2' })
    const shop = await narrow.store('narrow')
    const [id = 0n] = await shop.addAnimals({ name: 'Rex' })
    const form = { ...mia, name: '', token: await tokenOf(shop, id) }
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await shop.post(`/a/${id}`, form)).status)
    expect(statuses).toEqual([422, 422, 429])
    const { headers, text } = await shop.post(`/a/${id}`, form)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(text).toContain('Nothing is lost')
    expect(text).toContain('value="mia@example.org"')
  })

  test('per project counts valid requests, and leaves other projects alone', async () => {
    const narrow = await startTestEdge({ RATE_LIMIT_RESERVATIONS_PER_PROJECT: '1' })
    const [shop, calm] = [await narrow.store('busy'), await narrow.store('calm')]
    const [first = 0n, second = 0n] = await shop.addAnimals({ name: 'A' }, { name: 'B' })
    const [third = 0n] = await calm.addAnimals({ name: 'C' })
    const send = async (at: Store, id: bigint, name: string) =>
      (await at.post(`/a/${id}`, { ...mia, name, token: await tokenOf(at, id) })).status
    expect(await send(shop, first, '')).toBe(422)
    expect(await send(shop, first, 'Mia')).toBe(303)
    expect(await send(shop, second, 'Mia')).toBe(429)
    expect(await send(calm, third, 'Mia')).toBe(303)
  })
})

test('a shop with as many open requests as its plan includes says so, and names its phone number', async () => {
  const full = await startTestEdge({ LIMITS: '{"openRequests": 1}' })
  const shop = await full.store('full', contentWith({ contact: { email: '', phone: '+44 20 7946 0958', address: '' } }))
  const [first = 0n, second = 0n] = await shop.addAnimals({ name: 'A' }, { name: 'B' })
  const send = async (id: bigint) =>
    shop.post(`/a/${id}`, { ...mia, contact: newContact(), token: await tokenOf(shop, id) })
  expect((await send(first)).status).toBe(303)
  const { status, text } = await send(second)
  expect(status).toBe(429)
  expect(text).toContain('as many open requests as we can look after')
  expect(text).toContain('+44 20 7946 0958')
})

const findOrders = statement<typeof mia & { phone: string }, [project: ProjectId, petId: bigint]>(
  'test-orders-of-pet',
  `select visitor_name as name, visitor_contact as contact, visitor_phone as phone, message from orders where project_id = $1 and pet_id = $2`,
)

const setSoldRow = statement<never, [project: ProjectId, petId: bigint]>(
  'test-set-sold',
  `update pets set status = 'sold' where project_id = $1 and id = $2`,
)
const setSold = (petId: bigint) =>
  inProjectOf(edge.database)(store.project, (db) => db(setSoldRow, store.project, petId))

const ordersFor = (petId: bigint) =>
  inProjectOf(edge.database)(store.project, (db) => db(findOrders, store.project, petId))
