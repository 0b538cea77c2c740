import { describe, expect, test } from 'vitest'
import { judgeSender, type SenderFacts } from './sender-check.ts'

const publicKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0'
const good: SenderFacts = {
  domain: 'mail.shop.example',
  organisation: 'shop.example',
  dkim: { domain: 'shop.example', selector: 'petstore', publicKey },
  spf: ['google-site-verification=1', 'v=spf1 include:relay.example -all'],
  dmarc: [],
  organisationDmarc: ['v=DMARC1; p=none'],
  key: [`v=DKIM1; k=rsa; p=${publicKey.slice(0, 90)}`],
}
const verdicts = (facts: Partial<SenderFacts>) => judgeSender({ ...good, ...facts }).map(({ verdict }) => verdict)

test('a sender whose three records are right has no problem', () => {
  expect(verdicts({})).toEqual(['ok', 'ok', 'ok'])
})

describe('SPF', () => {
  test.each([
    ['no record', ['something else']],
    ['a record that is none', ['v=spf10 -all']],
    ['two records', ['v=spf1 -all', 'v=spf1 a -all']],
    ['a record that allows every server', ['v=spf1 +all']],
    ['a record that allows every server, by default', ['v=spf1 a all']],
  ])('%s is a problem', (_, spf) => {
    expect(verdicts({ spf })[0]).toBe('problem')
  })
})

describe('DKIM', () => {
  test.each([
    ['no key', { key: [] }],
    ['a key that was revoked', { key: ['v=DKIM1; p='] }],
    ['another key', { key: [`v=DKIM1; p=${publicKey.slice(0, 60).replace('u1SU', 'u2SU')}`] }],
    ['a domain that does not align', { dkim: { domain: 'relay.example', selector: 'a', publicKey } }],
  ] satisfies [string, Partial<SenderFacts>][])('%s is a problem', (_, facts) => {
    expect(verdicts(facts)[1]).toBe('problem')
  })

  test('of the relay cannot be judged', () => expect(verdicts({ dkim: undefined })[1]).toBe('unknown'))
})

test('a domain without DMARC, also above it, is a problem', () => {
  expect(verdicts({ organisationDmarc: [] })[2]).toBe('problem')
  expect(verdicts({ dmarc: ['v=DMARC1; p=reject'], organisationDmarc: [] })[2]).toBe('ok')
})

test('silence of DNS is never a problem of the sender', () => {
  expect(verdicts({ spf: undefined, key: undefined, dmarc: undefined, organisationDmarc: undefined })).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ])
})

test('every advice names the record to add', () => {
  const texts = judgeSender({ ...good, spf: [], key: [], organisationDmarc: [] }).map(({ text }) => text)
  expect(texts[0]).toContain('TXT mail.shop.example')
  expect(texts[1]).toContain(`TXT petstore._domainkey.shop.example with the value "v=DKIM1; p=${publicKey}"`)
  expect(texts[2]).toContain('TXT _dmarc.shop.example')
})
