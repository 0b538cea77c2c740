// The procedure "custom domain for a published project" of the published interface, rule by
// rule in its own words. Everything is real: the service, its background work, PostgreSQL,
// nameservers and resolvers. The owner uses `/platform/v1` and edits zones, as at a
// registrar.

import type {
  Domain,
  DomainCheck,
  DomainEvent,
  DomainSettings,
} from '@petstore-platform/contract/platform/domain-shapes'
import { beforeAll, describe, expect, test } from 'vitest'
import { question } from '../../../testbed/internet/dns-query.ts'
import type { WorldServer, WorldZone } from '../../../testbed/internet/world.ts'
import * as directory from '../../src/domains/store/directory.io.ts'
import { expectRefusal } from '../v1/responses.ts'
import { domainsPath, owningOn, type Owning } from './owners.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import { startWorldPlatform, type WorldPlatform } from './world.ts'

const at = (one: string, other: string): WorldServer[] => [
  { name: one, role: 'first' },
  { name: other, role: 'second' },
]
const zone = (name: string, records: readonly string[] = [], servers?: readonly WorldServer[]): WorldZone => ({
  zone: name,
  records,
  ...(servers && { servers }),
})

const zones = [
  zone('plan.test'),
  zone('deploy.test', [], at('amy.ns.cloudflare.com', 'bob.ns.cloudflare.com')),
  zone('step-one.test'),
  zone('step-two.test'),
  zone('alias.test', [], at('maceio.ns.porkbun.com', 'salvador.ns.porkbun.com')),
  zone('aname.test', [], at('ns1.name.com', 'ns2.name.com')),
  zone('no-alias.test', [], at('ns01.domaincontrol.com', 'ns02.domaincontrol.com')),
  zone('step-three.test'),
  zone('watched.test'),
  zone('several.test', ['www CNAME several.petstore.test.', 'shop CNAME several.petstore.test.']),
  zone('removal.test', ['www CNAME removal.petstore.test.']),
  zone('conflict.test', ['shop A 192.0.2.10']),
  zone('differs.test', ['shop CNAME other.hosting.test.']),
  zone('still.test', ['www CNAME still.petstore.test.']),
  zone('caa.test', ['www CNAME caa.petstore.test.', '@ CAA 0 issue "other-ca.test"', 'www2 A 192.0.2.10']),
  zone('caa-apex.test', ['@ A 127.0.80.1', '@ CAA 0 issue "other-ca.test"']),
  zone('warning.test', ['www CNAME warning.petstore.test.']),
  zone('chain.test', ['a CNAME chain.petstore.test.', 'b CNAME chain.petstore.test.', 'c CNAME chain.petstore.test.']),
  zone('deleted.test', ['www CNAME deleted.petstore.test.']),
  zone('history.test', ['a CNAME history.petstore.test.', 'b CNAME history.petstore.test.']),
]

let environment: WorldPlatform
let owning: Owning
beforeAll(async () => {
  environment = await startWorldPlatform(zones)
  owning = owningOn(environment.people)
})

const add = (owner: PlatformOwner, hostname: string) => owner.send('POST', domainsPath(owner), { hostname })
const get = async (owner: PlatformOwner, hostname: string) =>
  domainOf(await owner.send('GET', domainsPath(owner, `/${hostname}`)))
const verify = async (owner: PlatformOwner, hostname: string) => {
  const answer = await owner.send('POST', domainsPath(owner, `/${hostname}/verify`))
  expect(answer.status, `it says ${answer.text}`).toBe(200)
  return domainOf(answer)
}
const remove = (owner: PlatformOwner, hostname: string) => owner.send('DELETE', domainsPath(owner, `/${hostname}`))
const domainOf = ({ json }: Received) => json as Domain
const codesOf = ({ rootCause, also }: Pick<Domain, 'rootCause' | 'also'>) =>
  [rootCause, ...also].map((one) => one?.code)
const holderOf = async (hostname: string) =>
  (await directory.findHolding(environment.people.test.service.database.run, hostname)).holder?.project

async function added(owner: PlatformOwner, hostname: string): Promise<Domain> {
  const answer = await add(owner, hostname)
  expect(answer.status, `it says ${answer.text}`).toBe(201)
  return domainOf(answer)
}

const historyOf = async (owner: PlatformOwner, hostname: string) =>
  (await owner.send('GET', domainsPath(owner, `/${hostname}/history`))).json as DomainEvent[]

describe('Plan and preconditions', () => {
  test('Plan: "A paid plan (Pro or above) is required."', async () => {
    const owner = await environment.people.owner()
    expectRefusal(await add(owner, 'www.plan.test'), 403, 'plan_required')
    for (const plan of ['pro', 'enterprise'] as const) {
      await owning.plan(owner, plan)
      expectRefusal(await add(owner, 'www.plan.test'), 409, 'deploy_required')
    }
  })

  test('Preconditions: "a successful deploy of the project"', async () => {
    const owner = await environment.people.owner()
    await owning.plan(owner, 'pro')
    expectRefusal(await add(owner, 'www.deploy.test'), 409, 'deploy_required')
    await owning.deployed(owner)
    await added(owner, 'www.deploy.test')
  })

  test('Preconditions: "Access to the DNS settings of the domain registrar" is made easy: we name the DNS provider', async () => {
    const owner = await owning.ready()
    const checked = await owner.send('POST', domainsPath(owner, '/check'), { hostname: 'www.deploy.test' })
    expect((checked.json as DomainCheck).provider).toMatchObject({ id: 'cloudflare', name: 'Cloudflare' })
    expect((checked.json as DomainCheck).provider?.dnsPage).toMatch(/^https:/)
  })
})

describe('Step 1', () => {
  test('"choose Add domain and enter a domain or subdomain ({custom_domain}). The dashboard then shows the DNS record values to use."', async () => {
    const owner = await owning.ready('step-one')
    const subdomain = await added(owner, 'www.step-one.test')
    const apex = await added(owner, 'step-one.test')
    for (const { records } of [subdomain, apex]) {
      expect(records[0]).toMatchObject({
        value: 'step-one.petstore.test',
        state: 'missing',
        action: 'add',
        required: true,
      })
    }
  })
})

describe('Step 2', () => {
  test('"For a subdomain: type CNAME, name = the subdomain label, value = {platform_host} (as shown in the dashboard), TTL 3600."', async () => {
    const owner = await owning.ready('step-two')
    const { records } = await added(owner, 'shop.step-two.test')
    expect(records).toMatchObject([{ type: 'CNAME', name: 'shop', value: 'step-two.petstore.test', ttl: 3600 }])
    await environment.world.edit('step-two.test', { add: ['shop 3600 CNAME step-two.petstore.test.'] })
    const done = await verify(owner, 'shop.step-two.test')
    expect(done.records).toMatchObject([
      { have: [{ line: 'CNAME step-two.petstore.test', todo: 'keep' }], state: 'right', action: 'keep' },
    ])
  })

  test.each([
    ['ALIAS', 'alias.test'],
    ['ANAME', 'aname.test'],
  ])('"For an apex domain (no subdomain) an ALIAS or ANAME record is used instead": %s', async (type, apex) => {
    const owner = await owning.ready()
    const { records } = await added(owner, apex)
    const target = `${owner.slug}.petstore.test`
    expect(records).toMatchObject([
      { type, fullName: apex, value: target, ttl: 3600, required: true },
      { type: 'TXT', fullName: `_petstore.${apex}`, required: true },
    ])
    // Visitors see an ALIAS as our addresses; the TXT record shows which project it belongs to.
    const token = records[1]?.value ?? ''
    await environment.world.edit(apex, { add: ['@ A 127.0.80.1', `_petstore TXT "${token}"`] })
    const done = await verify(owner, apex)
    expect(done).toMatchObject({ status: 'issuing', axes: { ownership: 'proven', proof: 'txt', routing: 'pointing' } })
  })

  test('"not every DNS provider supports these": owners without them are shown what works there', async () => {
    const owner = await owning.ready()
    const domain = await added(owner, 'no-alias.test')
    expect(domain.rootCause?.code).toBe('dns.apex_no_alias')
    expect(domain.rootCause?.advice).toMatch(/GoDaddy has no ALIAS record.*127\.0\.80\.1.*www\.no-alias\.test/s)
    expect(domain.records).toMatchObject([
      { type: 'A', name: '@', value: '127.0.80.1' },
      { type: 'TXT', fullName: '_petstore.no-alias.test' },
    ])
    await environment.world.edit('no-alias.test', {
      add: ['@ A 127.0.80.1', `_petstore TXT "${domain.records[1]?.value}"`],
    })
    expect(await verify(owner, 'no-alias.test')).toMatchObject({ status: 'issuing' })
  })
})

describe('Step 3', () => {
  test('"choose Verify. After verification succeeds, an SSL certificate is issued automatically": nothing is left to do', async () => {
    const owner = await owning.ready('step-three')
    await added(owner, 'www.step-three.test')
    expect(await verify(owner, 'www.step-three.test')).toMatchObject({ status: 'pending_dns' })
    await environment.world.edit('step-three.test', { add: ['www CNAME step-three.petstore.test.'] })
    const domain = await verify(owner, 'www.step-three.test')
    expect(domain).toMatchObject({
      status: 'issuing',
      axes: { ownership: 'proven', proof: 'cname', routing: 'pointing' },
      rootCause: { code: 'step.certificate_queued', actor: 'platform' },
      propagation: null,
    })
    expect(domain.records.every(({ action }) => action === 'keep')).toBe(true)
    expect(domain.verifiedAt).not.toBeNull()
    expect(await holderOf('www.step-three.test')).toBe(owner.project)
  })

  test('"choose Verify" is never needed: a watching owner sees it verified automatically', async () => {
    const owner = await owning.ready('watched')
    await added(owner, 'www.watched.test')
    await environment.working(async () => {
      const seen = environment.watchedUntil(owner, 'www.watched.test', ({ status }) => status === 'issuing')
      await environment.world.edit('watched.test', { add: ['www CNAME watched.petstore.test.'] })
      expect((await seen).axes.ownership).toBe('proven')
    })
    const kinds = (await historyOf(owner, 'www.watched.test')).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['domain.added', 'domain.dns_detected', 'domain.verified']))
  })
})

describe('DNS propagation', () => {
  test('"Can take up to 48 hours; most changes resolve within minutes." is shown next to every new record', async () => {
    const owner = await owning.ready()
    const { propagation } = (await owner.send('POST', domainsPath(owner, '/check'), { hostname: 'new.plan.test' }))
      .json as DomainCheck
    expect(propagation?.note).toMatch(/up to 48 hours.*within minutes.*stay cached for about 1 minute after/)
  })

  test('"Can take up to 48 hours": where the true time is known, it is shown, and no action is required', async () => {
    const real = await startWorldPlatform([{ ...zone('late.test'), soa: { minimum: 900 }, ttl: 900 }], {
      cache: 'real',
    })
    const owner = await owningOn(real.people).ready('late')
    expect(await added(owner, 'www.late.test')).toMatchObject({ status: 'pending_dns' })
    const [resolver] = real.world.dns.resolvers
    if (!resolver) throw new Error('a world without resolvers')
    for (const type of ['CNAME', 'A', 'AAAA'] as const) {
      await question({ ...resolver, name: 'www.late.test', type, rd: true })
    }
    await real.world.edit('late.test', { add: ['www CNAME late.petstore.test.'] })
    const domain = await verify(owner, 'www.late.test')
    expect(domain).toMatchObject({ status: 'waiting', rootCause: { code: 'prop.negative_cache' } })
    expect(domain.propagation?.note).toMatch(/up to 48 hours.*until about (\d+ \w+, )?\d\d:\d\d UTC/)
    expect(domain.propagation?.until).toBe(domain.until)
    expect(Date.parse(domain.until ?? '') - Date.now()).toBeLessThanOrEqual(900_000)
    expect(domain.records).toMatchObject([{ state: 'right', action: 'keep' }])
  })
})

describe('Multiple domains', () => {
  test('"A project can have several domains: one primary and a list of redirects. Each redirect has from (domain), to (domain) and status (HTTP redirect status, 301 in the example shape)."', async () => {
    const owner = await owning.ready('several')
    for (const name of ['www.several.test', 'shop.several.test']) {
      await added(owner, name)
      expect(await verify(owner, name)).toMatchObject({ status: 'issuing' })
    }
    await owning.makeLive(owner, 'www.several.test')
    await owner.send('PUT', domainsPath(owner, '/primary'), { hostname: 'www.several.test' })
    const redirects = [{ from: 'shop.several.test', to: 'www.several.test' }]
    const set = await owner.send('PUT', domainsPath(owner, '/redirects'), { version: 1, redirects })
    expect(set.json).toEqual({
      version: 2,
      primary: 'www.several.test',
      redirects: [{ from: 'shop.several.test', to: 'www.several.test', status: 301 }],
    } satisfies DomainSettings)
    expect(await get(owner, 'www.several.test')).toMatchObject({ isPrimary: true, redirect: null })
    expect(await get(owner, 'shop.several.test')).toMatchObject({
      isPrimary: false,
      redirect: { to: 'www.several.test', status: 301 },
    })
  })

  test('"one primary and a list of redirects": each change is in the history of the domains concerned', async () => {
    const owner = await owning.ready('history')
    const [a, b] = ['a.history.test', 'b.history.test']
    for (const name of [a, b]) await added(owner, name)
    await owning.makeLive(owner, a, b)
    const choose = (hostname: string) => owner.send('PUT', domainsPath(owner, '/primary'), { hostname })
    await choose(b)
    await choose(a)
    const put = (version: number, redirects: object[]) =>
      owner.send('PUT', domainsPath(owner, '/redirects'), { version, redirects })
    await put(2, [{ from: b, to: a, status: 308 }])
    await put(3, [{ from: b, to: a, status: 308 }])
    await put(4, [])
    const settingsIn = async (name: string) =>
      (await historyOf(owner, name))
        .filter(({ kind }) => kind.endsWith('_changed'))
        .map(({ kind, detail }) => [kind, detail])
        .toReversed()
    expect(await settingsIn(a)).toEqual([['domain.primary_changed', { from: b, to: a }]])
    expect(await settingsIn(b)).toEqual([
      ['domain.primary_changed', { from: null, to: b }],
      ['domain.primary_changed', { from: b, to: a }],
      ['domain.redirect_changed', { to: a, status: 308 }],
      ['domain.redirect_changed', { to: null, status: null }],
    ])
  })
})

describe('Removal', () => {
  test('"choose Remove. Traffic stops being served immediately": no project has the hostname from that moment on', async () => {
    const owner = await owning.ready('removal')
    await added(owner, 'www.removal.test')
    await verify(owner, 'www.removal.test')
    expect(await holderOf('www.removal.test')).toBe(owner.project)
    const answer = await remove(owner, 'www.removal.test')
    expect(answer.status).toBe(200)
    expect(await holderOf('www.removal.test')).toBeUndefined()
    expectRefusal(await owner.send('GET', domainsPath(owner, '/www.removal.test')), 404, 'not_found')
  })

  test('"Traffic stops being served immediately" when the whole project is deleted, too', async () => {
    const owner = await owning.ready('deleted')
    await added(owner, 'www.deleted.test')
    await verify(owner, 'www.deleted.test')
    expect(await holderOf('www.deleted.test')).toBe(owner.project)
    expect((await owner.send('DELETE', '/projects/deleted', { slug: 'deleted' })).status).toBe(204)
    expect(await holderOf('www.deleted.test')).toBeUndefined()
  })

  test('"a redirect should be set up first if the URL was shared": a redirect to the domain ends with it', async () => {
    const owner = await owning.ready()
    await added(owner, 'www.several.test')
    await added(owner, 'shop.several.test')
    await owning.makeLive(owner, 'www.several.test', 'shop.several.test')
    const redirects = [{ from: 'www.several.test', to: 'shop.several.test', status: 301 }]
    expect((await owner.send('PUT', domainsPath(owner, '/redirects'), { version: 0, redirects })).status).toBe(200)
    await remove(owner, 'shop.several.test')
    const settings = (await owner.send('GET', domainsPath(owner, '/settings'))).json as DomainSettings
    expect(settings.redirects).toEqual([])
  })
})

describe('Troubleshooting 1', () => {
  test('"Verification fails when a conflicting DNS record exists for the same subdomain (an existing A record blocks the CNAME)"', async () => {
    const owner = await owning.ready('conflict')
    await added(owner, 'shop.conflict.test')
    const failed = await verify(owner, 'shop.conflict.test')
    expect(failed).toMatchObject({ status: 'action_required', rootCause: { code: 'dns.conflict_a', actor: 'owner' } })
    expect(failed.rootCause?.advice).toContain('192.0.2.10')
    expect(failed.records).toMatchObject([
      {
        type: 'CNAME',
        have: [{ line: 'A 192.0.2.10', todo: 'delete' }],
        state: 'conflicting',
        action: 'delete_others',
      },
    ])
    await environment.world.edit('conflict.test', { remove: ['shop A'], add: ['shop CNAME conflict.petstore.test.'] })
    expect(await verify(owner, 'shop.conflict.test')).toMatchObject({ status: 'issuing' })
  })

  test('"or when the CNAME value differs from the one shown in the dashboard."', async () => {
    const owner = await owning.ready('differs')
    await added(owner, 'shop.differs.test')
    const failed = await verify(owner, 'shop.differs.test')
    expect(failed).toMatchObject({ status: 'action_required', rootCause: { code: 'dns.cname_wrong', actor: 'owner' } })
    expect(failed.rootCause?.advice).toMatch(/other\.hosting\.test.*differs\.petstore\.test/)
    expect(failed.records).toMatchObject([
      { have: [{ line: 'CNAME other.hosting.test', todo: 'change' }], state: 'wrong', action: 'change' },
    ])
    await environment.world.edit('differs.test', { remove: ['shop CNAME'], add: ['shop CNAME differs.petstore.test.'] })
    expect(await verify(owner, 'shop.differs.test')).toMatchObject({ status: 'issuing' })
  })
})

describe('Troubleshooting 2: "If the certificate is not provisioned after 30 minutes"', () => {
  test('"confirm the domain still verifies": Re-verify reports it, and has no cost', async () => {
    const owner = await owning.ready('still')
    await added(owner, 'www.still.test')
    const first = await verify(owner, 'www.still.test')
    const second = await verify(owner, 'www.still.test')
    expect(second).toMatchObject({ status: 'issuing', verifiedAt: first.verifiedAt, id: first.id })
    const verified = (await historyOf(owner, 'www.still.test')).filter(({ kind }) => kind === 'domain.verified')
    expect(verified).toHaveLength(1)
  })

  test('"check that no CAA record blocks the certificate authority": for an apex, with the record that helps', async () => {
    const owner = await owning.ready()
    const { records } = await added(owner, 'caa-apex.test')
    const token = records.find(({ type }) => type === 'TXT')?.value
    await environment.world.edit('caa-apex.test', { add: [`_petstore TXT "${token}"`] })
    const failed = await verify(owner, 'caa-apex.test')
    expect(failed).toMatchObject({ status: 'action_required', rootCause: { code: 'caa.blocked' } })
    expect(failed.rootCause?.advice).toMatch(/other-ca\.test.*letsencrypt\.org/)
    expect(failed.records).toContainEqual(
      expect.objectContaining({
        type: 'CAA',
        fullName: 'caa-apex.test',
        value: expect.stringContaining('letsencrypt.org'),
      }),
    )
    await environment.world.edit('caa-apex.test', { add: ['@ CAA 0 issue "letsencrypt.org"'] })
    expect(await verify(owner, 'caa-apex.test')).toMatchObject({ status: 'issuing' })
  })

  test('"check that no CAA record blocks the certificate authority": the CAA records of our own host count for a CNAME', async () => {
    const owner = await owning.ready('caa')
    await added(owner, 'www.caa.test')
    const domain = await verify(owner, 'www.caa.test')
    expect(domain).toMatchObject({ status: 'issuing' })
    expect(codesOf(domain)).not.toContain('caa.blocked')
  })

  test('"choose Re-verify to trigger a new attempt": at any time, any number of times, without removal', async () => {
    const owner = await owning.ready('again')
    const before = await added(owner, 'again.plan.test')
    const attempts = await Promise.all(Array.from({ length: 5 }, () => verify(owner, 'again.plan.test')))
    for (const one of attempts) expect(one).toMatchObject({ id: before.id, status: 'pending_dns' })
    await environment.world.edit('plan.test', { add: ['again CNAME again.petstore.test.'] })
    expect(await verify(owner, 'again.plan.test')).toMatchObject({ id: before.id, status: 'issuing' })
  })
})

describe('Troubleshooting 3 and 4', () => {
  test('3: "the certificate is not yet provisioned": a domain reports this until it is', async () => {
    const owner = await owning.ready('warning')
    await added(owner, 'www.warning.test')
    const domain = await verify(owner, 'www.warning.test')
    expect(domain).toMatchObject({
      status: 'issuing',
      liveAt: null,
      axes: { certificate: expect.not.stringMatching('deployed') },
    })
    expect(domain.rootCause?.advice).toMatch(/certificate/)
  })

  test('4: "Redirect problems can come from cached redirect chains": ours are not cached, and each leads to its final target', async () => {
    const owner = await owning.ready('chain')
    const [a, b, c] = ['a.chain.test', 'b.chain.test', 'c.chain.test']
    for (const name of [a, b, c]) await added(owner, name)
    await owning.makeLive(owner, a, b, c)
    const redirects = [
      { from: a, to: b },
      { from: b, to: c },
    ]
    const set = await owner.send('PUT', domainsPath(owner, '/redirects'), { version: 0, redirects })
    expect((set.json as DomainSettings).redirects.map(({ from, to }) => [from, to])).toEqual([
      [a, c],
      [b, c],
    ])
  })
})
