import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeFakeChain, type FakeLeaf } from '../../../../testbed/harness/fake-chain.ts'
import { checkLeaf } from './leaf.io.ts'

const HOUR = 3_600_000
const now = Date.now()
const hostname = 'happy-paws.test'
const keyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' })
const good = await makeFakeChain({ hostnames: [hostname], keyPem })
const check = (chainPem: string, more: { keyPem?: string; replacesNotAfter?: number; hostname?: string } = {}) =>
  checkLeaf({ chainPem, hostname, keyPem, now, replacesNotAfter: null, ...more })
const reasonOf = (verdict: ReturnType<typeof checkLeaf>): string => (verdict.ok ? 'good' : verdict.reason)
const made = async (leaf: Partial<FakeLeaf>) =>
  (await makeFakeChain({ hostnames: [hostname], keyPem, ...leaf })).chainPem

test('a valid chain is accepted and described', () => {
  const verdict = check(good.chainPem)
  expect(reasonOf(verdict)).toBe('good')
  expect(verdict).toMatchObject({
    leaf: { chainPem: good.chainPem, certificateId: expect.stringMatching(/^[\w-]+\.[\w-]+$/) },
  })
})

test('CRLF line endings and empty lines between certificates make no difference', () => {
  const verdict = check(`\r\n${good.chainPem.replaceAll('\n', '\r\n')}\r\n`)
  expect(verdict).toEqual(check(good.chainPem))
})

test.each<[string, Partial<FakeLeaf>, RegExp]>([
  ['another name', { hostnames: ['other.test'] }, /^It is for dns:other.test, not for happy-paws.test/],
  ['a name too many', { hostnames: [hostname, 'other.test'] }, /^It is for dns:happy-paws.test, dns:other.test/],
  ['a wildcard over the name', { hostnames: ['*.test'] }, /^It is for/],
  ['an authority', { isAuthority: true }, /authority/],
  ['something that is no web server', { isForServers: false }, /web server/],
  ['later', { notBefore: now + 2 * HOUR }, /begins later/],
  ['the past', { notBefore: now - 3 * HOUR, notAfter: now - HOUR }, /ended already/],
])('a certificate for %s is refused', async (_, leaf, reason) => {
  expect(reasonOf(check(await made(leaf)))).toMatch(reason)
})

test('a wildcard certificate is accepted for exactly that wildcard', async () => {
  const chainPem = await made({ hostnames: ['*.happy-paws.test'] })
  expect(reasonOf(check(chainPem, { hostname: '*.happy-paws.test' }))).toBe('good')
  expect(reasonOf(check(chainPem, { hostname: '*.other.test' }))).toMatch(/^It is for/)
  expect(reasonOf(check(chainPem, { hostname: 'a.happy-paws.test' }))).toMatch(/^It is for/)
})

test('an authority whose clock is up to an hour ahead is tolerated', async () => {
  expect(reasonOf(check(await made({ notBefore: now + HOUR - 60_000 })))).toBe('good')
})

test('a certificate for another key, or for another kind of key, is rejected', async () => {
  const other = await makeFakeChain({ hostnames: [hostname] })
  expect(reasonOf(check(other.chainPem))).toMatch(/another key/)
  const large = await makeFakeChain({ hostnames: [hostname], curve: 'P-384' })
  expect(reasonOf(check(large.chainPem, { keyPem: large.keyPem }))).toMatch(/P-256/)
})

test('a certificate never replaces one that expires later', async () => {
  const chain = await made({ notAfter: now + 10 * HOUR })
  const ends = Math.floor((now + 10 * HOUR) / 1000) * 1000
  expect(reasonOf(check(chain, { replacesNotAfter: ends - 1000 }))).toBe('good')
  expect(reasonOf(check(chain, { replacesNotAfter: ends }))).toMatch(/no later than/)
  expect(reasonOf(check(chain, { replacesNotAfter: ends + HOUR }))).toMatch(/no later than/)
})

test('the chain has to lead from the leaf to its issuer', async () => {
  const foreign = await makeFakeChain({ hostnames: [hostname] })
  expect(reasonOf(check(`${good.issuerPem}${good.leafPem}`))).toMatch(/^It is for/)
  expect(reasonOf(check(`${good.leafPem}${good.rootPem}`))).toMatch(/not the issuer/)
  // Same names, another key.
  expect(reasonOf(check(`${good.leafPem}${foreign.issuerPem}`))).toMatch(/not the issuer|false signature/)
  expect(reasonOf(check(good.leafPem))).toMatch(/ends before the certificate of an issuer/)
  expect(reasonOf(check(`${good.leafPem}${good.issuerPem}${good.rootPem}`))).toBe('good')
  expect(reasonOf(check(await made({ issuerNotAfter: now - HOUR })))).toMatch(/not valid now/)
  expect(reasonOf(check(await made({ issuerIsAuthority: false })))).toMatch(/may not issue/)
  expect(reasonOf(check(good.chainPem.repeat(5)))).toMatch(/longer than any/)
})

test.each([
  ['nothing', ''],
  ['words', 'Not found'],
  ['a key next to it', `${good.chainPem}${keyPem}`],
  ['far too much', good.chainPem.repeat(100)],
])('%s is not accepted as a chain', (_, text) => {
  expect(check(text).ok).toBe(false)
})

test('an unreadable private key of ours gives a reason and does not throw', () => {
  expect(reasonOf(check(good.chainPem, { keyPem: 'no key' }))).toMatch(/could not be read/)
})

test('a text truncated anywhere is never accepted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: good.chainPem.trimEnd().length - 1 }), (length) => {
      expect(check(good.chainPem.slice(0, length)).ok).toBe(false)
    }),
  )
})

test('a single changed character never yields another certificate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: good.chainPem.length - 1 }),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '+', '/', '='),
      (at, letter) => {
        const changed = good.chainPem.slice(0, at) + letter + good.chainPem.slice(at + 1)
        const verdict = check(changed)
        // The issuer's own signature is checked by clients that know the root.
        if (verdict.ok) expect(leafOf(verdict.leaf.chainPem)).toBe(leafOf(good.chainPem))
      },
    ),
  )
})

const leafOf = (chainPem: string): string =>
  Buffer.from(chainPem.split('-----')[2]?.replaceAll('\n', '') ?? '', 'base64').toString('hex')
