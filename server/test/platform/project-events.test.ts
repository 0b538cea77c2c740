// Projects as topics of the event stream: server-sent events over a real socket, emitted as audit events are recorded.

import { beforeAll, expect, test } from 'vitest'
import { recordAudit } from '../../src/projects/project-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { openEvents, type EventStream } from '../../../testbed/harness/event-stream.ts'
import { startPeople, type People } from './people.ts'
import { PLATFORM, type PlatformOwner } from '../../../testbed/harness/platform.ts'

let people: People
let mia: PlatformOwner

beforeAll(async () => {
  people = await startPeople()
  mia = await people.owner()
})

const open = ({ slug }: { slug: string }, headers: Record<string, string>): Promise<EventStream> =>
  openEvents(people.test.origin, `${PLATFORM}/watch?topics=project:${slug}`, headers)

/** Resolves once the stream has sent the newest audit event. */
async function watch(owner: PlatformOwner, { cookie }: { cookie: string } = owner): Promise<EventStream> {
  const stream = await open(owner, { Cookie: cookie })
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
  await expect.poll(() => stream.text()).toMatch(/^(event: changed|: still here)/m)
  if (stream.text().includes('event: changed')) await stream.next()
  return stream
}

const eventsIn = (stream: EventStream) => stream.text().split('event: changed').length
/** What an event says about the project. */
const says = ({ slug }: { slug: string }, ...actions: string[]) => ({
  event: 'changed',
  data: JSON.stringify({ topic: `project:${slug}`, actions }),
})
const category = (owner: PlatformOwner, name: string) =>
  owner.send('POST', `/projects/${owner.slug}/categories`, { name })

test('the stream begins with the newest audit event', async () => {
  const fresh = await people.owner()
  const stream = await open(fresh, { Cookie: fresh.cookie })
  expect(await stream.next()).toEqual(says(fresh, 'project_created'))
  stream.close()
})

test('the stream sends each audit event as it is recorded, by people and by other actors', async () => {
  const stream = await watch(mia)
  const startedAt = performance.now()
  expect((await category(mia, 'Dogs')).status).toBe(201)
  expect(await stream.next()).toEqual(says(mia, 'category_created'))
  process.stdout.write(
    `events: what was done was told ${Math.round(performance.now() - startedAt)} ms after it was asked for\n`,
  )
  await inProjectOf(people.test.service.database)(mia.project, (db) =>
    recordAudit(db, mia.project, { actor: 'visitor', action: 'order_placed', subject: '7', detail: { name: 'Ben' } }),
  )
  expect(await stream.next()).toEqual(says(mia, 'order_placed'))
  expect(stream.text()).not.toContain('Ben')
  stream.close()
})

test('the stream sends nothing of another project', async () => {
  const other = await people.owner()
  const stream = await watch(mia)
  const before = eventsIn(stream)
  await category(other, 'Parrots')
  await category(mia, 'Fish')
  await category(other, 'Snails')
  expect(await stream.next()).toBeDefined()
  await mia.send('PATCH', `/projects/${mia.slug}`, { name: 'Renamed' })
  expect(await stream.next()).toEqual(says(mia, 'project_renamed'))
  expect(eventsIn(stream)).toBe(before + 2)
  stream.close()
})

test('the stream sends nothing of a transaction that is rolled back', async () => {
  const stream = await watch(mia)
  const undone = inProjectOf(people.test.service.database)(mia.project, async (db) => {
    await recordAudit(db, mia.project, { actor: 'operator', action: 'plan_set', subject: mia.slug })
    throw new Error('and not done')
  })
  await expect(undone).rejects.toThrow('and not done')
  await category(mia, 'Rabbits')
  expect(await stream.next()).toEqual(says(mia, 'category_created'))
  stream.close()
})

test('the stream is for all members, and ends for a person who is no longer one', async () => {
  const guest = await people.joins(mia, 'viewer')
  const stream = await watch(mia, guest)
  await category(mia, 'Horses')
  expect(await stream.next()).toEqual(says(mia, 'category_created'))
  expect((await mia.send('DELETE', `/projects/${mia.slug}/members/${guest.id}`)).status).toBe(204)
  expect(await stream.next()).toEqual({
    event: 'ended',
    data: JSON.stringify({ topic: `project:${mia.slug}`, reason: 'not_allowed' }),
  })
  await stream.ended
  expect(stream.text()).not.toContain('member_removed')
})

test('the stream is refused like any other request: to a stranger, without a session, and for an unknown project', async () => {
  const stranger = await people.owner()
  expect((await open(mia, { Cookie: stranger.cookie })).status).toBe(404)
  expect((await open(mia, {})).status).toBe(401)
  expect((await open({ slug: 'nowhere-at-all' }, { Cookie: mia.cookie })).status).toBe(404)
})

test('one stream carries several projects, and names those that the account may not watch', async () => {
  const other = await people.owner()
  const guest = await people.joins(mia, 'viewer')
  const topics = [mia, other].map(({ slug }) => `project:${slug}`)
  const path = `${PLATFORM}/watch?topics=${topics.join(',')},project:nowhere-at-all`
  const stream = await openEvents(people.test.origin, path, { Cookie: guest.cookie })
  const ended = [other, { slug: 'nowhere-at-all' }].map(
    ({ slug }) => `{"topic":"project:${slug}","reason":"not_allowed"}`,
  )
  await expect.poll(() => ended.filter((data) => stream.text().includes(data))).toEqual(ended)
  await category(mia, 'Geese')
  await expect.poll(() => stream.text()).toContain('category_created')
  stream.close()
})

test.each(['', '?topics=', '?topics=project:', '?topics=willow', `?topics=${Array(17).fill('project:a').join(',')}`])(
  'topics are required, well formed and at most 16: %s',
  async (query) => {
    const refused = await mia.send('GET', `/watch${query}`)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"invalid_parameter"')])
  },
)
