// Primary domain and redirects on `/platform/v1`. The tests set domains live directly, since
// they issue no certificates.

import type { Domain, DomainSettings } from '@petstore-platform/contract/platform/domain-shapes'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../v1/responses.ts'
import { domainsPath, startDomainOwners, type DomainOwners } from './owners.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'

let owners: DomainOwners
beforeAll(async () => {
  owners = await startDomainOwners()
})

let stores = 0

/** A store with these domains, of which the last one is not live. */
async function store(...labels: readonly string[]): Promise<{ owner: PlatformOwner; names: string[] }> {
  const owner = await owners.ready()
  stores += 1
  const names = labels.map((label) => `${label}.store-${stores}.com`)
  for (const name of names) {
    owners.dns.tell(name, [])
    expect((await owner.send('POST', domainsPath(owner), { hostname: name })).status).toBe(201)
  }
  await owners.makeLive(owner, ...names.slice(0, -1))
  return { owner, names }
}

const settingsOf = async (owner: PlatformOwner) =>
  (await owner.send('GET', domainsPath(owner, '/settings'))).json as DomainSettings
const put = (owner: PlatformOwner, redirects: readonly object[], version = 0): Promise<Received> =>
  owner.send('PUT', domainsPath(owner, '/redirects'), { version, redirects })
const choose = (owner: PlatformOwner, hostname: string, version?: number): Promise<Received> =>
  owner.send('PUT', domainsPath(owner, '/primary'), { hostname, ...(version !== undefined && { version }) })

describe('Redirects', () => {
  test('are stored as one set, shortened to one redirect each, and shown with their domains', async () => {
    const { owner, names } = await store('a', 'b', 'c', 'pending')
    const [a = '', b = '', c = '', pending = ''] = names
    expect(await settingsOf(owner)).toEqual({ version: 0, primary: null, redirects: [] })
    const answer = await put(owner, [
      { from: a, to: b },
      { from: b.toUpperCase(), to: c, status: 302 },
      { from: pending, to: c, status: 308 },
    ])
    const redirects = [
      { from: a, to: c, status: 302 },
      { from: b, to: c, status: 302 },
      { from: pending, to: c, status: 308 },
    ]
    expect([answer.status, answer.json]).toEqual([200, { version: 1, primary: null, redirects }])
    expect(await settingsOf(owner)).toEqual(answer.json)
    const shown = (await owner.send('GET', domainsPath(owner, `/${a}`))).json as Domain
    expect(shown.redirect).toEqual({ to: c, status: 302, isActive: true })
    expect((await put(owner, [], 1)).json).toEqual({ version: 2, primary: null, redirects: [] })
  })

  test('are refused as a whole for a mistake in any of them', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = '', pending = ''] = names
    const good = { from: pending, to: b }
    const { names: foreign } = await store('foreign', 'pending')
    const wrong: [RefusalCode, number, object, string?][] = [
      ['redirect_status_invalid', 400, { from: a, to: b, status: 303 }, "A redirect's status is 301, 302, 307 or 308."],
      [
        'redirect_target_foreign',
        400,
        { from: a, to: foreign[0] },
        'Redirects can only lead to a domain of this project.',
      ],
      ['redirect_target_foreign', 400, { from: a, to: '//evil.example' }],
      ['redirect_target_foreign', 400, { from: foreign[0], to: b }],
      [
        'redirect_target_not_live',
        409,
        { from: a, to: pending },
        `${pending} is not live yet. Save the redirect once it is.`,
      ],
      ['redirect_cycle', 409, { from: b, to: b }, `These redirects form a loop: ${b} → ${b}.`],
      ['invalid_field', 400, { from: a, to: b, extra: 1 }],
    ]
    for (const [code, status, redirect, message] of wrong) {
      expectRefusal(await put(owner, [good, redirect]), status, code, message)
    }
    const circle = await put(owner, [
      { from: a, to: b },
      { from: b, to: a },
    ])
    expectRefusal(circle, 409, 'redirect_cycle', `These redirects form a loop: ${a} → ${b} → ${a}.`)
    expect(await settingsOf(owner)).toEqual({ version: 0, primary: null, redirects: [] })
  })

  test('are changed by one of two concurrent writers of the same version, and the other must read again', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = ''] = names
    const answers = await Promise.all([put(owner, [{ from: a, to: b }]), put(owner, [{ from: b, to: a }])])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    if (refused) expectRefusal(refused, 409, 'stale_version')
    expect((await settingsOf(owner)).version).toBe(1)
  })

  test('can be set with the domain that is added, to one that is not live yet', async () => {
    const { owner, names } = await store('a', 'pending')
    const [a = '', pending = ''] = names
    const www = `www.${pending}`
    owners.dns.tell(www, [])
    const add = (hostname: string, redirectTo: string) =>
      owner.send('POST', domainsPath(owner), { hostname, redirectTo })
    expectRefusal(await add(www, 'www.nobody.com'), 400, 'redirect_target_foreign')
    expectRefusal(await add(www, www), 409, 'redirect_cycle')
    expectRefusal(await add(www, ''), 400, 'invalid_field')
    expect((await owner.send('GET', domainsPath(owner, `/${www}`))).status).toBe(404)

    const added = await add(www, pending.toUpperCase())
    expect([added.status, (added.json as Domain).redirect]).toEqual([
      201,
      { to: pending, status: 301, isActive: false },
    ])
    const redirects = [{ from: www, to: pending, status: 301 }]
    expect(await settingsOf(owner)).toEqual({ version: 1, primary: null, redirects })
    // Stored redirects can be sent again with others, although their target is not live.
    const both = [...redirects, { from: pending, to: a, status: 302 }]
    expect((await put(owner, both, 1)).json).toMatchObject({
      redirects: [
        { from: pending, to: a },
        { from: www, to: a, status: 302 },
      ],
    })
    expect((await put(owner, [{ from: a, to: pending }], 2)).status).toBe(409)
  })

  test('end with the domain that they lead to', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = ''] = names
    await put(owner, [{ from: a, to: b }])
    await owner.send('DELETE', domainsPath(owner, `/${b}`))
    expect((await settingsOf(owner)).redirects).toEqual([])
  })
})

describe('The primary domain', () => {
  test('is one of the domains, live or not yet', async () => {
    const { owner, names } = await store('a', 'pending')
    const [a = '', pending = ''] = names
    expect((await choose(owner, pending)).json).toMatchObject({ version: 1, primary: pending })
    expect((await choose(owner, pending)).json).toMatchObject({ version: 1, primary: pending })
    expect((await choose(owner, a, 1)).json).toMatchObject({ version: 2, primary: a })
    expectRefusal(await choose(owner, pending, 1), 409, 'stale_version')
    expectRefusal(await choose(owner, 'www.nobody.com'), 404, 'not_found')
    expect((await owner.send('GET', domainsPath(owner))).json).toMatchObject([
      { hostname: a, isPrimary: true },
      { hostname: pending, isPrimary: false },
    ])
    await owner.send('DELETE', domainsPath(owner, `/${a}`))
    expect((await settingsOf(owner)).primary).toBeNull()
  })

  test('is the address of the site in the project, while it is live', async () => {
    const { owner, names } = await store('a', 'pending')
    const [a = '', pending = ''] = names
    const project = async () => (await owner.send('GET', `/projects/${owner.slug}`)).json as Record<string, string>
    const { defaultSiteUrl = '' } = await project()
    expect(defaultSiteUrl).toMatch(new RegExp(`://${owner.slug}\\.petstore\\.example`))
    const urls = async () => {
      const [one] = ((await owner.send('GET', '/projects')).json as Record<string, string>[]).filter(
        ({ slug }) => slug === owner.slug,
      )
      const shown = await project()
      expect(one).toEqual(shown)
      expect(shown['defaultSiteUrl']).toBe(defaultSiteUrl)
      return shown['siteUrl']
    }
    expect(await urls()).toBe(defaultSiteUrl)
    await choose(owner, pending)
    expect(await urls()).toBe(defaultSiteUrl)
    await choose(owner, a)
    expect(await urls()).toBe(`https://${a}`)
    await owner.send('DELETE', domainsPath(owner, `/${a}`))
    expect(await urls()).toBe(defaultSiteUrl)
  })

  test('never redirects its own visitors', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = ''] = names
    await choose(owner, a)
    expectRefusal(await put(owner, [{ from: a, to: b }], 1), 409, 'wrong_state')
    await put(owner, [{ from: b, to: a }], 1)
    expectRefusal(await choose(owner, b), 409, 'wrong_state', `${b} redirects to ${a}. Remove that redirect first.`)
  })

  test('is swapped with the domain that redirected to it in one change, or not at all', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = '', pending = ''] = names
    await choose(owner, a)
    await put(owner, [{ from: b, to: a }], 1)
    const swap = (redirects: readonly object[], primary = b) =>
      owner.send('PUT', domainsPath(owner, '/redirects'), { version: 2, primary, redirects })
    expectRefusal(await swap([{ from: a, to: pending }]), 409, 'redirect_target_not_live')
    expectRefusal(await swap([{ from: b, to: a }]), 409, 'wrong_state')
    expectRefusal(await swap([], 'www.nobody.com'), 404, 'not_found')
    expect(await settingsOf(owner)).toMatchObject({ version: 2, primary: a })
    const redirects = [{ from: a, to: b, status: 301 }]
    expect((await swap(redirects)).json).toEqual({ version: 3, primary: b, redirects })
    const { json } = await owner.send('GET', `/projects/${owner.slug}/audit?limit=2`)
    expect(json).toMatchObject([{ action: 'redirects_set' }, { action: 'primary_domain_chosen', subject: b }])
    const history = (await owner.send('GET', domainsPath(owner, `/${a}/history`))).json as { kind: string }[]
    expect(history.slice(0, 2).map(({ kind }) => kind)).toEqual(['domain.redirect_changed', 'domain.primary_changed'])
  })

  test('is in the audit trail, and so are redirects', async () => {
    const { owner, names } = await store('a', 'b', 'pending')
    const [a = '', b = ''] = names
    await choose(owner, a)
    await put(owner, [{ from: b, to: a }], 1)
    const { json } = await owner.send('GET', `/projects/${owner.slug}/audit?limit=2`)
    expect(json).toMatchObject([{ action: 'redirects_set' }, { action: 'primary_domain_chosen', subject: a }])
  })
})
