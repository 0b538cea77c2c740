// The audit trail on `/platform/v1`: the audit events it returns, to whom, and how its pages
// are joined.

import { auditActions } from '@petstore-platform/contract/platform/audit'
import { describe, expect, test } from 'vitest'
import { recordAudit, type AuditEvent } from '../../src/projects/project-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject, expectRefusal, linksOf, nextOf } from '../v1/responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { bytesOf, startPeople } from './people.ts'
import { PLATFORM, type PlatformOwner } from '../../../testbed/harness/platform.ts'

type Entry = {
  id: number
  at: string
  actor: { kind: string; id: string | null; name: string | null }
  action: string
  subject: string
  detail: object
}

const people = await startPeople()
const mia = await people.owner()
const other = await people.owner()

const pathOf = ({ slug }: PlatformOwner, query = '') => `/projects/${slug}/audit${query}`
const entriesOf = ({ json }: Received) => json as Entry[]
const read = async (owner: PlatformOwner, query = '') => entriesOf(await owner.send('GET', pathOf(owner, query)))
const does = ({ project }: PlatformOwner, ...events: AuditEvent[]) =>
  inProjectOf(people.test.service.database)(project, async (db) => {
    for (const auditEvent of events) await recordAudit(db, project, auditEvent)
  })
const outcome = ({ status, text }: Received) =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`

/** All pages, one after the other, by their links. */
async function walk(owner: PlatformOwner, limit: number): Promise<{ entries: Entry[]; pages: number }> {
  const entries: Entry[] = []
  let pages = 0
  let next: string | undefined = `${PLATFORM}${pathOf(owner, `?limit=${limit}`)}`
  while (next !== undefined) {
    const answer: Received = await owner.send('GET', next.slice(PLATFORM.length))
    expect(answer.status).toBe(200)
    expect(entriesOf(answer).length).toBeLessThanOrEqual(limit)
    entries.push(...entriesOf(answer))
    pages += 1
    next = nextOf(answer)
  }
  return { entries, pages }
}

describe('the audit trail', () => {
  test('names who created the project and a key, newest first, by the current name of the person', async () => {
    const owner = await people.owner()
    const key = (await owner.send('POST', `/projects/${owner.slug}/keys`, { label: 'shop' })).json as { id: string }
    await owner.send('PATCH', '/account', { name: 'Mia M.' })
    const actor = { kind: 'account', id: owner.id, name: 'Mia M.' }
    const anything = { id: expect.any(Number), at: expect.stringMatching(/^\d{4}-.*Z$/), actor }
    expect(await read(owner)).toEqual([
      { ...anything, action: 'key_created', subject: key.id, detail: { label: 'shop', scopes: expect.any(Array) } },
      { ...anything, action: 'project_created', subject: owner.slug, detail: {} },
    ])
  })

  test.each(['visitor', 'operator', 'petstore'])('names the %s as the actor, without a personal name', async (kind) => {
    const owner = await people.owner()
    await does(owner, { actor: kind, action: 'site_changed', subject: 'x' })
    expect((await read(owner))[0]?.actor).toEqual({ kind, id: null, name: null })
  })

  test('names several people on one page, each by their own name, and no name without an account', async () => {
    const owner = await people.owner()
    const [ann, ben] = [await people.joins(owner, 'admin', 'Ann'), await people.joins(owner, 'admin', 'Ben')]
    const gone = 'acc_000000000000000000000000'
    const by = (actor: string): AuditEvent => ({ actor, action: 'site_changed', subject: 'x' })
    await does(owner, by(ann.id), by(ben.id), by(gone), by(ann.id))
    const actors = (await read(owner)).slice(0, 4).map(({ actor }) => [actor.id, actor.name])
    expect(actors).toEqual([
      [ann.id, 'Ann'],
      [gone, null],
      [ben.id, 'Ben'],
      [ann.id, 'Ann'],
    ])
  })

  test('keeps every digit of a number, and every character of a text', async () => {
    const owner = await people.owner()
    const nasty = `"},{"id":7,"at":"\\ \u2028 {"id":`
    await asProject(people.test.database, owner.project, (client) =>
      client.query(
        `insert into audit (project_id, actor, action, subject, detail) values ($1, 'petstore', 'animal_changed', $2, $3)`,
        [owner.project, nasty, `{"petId": 9223372036854775807, "text": ${JSON.stringify(nasty)}}`],
      ),
    )
    const { text, json } = await owner.send('GET', pathOf(owner))
    expect(text).toMatch(/"petId": ?9223372036854775807[,}\s]/)
    expect((json as Entry[])[0]).toMatchObject({ subject: nasty, detail: { text: nasty } })
  })
})

test('holds no action that the contract does not list: recording another one does not compile', async () => {
  // @ts-expect-error This action is not listed.
  const auditEvent: AuditEvent = { actor: 'petstore', action: 'something_else', subject: 'x' }
  expect(auditActions).not.toContain(auditEvent.action)
  const listed = await read(mia, '?limit=100')
  expect(listed.filter(({ action }) => !auditActions.some((known) => known === action))).toEqual([])
})

describe('a page of the audit trail', () => {
  test('is part of a walk that returns everything once, in order, whatever the page size and details', async () => {
    const owner = await people.owner()
    const events = Array.from({ length: 24 }, (_, index): AuditEvent => ({
      actor: 'petstore',
      action: 'site_changed',
      subject: String(index),
      // Resembles the beginning of a row, and its end.
      detail: { id: index, list: [{ id: 1 }, { id: 2, at: '},{"id":5,' }], none: {} },
    }))
    await does(owner, ...events)
    const all = await read(owner, '?limit=100')
    expect(all.map(({ subject }) => subject)).toEqual([
      ...events.map(({ subject }) => subject).toReversed(),
      owner.slug,
    ])
    expect(all[0]?.detail).toEqual(events[23]?.detail)
    for (const [limit, pages] of [
      [1, 25],
      [7, 4],
      [24, 2],
      [25, 1],
    ] as const) {
      expect(await walk(owner, limit)).toEqual({ entries: all, pages })
    }
    expect(await read(owner)).toEqual(all.slice(0, 20))
  })

  test('is linked by the address of the installation, and continues in place when events are added', async () => {
    const owner = await people.owner()
    const auditEvent = (subject: string): AuditEvent => ({ actor: 'petstore', action: 'site_changed', subject })
    await does(owner, auditEvent('1'), auditEvent('2'))
    const first = await owner.send('GET', pathOf(owner, '?limit=2'))
    expect(linksOf(first)['next']).toMatch(
      new RegExp(`^https://api\\.petstore\\.example${PLATFORM}/projects/${owner.slug}/audit\\?limit=2&cursor=`),
    )
    await does(owner, auditEvent('3'))
    const second = await owner.send('GET', (nextOf(first) ?? '').slice(PLATFORM.length))
    expect([...entriesOf(first), ...entriesOf(second)].map(({ subject }) => subject)).toEqual(['2', '1', owner.slug])
  })

  test.each([
    ['limit=0', 'invalid_parameter'],
    ['limit=101', 'invalid_parameter'],
    ['limit=x', 'invalid_parameter'],
    ['cursor=x', 'invalid_cursor'],
    ['cursor=', 'invalid_cursor'],
    ['actor=me', 'unknown_parameter'],
  ] as const)('is refused with %s', async (query, code) => {
    expectRefusal(await mia.send('GET', pathOf(mia, `?${query}`)), 400, code)
  })

  test('of another project cannot be reached by a cursor from there', async () => {
    await does(other, { actor: 'petstore', action: 'site_changed', subject: 'secret' })
    const cursor = new URL(linksOf(await other.send('GET', pathOf(other, '?limit=1')))['next'] ?? '').searchParams
    const own = await mia.send('GET', pathOf(mia, `?cursor=${cursor.get('cursor')}`))
    expect(own.status).toBe(200)
    expect(own.text).not.toContain(other.slug)
  })
})

describe('access to the audit trail', () => {
  test('is for admins and owners only', async () => {
    const everybody = await people.everybody(mia)
    const found: Record<string, string> = {}
    for (const [who, visitor] of Object.entries(everybody)) {
      found[who] = outcome(await visitor.send('GET', pathOf(mia)))
    }
    expect(found).toEqual({
      owner: '200',
      admin: '200',
      viewer: '403 insufficient_role',
      stranger: '404 not_found',
      nobody: '401 not_signed_in',
    })
  })

  test('of another project is refused byte for byte like that of none', async () => {
    const foreign = await other.send('GET', pathOf(mia))
    expect(foreign.status).toBe(404)
    expect(bytesOf(foreign)).toBe(bytesOf(await other.send('GET', '/projects/there-is-none/audit')))
  })
})
