// The ACME client reports every failure of an authority as a typed value. A fault proxy in
// front of pebble causes each failure. Guarantees: the delay that the authority requests is
// read to the second, no call outlives its deadline, and no bad certificate passes the
// check.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { acmeFault, startAcmeFaults, type AcmeFaults, type AcmeFault } from '../../../testbed/internet/acme-faults.ts'
import { startChallengeServer, type ChallengeServer } from '../../../testbed/internet/challenge-server.ts'
import { startPebble, type Pebble } from '../../../testbed/internet/pebble.ts'
import { startWorld, type World } from '../../../testbed/internet/world.ts'
import { checkLeaf } from '../../src/foundation/acme/leaf.io.ts'
import type { Acme, AcmeProblem } from '../../src/foundation/acme/port.ts'
import { isSecondaryValidation, rateLimitOf } from '../../src/foundation/acme/problem.ts'
import { authorize, issue, newKeyPem, openAccount, problemOf, step, AcmeCalls } from './acme-issuance.ts'

let world: World
let website: ChallengeServer
let pebble: Pebble
let faults: AcmeFaults
let acme: Acme
let hasty: Acme

const TIMEOUT_MS = 2_500
const replaces = null
const some = 'shop.test'
let count = 0
const newName = (): string => `n${++count}.shop.test`
const order = (): Promise<AcmeProblem> => problemOf(acme.placeOrder(some, { replaces }))

beforeAll(async () => {
  ;[world, website] = await Promise.all([
    startWorld({
      zones: [
        {
          zone: 'shop.test',
          servers: [{ name: 'ns1.shop.test', role: 'first' }],
          records: ['@ A 127.0.80.201', '* A 127.0.80.201'],
        },
      ],
    }),
    startChallengeServer({ address: '127.0.80.201' }),
  ])
  const [resolver] = world.dns.resolvers
  pebble = await startPebble({
    dnsServer: `${resolver?.address}:${resolver?.port}`,
    httpPort: website.port,
    nonceRejectPercent: 5,
  })
  faults = await startAcmeFaults(pebble)
  const options = { directoryUrl: faults.directoryUrl, ca: faults.tlsRootPem, accountKeyPem: newKeyPem() }
  acme = await openAccount(options)
  hasty = await openAccount({ ...options, timeoutMs: TIMEOUT_MS })
})

afterAll(async () => {
  await faults?.close()
  await Promise.all([pebble?.close(), website?.close()])
  await world?.close()
})

afterEach(() => faults.clear())

const accept = async (hostname: string) => {
  const { chainPem, keyPem } = await issue(acme, hostname, website)
  return checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null })
}

test('without a fault the proxy changes nothing, and every address leads through it', async () => {
  const { host } = new URL(faults.directoryUrl)
  const hostname = newName()
  const before = faults.asked('finalize')
  const { order: done, chainPem, keyPem } = await issue(acme, hostname, website)
  for (const url of [done.url, done.finalize, done.certificate ?? '', ...done.authorizations]) {
    expect(new URL(url).host).toBe(host)
  }
  expect(checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null }).ok).toBe(true)
  expect(faults.asked('finalize')).toBeGreaterThan(before)
  expect(faults.orders().filter((one) => one.hostname === hostname && one.status === 201)).toHaveLength(1)
})

describe('a refusal by the authority', () => {
  const seconds = (from: number): string => new Date(from).toUTCString()
  test.each(['failures', 'duplicate', 'domain', 'account', 'registrations', 'paused'])(
    'the limit "%s" is recognised, with its delay in seconds, as a date or in the text',
    async (kind) => {
      const until = Math.ceil(Date.now() / 1000) * 1000 + 90_000
      faults.next(
        acmeFault.rateLimited(kind, { retryAfter: '90' }),
        acmeFault.rateLimited(kind, { retryAfter: seconds(until) }),
        acmeFault.rateLimited(kind, { until }),
      )
      for (const way of ['seconds', 'date', 'words']) {
        const wanted = way === 'seconds' ? 90_000 : until - Date.now()
        const problem = await order()
        expect(problem).toMatchObject({ type: 'rateLimited', status: 429 })
        expect(rateLimitOf(problem)).toBe(kind)
        if (kind === 'paused' && way === 'words') expect(problem.retryAfterMs).toBeNull()
        else expect(Math.abs((problem.retryAfterMs ?? Infinity) - wanted)).toBeLessThan(1_000)
      }
    },
  )

  test.each<[string, AcmeFault, Partial<AcmeProblem>]>([
    [
      '500',
      acmeFault.problem('newOrder', { type: 'serverInternal', status: 500 }),
      { type: 'serverInternal', status: 500 },
    ],
    [
      'a page with 503',
      acmeFault.page('newOrder', 503, { retryAfter: '7' }),
      { type: 'serverInternal', status: 503, retryAfterMs: 7_000 },
    ],
    ['a page with 500 for the directory', acmeFault.page('directory', 500), { type: 'serverInternal', status: 500 }],
    ['a page with 502 for the nonce', acmeFault.page('nonce', 502), { type: 'serverInternal', status: 502 }],
    [
      'a page with 429',
      acmeFault.page('newOrder', 429, { retryAfter: '3' }),
      { type: 'rateLimited', retryAfterMs: 3_000 },
    ],
    [
      'policy',
      acmeFault.problem('newOrder', { type: 'rejectedIdentifier' }),
      { type: 'rejectedIdentifier', status: 400 },
    ],
    ['CAA', acmeFault.problem('newOrder', { type: 'caa', status: 403 }), { type: 'caa', status: 403 }],
    ['an account unknown', acmeFault.accountUnknown(), { type: 'accountDoesNotExist', status: 400 }],
    ['a replacement there is already', acmeFault.alreadyReplaced(), { type: 'alreadyReplaced', status: 409 }],
    ['a success that cannot be read', acmeFault.garbage('newOrder'), { type: 'nonsense' }],
    ['a directory that cannot be read', acmeFault.garbage('directory'), { type: 'nonsense' }],
    ['nonces that are always rejected', acmeFault.badNonce('newOrder'), { type: 'badNonce', status: 400 }],
    ['a connection that breaks', acmeFault.reset('newOrder'), { type: 'unreachable', status: null }],
    ['a broken connection for the nonce', acmeFault.reset('nonce'), { type: 'unreachable', status: null }],
    ['something that is not HTTP', acmeFault.babble('newOrder'), { type: 'nonsense', status: null }],
  ])('%s is reported, and the next order is placed', async (_, fault, expected) => {
    // The directory is read again after a problem.
    faults.next(acmeFault.page('newOrder', 500))
    await order()
    faults.next(fault)
    expect(await order()).toMatchObject(expected)
    faults.clear()
    expect((await step(() => acme.placeOrder(newName(), { replaces }))).status).toBe('pending')
  })

  test('a refusal of several names keeps the problem of each', async () => {
    const subproblems = [
      { type: 'urn:ietf:params:acme:error:caa', detail: 'CAA', identifier: { type: 'dns', value: some } },
    ]
    faults.next(acmeFault.problem('newOrder', { type: 'compound', status: 403, subproblems }))
    expect(await order()).toMatchObject({ subproblems: [{ type: 'caa', detail: 'CAA', hostname: some }] })
  })

  test('a Retry-After date is read by the authority’s own clock', async () => {
    const there = Date.now() + 3_600_000
    const date = new Date(there).toUTCString()
    const retryAfter = new Date(there + 90_000).toUTCString()
    const reply = { status: 503, headers: { date, 'retry-after': retryAfter }, body: '' }
    faults.next({ on: 'newOrder', action: { does: 'answer', reply } })
    expect(await order()).toMatchObject({ retryAfterMs: 90_000 })
  })

  test('a signed request is sent once, whatever the response', async () => {
    for (const fault of [acmeFault.page('newOrder', 503, { retryAfter: '1' }), acmeFault.reset('newOrder')]) {
      const before = faults.asked('newOrder')
      faults.next(fault)
      await order()
      expect(faults.asked('newOrder') - before).toBe(1)
    }
  })

  test('a limit of two orders accepts two and gives the time for the third', async () => {
    faults.limitOrders({ count: 2, windowMs: 60_000 })
    await step(() => acme.placeOrder(newName(), { replaces }))
    await step(() => acme.placeOrder(newName(), { replaces }))
    const problem = await order()
    expect(rateLimitOf(problem)).toBe('account')
    expect(problem.retryAfterMs).toBeGreaterThan(50_000)
    expect(problem.retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('a changed directory is read again at the next call', async () => {
    await step(() => acme.placeOrder(newName(), { replaces }))
    faults.moveDirectory()
    // A nonce is requested without a body, so there is no problem document with details.
    expect(await order()).toMatchObject({ type: 'nonsense', status: 404 })
    expect((await step(() => acme.placeOrder(newName(), { replaces }))).status).toBe('pending')
  })
})

describe('a silent authority', () => {
  test.each<[string, AcmeFault]>([
    ['the directory', acmeFault.hang('directory')],
    ['the nonce', acmeFault.hang('nonce')],
    ['the order', acmeFault.hang('newOrder')],
    ['half of an answer', acmeFault.stall('newOrder')],
    ['everything', acmeFault.hang('any', { times: Infinity })],
  ])('a call during silence about %s ends at the deadline', async (_, fault) => {
    faults.next(acmeFault.page('newOrder', 500))
    await problemOf(hasty.placeOrder(some, { replaces }))
    faults.next(fault)
    const began = performance.now()
    expect(await problemOf(hasty.placeOrder(some, { replaces }))).toMatchObject({ type: 'timeout', status: null })
    const took = performance.now() - began
    expect(took).toBeGreaterThan(TIMEOUT_MS - 50)
    expect(took).toBeLessThan(TIMEOUT_MS + 2_000)
  })

  test('a lost response to an order leaves an order at the authority and returns a problem', async () => {
    const hostname = newName()
    faults.next(acmeFault.lose('newOrder'))
    expect(await problemOf(acme.placeOrder(hostname, { replaces }))).toMatchObject({ type: 'unreachable' })
    expect((await accept(hostname)).ok).toBe(true)
  })

  test('a lost response to finalizing is recovered from the order afterwards', async () => {
    const hostname = newName()
    const placed = await step(() => acme.placeOrder(hostname, { replaces }))
    await authorize(acme, placed, hostname, website)
    faults.next(acmeFault.lose('finalize', { hostname }))
    const keyPem = newKeyPem()
    const lost = await problemOf(acme.finalize(placed, hostname, keyPem))
    expect(['unreachable', 'badNonce']).toContain(lost.type)
    await expect
      .poll(async () => (await step(() => acme.readOrder(placed.url))).status, { timeout: 5_000 })
      .toBe('valid')
    const { certificate } = await step(() => acme.readOrder(placed.url))
    const { chainPem } = await step(() => acme.download(certificate ?? ''))
    expect(checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null }).ok).toBe(true)
  })
})

describe('concurrent calls', () => {
  test('each call has its own response and its own deadline', async () => {
    const names = Array.from({ length: 24 }, newName)
    const kinds = ['fine', 'caa', 'late', 'broken'] as const
    const kindOf = (index: number) => kinds[index % 4] ?? 'fine'
    for (const [index, hostname] of names.entries()) {
      const kind = kindOf(index)
      if (kind === 'caa') faults.next(acmeFault.problem('newOrder', { type: 'caa', detail: hostname }, { hostname }))
      if (kind === 'late') faults.next(acmeFault.hang('newOrder', { hostname }))
      if (kind === 'broken') faults.next(acmeFault.reset('newOrder', { hostname }))
    }
    const results = await Promise.all(names.map((hostname) => hasty.placeOrder(hostname, { replaces })))
    for (const [index, result] of results.entries()) {
      const outcome = result.ok ? 'fine' : result.problem.type
      expect(outcome).toBe({ fine: 'fine', caa: 'caa', late: 'timeout', broken: 'unreachable' }[kindOf(index)])
      if (!result.ok && outcome === 'caa') expect(result.problem.detail).toBe(names[index])
    }
  })
})

describe('an order that does not progress', () => {
  test('an order that stays in processing is reported as such each time', async () => {
    const hostname = newName()
    faults.next(acmeFault.processingForEver({ hostname }))
    const placed = await step(() => acme.placeOrder(hostname, { replaces }))
    await authorize(acme, placed, hostname, website)
    const finalized = await step(() => acme.finalize(placed, hostname, newKeyPem()))
    expect(finalized).toMatchObject({ status: 'processing', certificate: null })
    expect(await step(() => acme.readOrder(placed.url))).toMatchObject({ status: 'processing', certificate: null })
  })

  test('a challenge that the authority never validates stays pending', async () => {
    const hostname = newName()
    faults.next(acmeFault.pendingForEver({ hostname }))
    const placed = await step(() => acme.placeOrder(hostname, { replaces }))
    const [url = ''] = placed.authorizations
    const { challenge } = await step(() => acme.readAuthorization(url, 'http-01'))
    if (challenge === null) throw new Error('There is no challenge.')
    await step(() => acme.answerChallenge(challenge))
    expect((await step(() => acme.readAuthorization(url, 'http-01'))).status).toBe('pending')
    expect((await step(() => acme.readOrder(placed.url))).status).toBe('pending')
    expect(website.asked().filter((one) => one.hostname === hostname)).toEqual([])
  })

  test.each(['caa', 'dns', 'connection', 'unauthorized', 'tls', 'rateLimited', 'rejectedIdentifier'])(
    'a validation that fails with %s is read from the authorization, and ends the order',
    async (type) => {
      const [hostname, neighbour] = [newName(), newName()]
      faults.next(acmeFault.failedValidation({ type }, { hostname }))
      const placed = await step(() => acme.placeOrder(hostname, { replaces }))
      const outcome = await authorize(acme, placed, hostname, website).catch((error: unknown) => error)
      expect((outcome as AcmeCalls).problem).toMatchObject({ type, status: 403 })
      expect((await step(() => acme.readOrder(placed.url))).status).toBe('invalid')
      // Other orders are not affected.
      expect((await accept(neighbour)).ok).toBe(true)
    },
  )

  test('a failure at a secondary perspective only is distinguished', async () => {
    const hostname = newName()
    faults.next(acmeFault.secondaryValidation({ hostname }))
    const placed = await step(() => acme.placeOrder(hostname, { replaces }))
    const outcome = await authorize(acme, placed, hostname, website).catch((error: unknown) => error)
    expect(isSecondaryValidation((outcome as AcmeCalls).problem)).toBe(true)
  })
})

describe('a certificate that must not be stored', () => {
  test.each<[string, AcmeFault, RegExp]>([
    ['for another name', acmeFault.wrongLeaf({ hostnames: ['other.test'] }), /^It is for dns:other.test/],
    ['for a name more', acmeFault.wrongLeaf({ hostnames: [some, 'other.test'] }), /^It is for/],
    ['for another key', acmeFault.otherKey(), /another key/],
    [
      'that has ended',
      acmeFault.wrongLeaf({ notBefore: Date.now() - 7200_000, notAfter: Date.now() - 60_000 }),
      /ended/,
    ],
    ['that begins tomorrow', acmeFault.wrongLeaf({ notBefore: Date.now() + 86_400_000 }), /begins later/],
    ['cut off', acmeFault.truncated(), /cut off/],
    ['without an issuer', acmeFault.leafOnly(), /ends before/],
    ['in the wrong order', acmeFault.swappedChain(), /^It is for/],
    ['with a foreign issuer', acmeFault.foreignIssuer(), /not the issuer/],
    ['that is a page', acmeFault.page('certificate', 200), /cut off, or holds more/],
  ])('a certificate %s is rejected with a reason', async (_, fault, reason) => {
    faults.next(fault)
    const verdict = await accept(newName())
    expect(verdict.ok ? 'good' : verdict.reason).toMatch(reason)
  })

  test('the proxy can issue a good certificate (positive control)', async () => {
    faults.next(acmeFault.wrongLeaf({}))
    expect((await accept(newName())).ok).toBe(true)
  })
})

describe('renewal information', () => {
  const id = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'
  const start = '2026-12-01T00:00:00Z'
  const end = '2026-12-02T00:00:00Z'
  const fresh = (): Promise<Acme> =>
    openAccount({ directoryUrl: faults.directoryUrl, ca: faults.tlsRootPem, accountUrl: null })

  test('the window is read together with the time of the next poll', async () => {
    const requested: string[] = []
    faults.offerRenewalInfo((certificateId) => {
      requested.push(certificateId)
      return { start, end, retryAfter: '21600' }
    })
    expect(await (await fresh()).renewalInfo(id)).toEqual({
      ok: true,
      value: { start: Date.parse(start), end: Date.parse(end), retryAfterMs: 21_600_000 },
    })
    expect(requested).toEqual([id])
  })

  test('a certificate that the authority does not know has no window', async () => {
    faults.offerRenewalInfo(() => 'missing')
    expect(await (await fresh()).renewalInfo(id)).toEqual({ ok: true, value: null })
  })

  test.each<[string, () => void, Partial<AcmeProblem>]>([
    ['garbage', () => faults.offerRenewalInfo(() => 'garbage'), { type: 'nonsense' }],
    [
      'a window that ends before it begins',
      () => faults.offerRenewalInfo(() => ({ start: end, end: start })),
      { type: 'nonsense' },
    ],
    ['an outage', () => faults.offerRenewalInfo(() => 'garbage'), { type: 'serverInternal', status: 503 }],
  ])('%s is a problem', async (what, offer, expected) => {
    offer()
    if (what === 'an outage') faults.next(acmeFault.page('renewalInfo', 503))
    expect(await problemOf((await fresh()).renewalInfo(id))).toMatchObject(expected)
  })

  test('an order names the certificate that it replaces', async () => {
    const hostname = newName()
    await step(() => acme.placeOrder(hostname, { replaces: id }))
    expect(faults.orders().findLast((one) => one.hostname === hostname)).toMatchObject({ replaces: id })
  })
})
