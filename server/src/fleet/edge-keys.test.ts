// What an edge does with its keys: a signature covers all that the control plane acts upon, and a delivered private key
// opens for one edge and one certificate.

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openAtEdge, publicKeyOf, publicTextOf, sealToEdge } from './key-delivery.io.ts'
import { exportsAllowed } from './key-export.io.ts'
import { isSignedBody, isSignedBy, readSignature, signatureOf, type SignableRequest } from './request-signature.io.ts'

const ID = `edg_${'0'.repeat(24)}`
const sign = generateKeyPairSync('ed25519')
const seal = generateKeyPairSync('x25519')

describe('a signature', () => {
  const headers = { 'petstore-site': 'willow', 'petstore-host': 'shop.example', 'petstore-visitor': '192.0.2.1' }
  const request: SignableRequest = { method: 'POST', url: '/edge/v1/site/a?b=\u00e9', headers }
  const body = Buffer.from('name=Ada')
  const header = signatureOf({ id: ID, key: sign.privateKey, at: 1_800_000_000_000 }, request, body)
  const isValid = (text: string, sent = request, key = sign.publicKey) => {
    const signature = readSignature(text)
    return signature !== undefined && isSignedBy(key, signature, sent)
  }

  test('is valid for its request, by its key', () => {
    expect(isValid(header)).toBe(true)
    expect(readSignature(header)).toMatchObject({ id: ID, at: 1_800_000_000_000 })
    expect(isSignedBody(header, body)).toBe(true)
  })

  test.each([
    ['another method', { method: 'GET' }],
    ['another target', { url: '/edge/v1/site/a?b=' }],
    ['another site', { headers: { ...headers, 'petstore-site': 'oak' } }],
    ['another host', { headers: { ...headers, 'petstore-host': 'other.example' } }],
    ['another visitor', { headers: { ...headers, 'petstore-visitor': '192.0.2.2' } }],
    ['no visitor', { headers: { ...headers, 'petstore-visitor': undefined } }],
  ])('is not valid for %s', (_, change) => {
    expect(isValid(header, { ...request, ...change })).toBe(false)
  })

  test('is not valid by another key, for another body, time or edge, or with any one character changed', () => {
    expect(isValid(header, request, generateKeyPairSync('ed25519').publicKey)).toBe(false)
    expect(isSignedBody(header, Buffer.from('name=Eve'))).toBe(false)
    const [, ...parts] = header.split(' ')
    for (const [index, part] of parts.entries()) {
      // The last one of 86 characters has bits to spare.
      const at = index === 3 ? 40 : part.length - 2
      const other = part[at] === '2' ? '3' : '2'
      const changed = parts.with(index, part.slice(0, at) + other + part.slice(at + 1))
      expect(isValid(['Petstore-Edge', ...changed].join(' '))).toBe(false)
    }
    for (const text of [
      '',
      undefined,
      'Bearer x',
      header.slice(0, -1),
      `${header} x`,
      header.replace('edg_', 'edx_'),
    ]) {
      expect(readSignature(text)).toBeUndefined()
    }
  })
})

describe('a delivered private key', () => {
  const what = { edge: ID, hostname: 'shop.example', generation: '7', serial: 'ab' }
  const to = publicKeyOf('X25519', publicTextOf(seal.publicKey))
  const sealed = sealToEdge(to, 'a private key', what)

  test('opens at the edge that it is for, reveals nothing, and is never the same twice', () => {
    expect(openAtEdge(seal.privateKey, sealed, what)).toBe('a private key')
    expect(Buffer.from(sealed, 'base64url').includes('private')).toBe(false)
    expect(sealToEdge(to, 'a private key', what)).not.toBe(sealed)
  })

  test('opens nowhere else, for nothing else, and with no byte changed', () => {
    expect(openAtEdge(generateKeyPairSync('x25519').privateKey, sealed, what)).toBeNull()
    for (const change of [{ edge: 'x' }, { hostname: 'x' }, { generation: '8' }, { serial: 'x' }]) {
      expect(openAtEdge(seal.privateKey, sealed, { ...what, ...change })).toBeNull()
    }
    const bytes = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(openAtEdge(seal.privateKey, changed.toString('base64url'), what)).toBeNull()
    }
    for (const text of ['', 'AAAA', 'A'.repeat(200)]) expect(openAtEdge(seal.privateKey, text, what)).toBeNull()
  })
})

test('an edge may receive 1,000 keys in an hour, or twice as many as there are names, if that is fewer', () => {
  expect([1, 50, 51, 499, 500, 501, 1_000_000].map(exportsAllowed)).toEqual([100, 100, 102, 998, 1000, 1000, 1000])
})
