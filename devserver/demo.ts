// Creates the demo store: a small shelter with likeable names, its owner, and its site.
// Created through `/platform/v1`, as its owner would.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteSettings } from '@petstore-platform/contract/platform/site'
import { demoAnimals, demoCategories, profileOf } from './demo-animals.ts'
import { demoPhotos, fileOf } from './demo-photos.ts'
import { seedRequests, type PlacedRequest } from './demo-requests.ts'

/** For development alone: everyone who can read this can sign in. */
export const demoOwner = {
  email: 'owner@willow-street.example',
  password: 'otters juggle lanterns',
  name: 'Robin',
} as const
export const DEMO_SLUG = 'demo'

const STORE = 'Willow Street Animal Shelter'
const settings: Omit<SiteSettings, 'hiddenCategories'> & { hiddenCategories: never[] } = {
  title: STORE,
  tagline: 'Every one of them is waiting for a person like you.',
  about: `## Who we are

We are eleven people, two vans and a house at the end of **Willow Street**. Animals come to us when no other house has
room for them, and they stay until one has.

## How it works

- Choose an animal and *ask for it*: we write or call.
- Come by, spend an afternoon, ask us anything.
- If you like each other, it goes home with you.

We are open **Tuesday to Sunday, 10 to 18**. Bring time.`,
  themeColor: '#2f6f4f',
  look: 'meadow',
  language: 'en',
  languages: [],
  contact: {
    email: 'hello@willow-street.example',
    phone: '+44 20 7946 0958',
    address: '12 Willow Street, Little Dunmow',
  },
  hiddenCategories: [],
  questions: null,
}

export type Demo = {
  platform: string
  origin: string
  /** The secret of the link with which the owner signs up. */
  invited: (email: string) => Promise<string>
  /** As if a visitor had asked for an animal on the site. */
  place: (request: PlacedRequest) => Promise<bigint>
  backdate: (order: bigint, hours: number) => Promise<void>
  isEmpty: boolean
  patienceMs: number
}

/** Signs the owner up with a store, publishes its site, and lets people ask for its animals. */
export async function makeDemo({
  platform,
  origin,
  invited,
  place,
  backdate,
  isEmpty,
  patienceMs,
}: Demo): Promise<void> {
  const ask = platformClient(platform, { Origin: origin })
  const { email, ...person } = demoOwner
  await ask('POST', '/accounts', { secret: await invited(email), ...person })
  await ask('POST', '/projects', { slug: DEMO_SLUG, name: STORE, kind: 'shelter' })
  await seedStore(ask, DEMO_SLUG, { isEmpty, patienceMs })
  if (!isEmpty) await seedRequests({ ask, slug: DEMO_SLUG, place, backdate, now: new Date() })
}

const READS_MAX = 30

type PlatformRequest = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** A client with these headers, which then keeps the session cookie that it gets. A Blob is sent as it is. */
export function platformClient(platform: string, headers: Readonly<Record<string, string>>): PlatformRequest {
  const sent = { ...headers }
  const send = (method: string, path: string, body?: object) =>
    fetch(`${platform}${path}`, {
      method,
      headers: { ...sent, ...(body && { 'Content-Type': body instanceof Blob ? body.type : 'application/json' }) },
      ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    })
  return async (method, path, body) => {
    let answer = await send(method, path, body)
    // On a machine without a free core the database may keep a request waiting for too long. Reading can be repeated.
    const most = method === 'GET' ? READS_MAX : 0
    for (let count = 0; answer.status === 503 && count < most; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      answer = await send(method, path, body)
    }
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0]
    if (cookie !== undefined) sent['Cookie'] = cookie
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
}

type SeedOptions = {
  isEmpty: boolean
  patienceMs: number
  /** Unless given, every animal has all of its photos; processing them takes longer than everything else. */
  photosMax?: number
}

/** Animals and words for a store that is there, and its site published. */
export async function seedStore(
  ask: PlatformRequest,
  slug: string,
  { isEmpty, patienceMs, photosMax = Infinity }: SeedOptions,
): Promise<void> {
  const project = `/projects/${slug}`
  if (!isEmpty) {
    const ids = new Map<string, unknown>()
    let photosLeft = photosMax
    for (const name of demoCategories) ids.set(name, (await ask('POST', `${project}/categories`, { name }))['id'])
    for (const animal of demoAnimals) {
      const { name, category, status = 'available' } = animal
      const { id } = await ask('POST', `${project}/animals`, { name, categoryId: ids.get(category), status })
      await ask('PUT', `${project}/animals/${String(id)}/profile`, profileOf(animal))
      photosLeft -= await addPhotos(ask, `${project}/animals/${String(id)}/photos`, name, photosLeft)
    }
  }
  const { version } = await ask('GET', `${project}/site`)
  await ask('PUT', `${project}/site`, { version, ...settings })
  const { id } = await ask('POST', `${project}/deployments`)
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { state, reason } = await ask('GET', `${project}/deployments/${String(id)}`)
    if (state === 'succeeded') return
    if (state === 'failed' || performance.now() > deadline)
      throw new Error(`the site is ${String(state)}: ${String(reason)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** As an owner would: uploaded one by one, described, and processed in the background. Returns how many. */
async function addPhotos(ask: PlatformRequest, path: string, name: string, most: number): Promise<number> {
  const photos = (demoPhotos[name] ?? []).slice(0, most)
  for (const [index, { alt }] of photos.entries()) {
    const bytes = await readFile(join(import.meta.dirname, 'demo-photos', fileOf(name, index)))
    const { id } = await ask('POST', path, new Blob([bytes], { type: 'image/jpeg' }))
    await ask('PATCH', `${path}/${String(id)}`, { alt })
  }
  return photos.length
}
