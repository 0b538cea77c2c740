// Domains as topics of the event stream: server-sent events over a real socket.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { beforeAll, expect, test } from 'vitest'
import { asProject } from '../v1/responses.ts'
import { domainsPath, startDomainOwners, type DomainOwners } from './owners.ts'
import { openEvents, type EventStream } from '../../../testbed/harness/event-stream.ts'
import { DASHBOARD, PLATFORM, type PlatformOwner } from '../../../testbed/harness/platform.ts'

let owners: DomainOwners
let mia: PlatformOwner
const target = 'watchers.petstore.example'

beforeAll(async () => {
  owners = await startDomainOwners()
  mia = await owners.ready('watchers')
})

async function added(hostname: string): Promise<void> {
  owners.dns.tell(hostname, [])
  expect((await mia.send('POST', domainsPath(mia), { hostname })).status).toBe(201)
}

const topicOf = (hostname: string, { slug }: { slug: string } = mia) => `domain:${slug}/${hostname}`
const watchPath = (hostname: string, owner?: { slug: string }) => `/watch?topics=${topicOf(hostname, owner)}`
const watch = (hostname: string, { cookie }: { cookie: string } = mia): Promise<EventStream> =>
  openEvents(owners.people.test.origin, `${PLATFORM}${watchPath(hostname)}`, { Cookie: cookie })

const domainIn = async (stream: EventStream) => {
  const event = await stream.next()
  expect(event?.event, `it says ${stream.text()}`).toBe('changed')
  return (JSON.parse(event?.data ?? '') as { domain: Domain }).domain
}

test('the stream begins with the current domain and continues with each change as it happens', async () => {
  await added('www.watched.com')
  const stream = await watch('www.watched.com')
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
  const first = await domainIn(stream)
  expect(first).toMatchObject({ hostname: 'www.watched.com', status: 'pending_dns' })

  owners.dns.tell('www.watched.com', [`www.watched.com CNAME ${target}`])
  const startedAt = performance.now()
  await mia.send('POST', domainsPath(mia, '/www.watched.com/verify'))
  let domain = await domainIn(stream)
  while (domain.axes.ownership !== 'proven') domain = await domainIn(stream)
  process.stdout.write(
    `events: a change was seen ${Math.round(performance.now() - startedAt)} ms after it was asked for\n`,
  )
  expect(domain).toMatchObject({ status: 'issuing', axes: { proof: 'cname', routing: 'pointing' } })
  stream.close()
})

test('several clients can watch at once, and each receives the end when the domain is removed', async () => {
  await added('www.crowd.com')
  const streams = await Promise.all(Array.from({ length: 5 }, () => watch('www.crowd.com')))
  await Promise.all(streams.map(domainIn))
  await mia.send('DELETE', domainsPath(mia, '/www.crowd.com'))
  for (const stream of streams) {
    let event = await stream.next()
    while (event?.event === 'changed') event = await stream.next()
    const data = JSON.stringify({ topic: topicOf('www.crowd.com'), reason: 'removed' })
    expect(event).toEqual({ event: 'ended', data })
    await stream.ended
  }
})

test('a watched domain is checked within seconds', async () => {
  await added('www.hurried.com')
  const stream = await watch('www.hurried.com')
  await domainIn(stream)
  const times = () =>
    asProject(owners.people.test.database, mia.project, async (client) => {
      const { rows } = await client.query<{ watched: boolean; due: number }>(
        `select watched_until > now() as watched, extract(epoch from next_look_at - now())::float8 as due
         from domains where hostname = 'www.hurried.com'`,
      )
      return rows[0]
    })
  // The watch is recorded right after the first event is sent.
  let found = await times()
  while (!found?.watched) found = await times()
  expect(found.due).toBeLessThanOrEqual(5)
  stream.close()
})

test('the stream ends when the session ends, and nothing is sent after that', async () => {
  await added('www.ended.com')
  const guest = await owners.people.joins(mia, 'viewer')
  const stream = await watch('www.ended.com', guest)
  await domainIn(stream)
  expect((await guest.send('DELETE', '/session')).status).toBe(204)
  owners.dns.tell('www.ended.com', [`www.ended.com CNAME ${target}`])
  await mia.send('POST', domainsPath(mia, '/www.ended.com/verify'))
  await stream.ended
  expect(stream.text()).not.toContain('"proven"')
})

test('the stream ends for a person who is no longer a member, though it watches the domain alone', async () => {
  await added('www.left.com')
  const guest = await owners.people.joins(mia, 'viewer')
  const stream = await watch('www.left.com', guest)
  await domainIn(stream)
  expect((await mia.send('DELETE', `/projects/${mia.slug}/members/${guest.id}`)).status).toBe(204)
  await stream.ended
  expect(stream.text()).toContain(JSON.stringify({ topic: topicOf('www.left.com'), reason: 'not_allowed' }))
})

test('the stream is refused like any other request: to a stranger, without a session, and for an unknown hostname', async () => {
  await added('www.closed.com')
  const stranger = await owners.people.owner()
  const path = `${PLATFORM}${watchPath('www.closed.com')}`
  const { origin } = owners.people.test
  expect((await openEvents(origin, path, { Cookie: stranger.cookie })).status).toBe(404)
  expect((await openEvents(origin, path, {})).status).toBe(401)
  expect((await watch('www.nowhere.com')).status).toBe(404)
  const head = await mia.send('HEAD', watchPath('www.closed.com'))
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream'])
  const wrong = await mia.send('GET', watchPath('www.closed.com'), undefined, { Accept: 'image/png' })
  expect(wrong.status).toBe(406)
})

test('the stream ends at once when the service stops', async () => {
  const own = await startDomainOwners()
  const owner = await own.ready()
  own.dns.tell('www.stopped.com', [])
  await owner.send('POST', domainsPath(owner), { hostname: 'www.stopped.com' })
  const path = `${PLATFORM}${watchPath('www.stopped.com', owner)}`
  const stream = await openEvents(own.people.test.origin, path, { Cookie: owner.cookie, Origin: DASHBOARD })
  await domainIn(stream)
  const startedAt = performance.now()
  await own.people.test.service.stop()
  await stream.ended
  expect(performance.now() - startedAt).toBeLessThan(3000)
})
