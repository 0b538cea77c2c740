// What open event streams cost: they are limited in number, charge no quota, and end with the right to watch.

import { beforeAll, expect, test } from 'vitest'
import { openEvents, type EventStream } from '../../../testbed/harness/event-stream.ts'
import { PLATFORM, type PersonClient, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { startPeople, type People } from './people.ts'

const LIMITS = JSON.stringify({ accountStreams: 2, streams: { free: 3 }, processStreams: 8 })

let people: People

beforeAll(async () => {
  people = await startPeople({ env: { LIMITS } })
})

const watchPath = ({ slug }: { slug: string }) => `/watch?topics=project:${slug}`
const openWith = (owner: PlatformOwner, headers: Record<string, string>) =>
  openEvents(people.test.origin, `${PLATFORM}${watchPath(owner)}`, headers)
const open = (owner: PlatformOwner, { cookie }: { cookie: string } = owner) => openWith(owner, { Cookie: cookie })

/** Streams that have been opened; the server notices a little later that one was closed. */
async function opened(count: number, owner: PlatformOwner, person: { cookie: string } = owner) {
  const streams: EventStream[] = []
  await expect
    .poll(
      async () => {
        const stream = await open(owner, person)
        if (stream.status === 200) streams.push(stream)
        return streams.length
      },
      { timeout: 30_000 },
    )
    .toBe(count)
  return { close: () => streams.forEach((stream) => stream.close()) }
}

const refusalOf = async (owner: PlatformOwner, person: PersonClient) => {
  const { status, headers, text } = await person.send('GET', watchPath(owner))
  return { status, retryAfter: headers['retry-after'], text }
}

test('an account has few streams, and one that is closed makes room', async () => {
  const mia = await people.owner()
  const streams = await opened(2, mia)
  expect(await refusalOf(mia, mia)).toEqual({
    status: 429,
    retryAfter: '10',
    text: expect.stringContaining('Your account has 2 open event streams, the limit.') as string,
  })
  streams.close()
  ;(await opened(1, mia)).close()
})

test('a project has as many as its plan includes', async () => {
  const mia = await people.owner()
  const guest = await people.joins(mia, 'viewer')
  const [own, others] = [await opened(2, mia), await opened(1, mia, guest)]
  const refused = await refusalOf(mia, guest)
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringContaining(`The project '${mia.slug}' has 3 open event streams; the plan 'free' includes no more.`),
  ])
  own.close()
  others.close()
})

test('a refused request, and one for the head alone, occupy nothing', async () => {
  const mia = await people.owner()
  for (let n = 0; n < 20; n++) {
    expect((await mia.send('HEAD', watchPath(mia))).status).toBe(200)
    expect((await mia.send('GET', '/watch?topics=project:nowhere-at-all')).status).toBe(404)
  }
  ;(await opened(2, mia)).close()
})

test('what happens while a stream is open charges its account nothing', async () => {
  const mia = await people.owner()
  const guest = await people.joins(mia, 'viewer')
  const remaining = async () =>
    Number(/;r=(\d+)/.exec(String((await guest.send('GET', '/account')).headers['ratelimit']))?.[1])
  const stream = await open(mia, guest)
  const before = await remaining()
  for (let n = 0; n < 25; n++) await mia.send('PATCH', `/projects/${mia.slug}`, { name: `Name ${n}` })
  await expect.poll(() => stream.text(), { timeout: 10_000 }).toContain('project_renamed')
  expect(before - (await remaining())).toBe(1)
  stream.close()
})

test('a stream ends with its session, and with its access token', async () => {
  const mia = await people.owner()
  const created = await mia.send('POST', '/account/tokens', { label: 'Till' })
  const { id, token } = created.json as { id: string; token: string }
  const byToken = await openWith(mia, { Authorization: `Bearer ${token}` })
  expect(byToken.status).toBe(200)
  expect((await mia.send('DELETE', `/account/tokens/${id}`)).status).toBe(204)
  await byToken.ended
  const bySession = await open(mia)
  expect((await mia.send('DELETE', '/session')).status).toBe(204)
  await bySession.ended
})

test('a stream ends with its project', async () => {
  const mia = await people.owner()
  const stream = await open(mia)
  expect((await mia.send('DELETE', `/projects/${mia.slug}`, { slug: mia.slug })).status).toBe(204)
  await stream.ended
  expect(stream.text()).toContain(JSON.stringify({ topic: `project:${mia.slug}`, reason: 'not_allowed' }))
})
