// A shared link for whoever manages the DNS, on `/platform/v1`: what it shows and what it
// never does, who may create it, and every way in which it ends. The response for an ended
// link is byte for byte that for one that never existed.

import type { DnsInstructions, DomainShare } from '@petstore-platform/contract/platform/domain-sharing'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../src/foundation/key-format.ts'
import { DAY, MINUTE } from '../../src/foundation/time.ts'
import { deleteProject } from '../../src/projects/projects.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { domainsPath, startDomainOwners, type DomainOwners } from './owners.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { bytesOf, startPeople } from '../platform/people.ts'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let owners: DomainOwners
let mia: PlatformOwner
const clock = { ahead: 0 }

beforeAll(async () => {
  owners = await startDomainOwners({ now: () => Date.now() + clock.ahead })
  mia = await owners.ready('garden-lane')
  await owners.plan(mia, 'enterprise')
})

/** Runs the work with the clock moved forward, and back afterwards: sessions end with time too. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  clock.ahead = ms
  try {
    return await work()
  } finally {
    clock.ahead = 0
  }
}

async function added(owner: PlatformOwner, hostname: string, records: readonly string[] = []): Promise<Domain> {
  owners.dns.tell(hostname, records)
  const answer = await owner.send('POST', domainsPath(owner), { hostname })
  expect(answer.status, `it says ${answer.text}`).toBe(201)
  return answer.json as Domain
}

const sharePath = (owner: PlatformOwner, hostname: string) => domainsPath(owner, `/${hostname}/share`)
const share = (owner: PlatformOwner, hostname: string, by: Visitor = owner) =>
  by.send('POST', sharePath(owner, hostname))
const revoke = (owner: PlatformOwner, hostname: string, by: Visitor = owner) =>
  by.send('DELETE', sharePath(owner, hostname))
const read = (secret: string): Promise<Received> => owners.people.anyone.send('GET', `/dns-instructions/${secret}`)
const secretIn = ({ json }: Received) => (json as DomainShare).link.split('/').at(-1) ?? ''
const NEVER = 'x'.repeat(43)

/** A link of a new domain, which has something to show. */
async function shared(owner: PlatformOwner, hostname: string, records: readonly string[] = []): Promise<string> {
  await added(owner, hostname, records)
  const secret = secretIn(await share(owner, hostname))
  expect((await read(secret)).status).toBe(200)
  return secret
}

async function expectEnded(secret: string): Promise<void> {
  const ended = await read(secret)
  expectRefusal(ended, 404, 'not_found', 'This link no longer works. Ask the person who sent it for a new one.')
  expect(bytesOf(ended)).toBe(bytesOf(await read(NEVER)))
}

const linksOf = (hostname: string) =>
  asProject(owners.people.test.database, mia.project, async (client) => {
    const { rows } = await client.query<{ digest: Buffer }>(
      `select digest from share_directory join domains on id = domain_id where hostname = $1 and removed_at is null`,
      [hostname],
    )
    return rows.map(({ digest }) => digest)
  })

/** Whether a row of it is left. */
const isStored = async (secret: string) => {
  const { rows } = await asOwner(owners.people.test.database, (client) =>
    client.query('select from share_directory where digest = $1', [digestOf(secret)]),
  )
  return rows.length > 0
}

type Entry = { action: string; subject: string; actor: { id: string }; detail: Record<string, unknown> }
const audited = async (owner: PlatformOwner, subject: string) =>
  ((await owner.send('GET', `/projects/${owner.slug}/audit?limit=10`)).json as Entry[]).filter(
    (entry) => entry.subject === subject && entry.action.startsWith('domain_share'),
  )

describe('A link', () => {
  test('shows the required records next to the current ones, to every holder of the link, for seven days', async () => {
    await added(mia, 'www.told.com', ['www.told.com A 203.0.113.9'])
    const answer = await share(mia, 'www.told.com')
    expect(answer.status).toBe(201)
    const { link, expiresAt } = answer.json as DomainShare
    expect(link).toMatch(/^https:\/\/api\.petstore\.example\/dns\/[A-Za-z0-9_-]{43}$/)
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * DAY)).toBeLessThan(MINUTE)

    const seen = await read(secretIn(answer))
    const domain = (await mia.send('GET', domainsPath(mia, '/www.told.com'))).json as Domain
    const { hostname, displayName, kind, status, rootCause, records, propagation, provider, evidenceAt } = domain
    const shown = { hostname, displayName, kind, status, rootCause, records, propagation, provider, evidenceAt }
    const { nextCheckAt } = domain
    const whole: DnsInstructions = { ...shown, projectName: 'garden-lane', nextCheckAt, expiresAt }
    expect(seen.json).toEqual(whole)
    expect(rootCause?.code).toBe('dns.conflict_a')
    expect(records[0]).toMatchObject({
      type: 'CNAME',
      value: 'garden-lane.petstore.example',
      have: [{ line: 'A 203.0.113.9', todo: 'delete' }],
    })
  })

  test('shows the current state, not the state at its creation', async () => {
    const secret = await shared(mia, 'www.mending.com', ['www.mending.com A 203.0.113.9'])
    owners.dns.tell('www.mending.com', ['www.mending.com CNAME garden-lane.petstore.example'])
    await mia.send('POST', domainsPath(mia, '/www.mending.com/verify'))
    expect((await read(secret)).json).toMatchObject({ status: 'issuing', records: [{ state: 'right' }] })
  })

  test('of a domain that has not been checked yet shows the records all the same', async () => {
    const secret = await shared(mia, 'unseen.com')
    await asOwner(owners.people.test.database, async (client) => {
      await client.query(`select set_config('petstore.projects', $1, false)`, [`{${mia.project}}`])
      await client.query(`delete from domain_looks using domains where domain_id = id and hostname = 'unseen.com'`)
    })
    const seen = (await read(secret)).json as DnsInstructions
    expect(seen).toMatchObject({ kind: 'apex', evidenceAt: null })
    expect(seen.records.map(({ type }) => type)).toEqual(['ALIAS', 'TXT'])
  })

  test('reveals no servers, people, plans or settings, and is not cacheable', async () => {
    const secret = await shared(mia, 'www.quiet.com', ['www.quiet.com A 203.0.113.9'])
    const { id } = (await mia.send('GET', domainsPath(mia, '/www.quiet.com'))).json as Domain
    const seen = await read(secret)
    expect(seen.headers['cache-control']).toBe('no-store')
    expect(seen.headers.etag).toBeUndefined()
    for (const hidden of [id, mia.id, mia.email, 'Mia', 'ns1.dns.example', 'enterprise', 'isPrimary', 'evidence"']) {
      expect(seen.text).not.toContain(hidden)
    }
    const again = await owners.people.anyone.send('GET', `/dns-instructions/${secret}`, undefined, {
      'If-None-Match': '*',
    })
    expect(again.status).toBe(200)
  })

  test('is stored as a digest only, and is in no log', async () => {
    const secret = await shared(mia, 'www.hashed.com')
    expect(await linksOf('www.hashed.com')).toEqual([digestOf(secret)])
    expect(owners.people.test.logs.join('')).toContain('/dns-instructions/:secret')
    expect(owners.people.test.logs.join('')).not.toContain(secret)
  })

  test('is read-only: reading it triggers no check', async () => {
    const secret = await shared(mia, 'www.calm.com')
    const state = () =>
      asProject(owners.people.test.database, mia.project, async (client) => {
        const found = await client.query(`select domains.* from domains where hostname = 'www.calm.com'`)
        return [found.rows, owners.dns.looks.get('www.calm.com')]
      })
    const before = await state()
    for (let time = 0; time < 5; time += 1) await read(secret)
    expect(await state()).toEqual(before)
  })

  test('changes nothing: no other method is accepted', async () => {
    const secret = await shared(mia, 'www.fixed.com')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expectRefusal(await mia.send(method, `/dns-instructions/${secret}`), 405, 'method_not_allowed')
    }
    expect((await owners.people.anyone.send('HEAD', `/dns-instructions/${secret}`)).status).toBe(200)
  })

  test('counts towards the anonymous rate limit', async () => {
    const people = await startPeople({ env: { RATE_LIMIT_PER_VISITOR: '3' } })
    const statuses = []
    for (let time = 0; time < 4; time += 1) {
      statuses.push((await people.anyone.send('GET', `/dns-instructions/${NEVER}`)).status)
    }
    expect(statuses).toEqual([404, 404, 404, 429])
  })
})

describe('A link ends', () => {
  test('after seven days', async () => {
    const secret = await shared(mia, 'www.week.com')
    expect(await later(7 * DAY - MINUTE, () => read(secret))).toMatchObject({ status: 200 })
    await later(7 * DAY + MINUTE, () => expectEnded(secret))
  })

  test('when it is revoked, with all others of the domain, and of no other domain', async () => {
    const first = await shared(mia, 'www.revoked.com')
    const second = secretIn(await share(mia, 'www.revoked.com'))
    const other = await shared(mia, 'www.beside.com')
    expect((await revoke(mia, 'www.revoked.com')).status).toBe(204)
    await expectEnded(first)
    await expectEnded(second)
    expect((await read(other)).status).toBe(200)
    expect((await revoke(mia, 'www.revoked.com')).status).toBe(204)
  })

  test('when the domain is removed, and does not return with it', async () => {
    const secret = await shared(mia, 'www.leaving.com')
    expect(await isStored(secret)).toBe(true)
    await mia.send('DELETE', domainsPath(mia, '/www.leaving.com'))
    await expectEnded(secret)
    expect(await isStored(secret)).toBe(false)
    await added(mia, 'www.leaving.com')
    await expectEnded(secret)
  })

  test('when another project proves the hostname', async () => {
    const cname = (slug: string) => `www.taken.com CNAME ${slug}.petstore.example`
    const secret = await shared(mia, 'www.taken.com', [cname('garden-lane')])
    const other = await owners.ready('mill-road')
    const { records } = await added(other, 'www.taken.com', [cname('mill-road')])
    const token = records.find(({ type }) => type === 'TXT')?.value
    owners.dns.tell('www.taken.com', [cname('mill-road'), `_petstore.www.taken.com TXT ${token}`])
    await other.send('POST', domainsPath(other, '/www.taken.com/verify'))
    await expectEnded(secret)
    expect(await isStored(secret)).toBe(false)
  })

  test('when the project is deleted, even before its domains are freed', async () => {
    const one = await owners.ready()
    const secret = await shared(one, 'www.closing.com')
    expect((await one.send('DELETE', `/projects/${one.slug}`, { slug: one.slug })).status).toBe(204)
    await expectEnded(secret)
    expect(await isStored(secret)).toBe(false)

    const two = await owners.ready()
    const left = await shared(two, 'www.left.com')
    const member = { project: two.project, slug: two.slug, account: two.id, role: 'owner' } as never
    await deleteProject(inProjectOf(owners.people.test.service.database), member)
    expect(await isStored(left)).toBe(true)
    await expectEnded(left)
  })

  test('when ten newer ones have been created, even concurrently', async () => {
    const secrets = [await shared(mia, 'www.many.com')]
    while (secrets.length < 10) secrets.push(secretIn(await share(mia, 'www.many.com')))
    expect((await read(secrets[0] ?? '')).status).toBe(200)
    secrets.push(secretIn(await share(mia, 'www.many.com')))
    await expectEnded(secrets[0] ?? '')
    for (const secret of secrets.slice(1)) expect((await read(secret)).status).toBe(200)
    await Promise.all(Array.from({ length: 12 }, () => share(mia, 'www.many.com')))
    expect(await linksOf('www.many.com')).toHaveLength(10)
  })

  test('and is deleted by the sweep, which leaves the others', async () => {
    const old = await shared(mia, 'www.swept.com')
    const { database } = owners.people.test.service
    const sweep = (ahead: number) => removeExpired(database, 'share_directory', () => Date.now() + ahead)
    expect(await sweep(7 * DAY - MINUTE)).toBe(3600)
    expect(await linksOf('www.swept.com')).toEqual([digestOf(old)])
    expect(await sweep(7 * DAY + MINUTE)).toBe(3600)
    expect(await linksOf('www.swept.com')).toEqual([])
  })

  test.each(['short', `${'x'.repeat(42)}%00`, 'x'.repeat(44), `${'x'.repeat(42)}%C3%A9`])(
    'with the same response as anything else that is not a link: %j',
    async (secret) => {
      const answer = await read(secret)
      expect(answer.status).toBe(404)
      expect(bytesOf(answer)).toBe(bytesOf(await read(NEVER)))
    },
  )
})

describe('The right to share', () => {
  test('belongs to admins and owners; a viewer is refused, and all others get nothing', async () => {
    await added(mia, 'www.who.com')
    const everybody = await owners.people.everybody(mia)
    const statuses = async (ask: (by: Visitor) => Promise<Received>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(everybody).map(async ([who, by]: [string, Visitor]) => [who, (await ask(by)).status] as const),
        ),
      )
    const outside = { viewer: 403, stranger: 404, nobody: 401 }
    expect(await statuses((by) => share(mia, 'www.who.com', by))).toEqual({ owner: 201, admin: 201, ...outside })
    expect(await statuses((by) => revoke(mia, 'www.who.com', by))).toEqual({ owner: 204, admin: 204, ...outside })
    expectRefusal(await share(mia, 'www.who.com', everybody.viewer), 403, 'insufficient_role')
  })

  test('covers only domains of the own project, for sharing and for revoking', async () => {
    const other = await owners.ready()
    const secret = await shared(mia, 'www.mine.com')
    const missing = 'This project has no domain with this name.'
    expectRefusal(await share(other, 'www.mine.com'), 404, 'not_found', missing)
    expectRefusal(await revoke(other, 'www.mine.com'), 404, 'not_found', missing)
    await added(other, 'www.mine.com')
    expect((await revoke(other, 'www.mine.com')).status).toBe(204)
    expect((await read(secret)).status).toBe(200)
  })

  test('is audited: the trail names who shared and who revoked, and never holds the link', async () => {
    const secret = await shared(mia, 'www.noted.com')
    await revoke(mia, 'www.noted.com')
    await revoke(mia, 'www.noted.com')
    const entries = await audited(mia, 'www.noted.com')
    expect(entries.map(({ action, actor, detail }) => [action, actor.id, detail])).toEqual([
      ['domain_share_revoked', mia.id, { links: 1 }],
      ['domain_shared', mia.id, { expiresAt: expect.stringMatching(/Z$/) as string }],
    ])
    expect(JSON.stringify(entries)).not.toContain(secret)
  })
})
