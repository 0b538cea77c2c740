// Custom domains on `/platform/v1`, with DNS scripted by each test: which hostnames can be
// added, what is reported about them, and the result of each operation.

import type {
  Domain,
  DomainCheck,
  DomainEvent,
  DomainSummary,
} from '@petstore-platform/contract/platform/domain-shapes'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { describe, expect, test } from 'vitest'
import { expectRefusal, linksOf } from '../v1/responses.ts'
import * as queries from '../../src/domains/store/domain-queries.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { domainsPath, startDomainOwners } from './owners.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { PLATFORM, type PlatformOwner, type Visitor } from '../../../testbed/harness/platform.ts'

const owners = await startDomainOwners()
const mia = await owners.ready('willow-street')
// The tests add more domains than the plan pro includes.
await owners.plan(mia, 'enterprise')
const target = 'willow-street.petstore.example'

const add = (owner: PlatformOwner, hostname: string) => owner.send('POST', domainsPath(owner), { hostname })
const get = (owner: PlatformOwner, hostname: string) => owner.send('GET', domainsPath(owner, `/${hostname}`))
const verify = (owner: PlatformOwner, hostname: string) => owner.send('POST', domainsPath(owner, `/${hostname}/verify`))
const remove = (owner: PlatformOwner, hostname: string) => owner.send('DELETE', domainsPath(owner, `/${hostname}`))
const domainOf = ({ json }: Received) => json as Domain
const listed = async (owner: PlatformOwner) => (await owner.send('GET', domainsPath(owner))).json as DomainSummary[]

/** Adds a domain, with DNS that does not have it unless records are given. */
async function added(owner: PlatformOwner, hostname: string, records: readonly string[] = []): Promise<Domain> {
  owners.dns.tell(hostname, records)
  const answer = await add(owner, hostname)
  expect(answer.status, `it says ${answer.text}`).toBe(201)
  return domainOf(answer)
}

describe('Add domain', () => {
  test('requires a plan that includes it, then a deployed site, and reports which is missing', async () => {
    const owner = await owners.people.owner()
    const upgrade = 'Custom domains need the Pro plan or above. Upgrade the project, then choose Add domain again.'
    expectRefusal(await add(owner, 'www.one-more.com'), 403, 'plan_required', upgrade)
    await owners.plan(owner, 'pro')
    const publish = 'Publish the project once before adding a domain.'
    expectRefusal(await add(owner, 'www.one-more.com'), 409, 'deploy_required', publish)
    await owners.deployed(owner)
    await added(owner, 'www.one-more.com')
  })

  test('returns at once with the record to create, the reason, and the time of the next check', async () => {
    owners.dns.tell('www.first.com', [])
    const answer = await add(mia, 'www.first.com')
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(
      'https://api.petstore.example/platform/v1/projects/willow-street/domains/www.first.com',
    )
    const domain = domainOf(answer)
    expect(domain).toMatchObject({
      hostname: 'www.first.com',
      status: 'pending_dns',
      axes: { ownership: 'unproven', proof: null, routing: 'missing', certificate: 'none' },
      rootCause: { code: 'dns.no_record', severity: 'blocks', actor: 'owner' },
      isPrimary: false,
      redirect: null,
      certificate: null,
      verifiedAt: null,
      liveAt: null,
    })
    expect(domain.records).toEqual([
      {
        type: 'CNAME',
        name: 'www',
        fullName: 'www.first.com',
        value: target,
        ttl: 3600,
        have: [],
        state: 'missing',
        action: 'add',
        required: true,
      },
    ])
    expect(Date.parse(domain.nextCheckAt ?? '')).toBeGreaterThan(Date.parse(domain.addedAt))
    expect(domain.evidence.length).toBeGreaterThan(0)
    expect(domainOf(await get(mia, 'www.first.com'))).toEqual(domain)
  })

  test('accepts a pasted URL, a trailing dot and capital letters for the intended hostname', async () => {
    owners.dns.tell('shop.pasted.com', [])
    const domain = domainOf(await add(mia, ' HTTPS://Shop.Pasted.com:443/cats?x=1 '))
    expect(domain.hostname).toBe('shop.pasted.com')
    expect([domain.rootCause?.code, ...domain.also.map(({ code }) => code)]).toContain('name.url_pasted')
    expect((await get(mia, 'SHOP.pasted.com.')).status).toBe(200)
  })

  test('shows an internationalised hostname in its Unicode form as well', async () => {
    const domain = await added(mia, 'xn--bcher-kva.com')
    expect(domain).toMatchObject({ hostname: 'xn--bcher-kva.com', displayName: 'bücher.com' })
  })

  test('refuses a hostname that is already in the project', async () => {
    await added(mia, 'www.twice.com')
    const again = await add(mia, 'www.TWICE.com')
    expectRefusal(again, 409, 'domain_already_added', 'www.twice.com is already in this project.')
  })

  test('does not block others: another project can add the same hostname', async () => {
    const other = await owners.ready()
    await added(mia, 'www.wanted.com')
    await added(other, 'www.wanted.com')
  })

  test('refuses one more than the plan includes, even with many concurrent requests', async () => {
    const owner = await owners.ready()
    const names = Array.from({ length: 12 }, (_, index) => `www.many-${index}.com`)
    for (const name of names) owners.dns.tell(name, [])
    const answers = await Promise.all(names.map((name) => add(owner, name)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(2)
    for (const answer of refused) {
      expectRefusal(answer, 403, 'domain_limit_reached', 'Your plan includes 10 domains. Remove one or upgrade.')
    }
  })

  test.each<[RefusalCode, string]>([
    ['name_invalid_chars', 'my_shop.com'],
    ['name_too_long', `${'a'.repeat(64)}.com`],
    ['name_too_many_labels', `${'a.'.repeat(10)}com`],
    ['name_not_public', 'shop.internal'],
    ['name_not_public', '192.0.2.1'],
    ['name_is_public_suffix', 'co.uk'],
    ['name_platform_owned', 'other.petstore.example'],
    ['name_wildcard_unsupported', '*.shop.com'],
  ])('refuses with %s what no certificate can name: %s', async (code, hostname) => {
    expectRefusal(await add(mia, hostname), 400, code)
    expectRefusal(await mia.send('POST', domainsPath(mia, '/check'), { hostname }), 400, code)
  })
})

describe('Access to domains', () => {
  test('a viewer reads and checks, an admin changes, and all others get nothing', async () => {
    await added(mia, 'www.roles.com')
    owners.dns.tell('www.new.com', [])
    const everybody = await owners.people.everybody(mia)
    const statuses = async (method: string, rest: string, body?: object) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(everybody).map(async ([who, visitor]: [string, Visitor]) => [
            who,
            (await visitor.send(method, domainsPath(mia, rest), body)).status,
          ]),
        ),
      ) as Record<string, number>
    const outside = { stranger: 404, nobody: 401 }
    const readers = { owner: 200, admin: 200, viewer: 200, ...outside }
    const writers = { owner: 200, admin: 200, viewer: 403, ...outside }
    expect(await statuses('GET', '')).toEqual(readers)
    expect(await statuses('GET', '/www.roles.com')).toEqual(readers)
    expect(await statuses('GET', '/www.roles.com/history')).toEqual(readers)
    expect(await statuses('GET', '/settings')).toEqual(readers)
    expect(await statuses('POST', '/check', { hostname: 'www.new.com' })).toEqual(readers)
    expect(await statuses('POST', '/www.roles.com/verify')).toEqual(writers)
    expect(await statuses('PUT', '/primary', { hostname: 'www.roles.com' })).toEqual(writers)
    expect((await everybody.viewer.send('DELETE', domainsPath(mia, '/www.roles.com'))).status).toBe(403)
  })

  test('a word of the contract is never a hostname', async () => {
    for (const word of ['check', 'primary', 'redirects']) {
      expectRefusal(await mia.send('GET', domainsPath(mia, `/${word}`)), 405, 'method_not_allowed')
    }
    expectRefusal(await mia.send('DELETE', domainsPath(mia, '/settings')), 405, 'method_not_allowed')
  })
})

describe('Check', () => {
  test('reports what would be reported, and stores nothing', async () => {
    const owner = await owners.people.owner()
    owners.dns.tell('www.checked.com', ['www.checked.com A 203.0.113.9'])
    const answer = await owner.send('POST', domainsPath(owner, '/check'), { hostname: 'http://www.checked.com/' })
    expect(answer.status).toBe(200)
    const check = answer.json as DomainCheck
    const codes = [check.rootCause?.code, ...check.also.map(({ code }) => code)]
    expect(check).toMatchObject({ hostname: 'www.checked.com', isReady: false })
    expect(codes).toEqual(expect.arrayContaining(['plan.lapsed', 'dns.conflict_a', 'name.url_pasted']))
    expect(check.records[0]).toMatchObject({
      type: 'CNAME',
      have: [{ line: 'A 203.0.113.9', todo: 'delete' }],
      state: 'conflicting',
    })
    expect(await listed(owner)).toEqual([])
  })

  test('reports that everything is correct before the domain is added', async () => {
    owners.dns.tell('www.right.com', [`www.right.com CNAME ${target}`])
    const { json } = await mia.send('POST', domainsPath(mia, '/check'), { hostname: 'www.right.com' })
    expect((json as DomainCheck).sibling).toBe('right.com')
    expect(json).toMatchObject({ isReady: true, rootCause: null, records: [{ state: 'right', action: 'keep' }] })
    expect(json).toMatchObject({ needs: ['Nothing: all records are already in place.'] })
  })

  test('reports the required records before the domain is added, including a generated proof', async () => {
    const needs = async (hostname: string) => {
      owners.dns.tell(hostname, [])
      const { json } = await mia.send('POST', domainsPath(mia, '/check'), { hostname })
      const { kind, needs: said } = json as DomainCheck
      return { kind, said }
    }
    expect(await needs('www.ahead.com')).toEqual({ kind: 'subdomain', said: ['One record: a CNAME for www.'] })
    const two = 'Two records: an ALIAS for the domain itself, and a TXT record that proves it is yours.'
    const later = 'We show you the value of the TXT record when you add the domain.'
    expect(await needs('ahead.com')).toEqual({ kind: 'apex', said: [two, later] })
    const domain = await added(mia, 'ahead.com')
    expect(domain.kind).toBe('apex')
    expect(await needs('ahead.com')).toEqual({ kind: 'apex', said: [two] })
    expect((await listed(mia)).find(({ hostname }) => hostname === 'ahead.com')?.kind).toBe('apex')
  })
})

describe('Verify', () => {
  test('is 200 with the reason when it fails, and again when nothing has changed', async () => {
    await added(mia, 'www.failing.com', ['www.failing.com A 203.0.113.9'])
    for (let time = 0; time < 2; time += 1) {
      const answer = await verify(mia, 'www.failing.com')
      expect(answer.status).toBe(200)
      const { status, rootCause, records } = domainOf(answer)
      expect([status, rootCause?.code]).toEqual(['action_required', 'dns.conflict_a'])
      expect(rootCause?.advice).toContain('203.0.113.9')
      expect(records[0]).toMatchObject({ have: [{ line: 'A 203.0.113.9', todo: 'delete' }], state: 'conflicting' })
    }
  })

  test('detects a corrected record, without a removal', async () => {
    await added(mia, 'www.mended.com', ['www.mended.com CNAME elsewhere.example.net'])
    expect(domainOf(await verify(mia, 'www.mended.com')).rootCause?.code).toBe('dns.cname_wrong')
    owners.dns.tell('www.mended.com', [`www.mended.com CNAME ${target}`])
    const mended = domainOf(await verify(mia, 'www.mended.com'))
    expect(mended).toMatchObject({
      status: 'issuing',
      axes: { ownership: 'proven', proof: 'cname', routing: 'pointing', certificate: 'none' },
      rootCause: { code: 'step.certificate_queued', severity: 'waits', actor: 'platform' },
      records: [{ state: 'right', action: 'keep', have: [{ line: `CNAME ${target}`, todo: 'keep' }] }],
    })
    expect(mended.verifiedAt).not.toBeNull()
    expect(mended.evidence).toContainEqual({
      server: 'ns1.dns.example (198.51.100.53)',
      question: 'CNAME www.mended.com',
      answer: `CNAME ${target}`,
      ms: 3,
    })
  })

  test('is refused only when it is repeated without end, with the time of the next attempt', async () => {
    await added(mia, 'www.hammered.com')
    const answers = await Promise.all(Array.from({ length: 33 }, () => verify(mia, 'www.hammered.com')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('of an apex requires the token, which adding it again does not change', async () => {
    const domain = await added(mia, 'apex.com')
    const token = domain.records.find(({ type }) => type === 'TXT')
    expect(token).toMatchObject({ fullName: '_petstore.apex.com', required: true, action: 'add' })
    expect((await remove(mia, 'apex.com')).status).toBe(200)
    const again = await added(mia, 'apex.com')
    expect(again.records.find(({ type }) => type === 'TXT')?.value).toBe(token?.value)
  })

  test('takes a hostname that another project holds only with a fresh TXT record of its own', async () => {
    const other = await owners.ready('blue-door')
    await added(mia, 'www.moving.com', [`www.moving.com CNAME ${target}`])
    expect(domainOf(await get(mia, 'www.moving.com')).axes.ownership).toBe('proven')
    const records = ['www.moving.com CNAME blue-door.petstore.example']
    const contested = await added(other, 'www.moving.com', records)
    expect(contested.rootCause?.code).toBe('own.contested')
    const token = contested.records.find(({ type }) => type === 'TXT')?.value
    owners.dns.tell('www.moving.com', [...records, `_petstore.www.moving.com TXT ${token}`])
    expect(domainOf(await verify(other, 'www.moving.com')).axes).toMatchObject({ ownership: 'proven' })
    expect((await get(mia, 'www.moving.com')).status).toBe(404)
  })
})

describe('Remove', () => {
  test('returns the time, and then the domain is not found', async () => {
    await added(mia, 'www.removed.com')
    const answer = await remove(mia, 'www.removed.com')
    const { removedAt } = answer.json as { removedAt: string }
    expect(answer.json).toEqual({ removedAt, edges: [] })
    expect(Math.abs(Date.parse(removedAt) - Date.now())).toBeLessThan(60_000)
    for (const again of [await get(mia, 'www.removed.com'), await remove(mia, 'www.removed.com')]) {
      expectRefusal(again, 404, 'not_found')
    }
    expect((await listed(mia)).map(({ hostname }) => hostname)).not.toContain('www.removed.com')
  })

  test('of a name that the project does not have stores nothing, whatever the name is', async () => {
    const stored = () =>
      asOwner(owners.people.test.database, async (client) => {
        const { rows } = await client.query<{ hostname: string }>('select hostname from hostname_directory')
        return rows.map(({ hostname }) => hostname).toSorted()
      })
    const before = await stored()
    for (const name of ['www.never-added.com', '', 'a'.repeat(300), '%00']) {
      expectRefusal(await remove(mia, name), 404, 'not_found')
    }
    expect(await stored()).toEqual(before)
  })
})

describe('Lists', () => {
  test('domains are ordered by hostname, page by page', async () => {
    const owner = await owners.ready()
    for (const name of ['c', 'a', 'e', 'b', 'd']) await added(owner, `${name}.paged.com`)
    const pages: string[][] = []
    let path: string | undefined = domainsPath(owner, '?limit=2')
    while (path !== undefined) {
      const answer = await owner.send('GET', path)
      pages.push((answer.json as DomainSummary[]).map(({ hostname }) => hostname))
      const { next } = linksOf(answer)
      path = next && new URL(next).pathname.slice(PLATFORM.length) + new URL(next).search
    }
    expect(pages).toEqual([['a.paged.com', 'b.paged.com'], ['c.paged.com', 'd.paged.com'], ['e.paged.com']])
    const [first] = await listed(owner)
    expect(first).toMatchObject({ status: 'pending_dns', rootCause: { code: 'dns.no_record' } })
    const alone = (await owner.send('GET', domainsPath(owner, '/a.paged.com'))).json as Domain
    expect(first?.rootCause).toEqual(alone.rootCause)
    expectRefusal(await owner.send('GET', domainsPath(owner, '?cursor=e30')), 400, 'invalid_cursor')
  })

  test('the oldest event of a domain makes room for another', async () => {
    await added(mia, 'www.eventful.com')
    const { project } = mia
    const plans = { other: { ...defaultRules.other, domainEvents: 3 } }
    const numbers = await inProjectOf(owners.people.test.service.database)(project, async (db) => {
      const { id = '' } = (await queries.findDomain(db, project, 'www.eventful.com')) ?? {}
      for (let n = 0; n < 5; n++) {
        await queries.insertEvent(db, project, id, { kind: 'domain.added', code: null }, { now: Date.now(), plans })
      }
      return (await queries.listEvents(db, project, id, 1000, 10)).map(({ number }) => number)
    })
    expect(numbers).toHaveLength(3)
    expect(Math.max(...numbers) - Math.min(...numbers)).toBe(2)
  })

  test('the history lists events newest first, and has no entry for checks without a change', async () => {
    await added(mia, 'www.history.com', ['www.history.com A 203.0.113.9'])
    await verify(mia, 'www.history.com')
    await verify(mia, 'www.history.com')
    owners.dns.tell('www.history.com', [`www.history.com CNAME ${target}`])
    await verify(mia, 'www.history.com')
    const history = async (query = '') => mia.send('GET', domainsPath(mia, `/www.history.com/history${query}`))
    const events = (await history()).json as DomainEvent[]
    expect(events.map(({ kind }) => kind).toReversed()).toEqual([
      'domain.added',
      'domain.action_required',
      'domain.verified',
      'domain.recovered',
    ])
    expect(events.map(({ id }) => id)).toEqual([4, 3, 2, 1])
    const first = await history('?limit=3')
    expect((first.json as DomainEvent[]).map(({ id }) => id)).toEqual([4, 3, 2])
    expect(linksOf(first)['next']).toContain('/domains/www.history.com/history?limit=3&cursor=')
  })
})

test('an owner whose mail needs a domain of the store is urged to have recovery codes', async () => {
  const owner = await owners.ready()
  const isAtRisk = async () =>
    ((await owner.send('GET', '/account/recovery-codes')).json as { isMailAtRisk: boolean }).isMailAtRisk
  expect(await isAtRisk()).toBe(false)
  const hostname = 'www.mail-at-risk.com'
  owners.dns.tell(hostname, [])
  expect((await owner.send('POST', domainsPath(owner), { hostname })).status).toBe(201)
  expect(await isAtRisk()).toBe(false)
  const email = 'mia@post.mail-at-risk.com'
  await asOwner(owners.people.test.database, (client) =>
    client.query('update accounts set email = $1, email_key = $1 where id = $2', [email, owner.id]),
  )
  expect(await isAtRisk()).toBe(true)
})
