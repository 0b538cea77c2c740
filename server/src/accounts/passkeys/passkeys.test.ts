// Passkeys: the hostnames for which they can be created, the parsing of arbitrary browser
// responses, and that the WebAuthn library leaves certificates alone: it brings another
// version of the package that parses ours, and both share one registry.

import { X509Certificate } from 'node:crypto'
import acme from 'acme-client'
import { describe, expect, test } from 'vitest'
import { makeFakeChain } from '../../../../testbed/harness/fake-chain.ts'
// After the others, so that a lookup finds what it registers instead of theirs.
import { challengeIn, credentialIdIn, relyingPartyOf } from './passkeys.ts'

describe('passkeys', () => {
  test.each([
    ['https://app.petstore.example', 'app.petstore.example'],
    ['http://localhost:3000', 'localhost'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['https://4.petstore.example', '4.petstore.example'],
  ])('can be created at %s for %s', (origin, id) => {
    expect(relyingPartyOf(origin)).toEqual({ id, origin })
  })

  test.each(['http://127.0.0.1:3000', 'https://192.0.2.7', 'https://0x7f.1', 'http://[::1]:3000'])(
    'cannot be created at %s',
    (origin) => {
      expect(relyingPartyOf(origin)).toBeUndefined()
    },
  )
})

describe('a browser response', () => {
  const challenge = 'a'.repeat(43)
  const saying = (data: unknown) => ({
    response: { clientDataJSON: Buffer.from(JSON.stringify(data)).toString('base64url') },
  })

  test('contains the challenge', () => {
    expect(challengeIn(saying({ challenge }))).toBe(challenge)
  })

  test.each<[what: string, sent: unknown]>([
    ['nothing', undefined],
    ['no response', {}],
    ['client data that is no JSON', { response: { clientDataJSON: 'AAAA' } }],
    ['client data that is null', saying(null)],
    ['a question that is a list', saying({ challenge: [challenge] })],
    ['a question that is too long', saying({ challenge: `${challenge}a` })],
    ['a question that cannot be stored', saying({ challenge: `${challenge.slice(1)}\u0000` })],
  ])('contains no challenge with %s', (_, sent) => {
    expect(challengeIn(sent)).toBeUndefined()
  })

  test.each<[id: unknown, read: string | undefined]>([
    ['AbC_-9', 'AbC_-9'],
    ['', undefined],
    [['AbC'], undefined],
    ['a\u0000', undefined],
    ['a'.repeat(1365), undefined],
  ])('names the passkey %j as %j', (id, read) => {
    expect(credentialIdIn({ id })).toBe(read)
  })
})

test('certificates are requested, created and checked next to the WebAuthn library as without it', async () => {
  const hostnames = ['a.example', 'b.example']
  const [key, csr] = await acme.crypto.createCsr({ commonName: 'a.example', altNames: hostnames })
  expect(key.toString()).toContain('PRIVATE KEY')
  expect(acme.crypto.readCsrDomains(csr).altNames).toEqual(hostnames)
  for (const curve of ['P-256', 'P-384'] as const) {
    const chain = await makeFakeChain({ hostnames, curve })
    const [leaf, issuer] = [new X509Certificate(chain.leafPem), new X509Certificate(chain.issuerPem)]
    expect(leaf.verify(issuer.publicKey)).toBe(true)
    expect(acme.crypto.readCertificateInfo(chain.chainPem).domains.altNames).toEqual(hostnames)
  }
})
