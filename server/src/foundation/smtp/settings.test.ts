import { describe, expect, test } from 'vitest'
import { readPrivateKey, readRelay, readSelector, readSender } from './settings.ts'

describe('the address of a relay', () => {
  test.each([
    ['smtps://relay.example', { host: 'relay.example', port: 465, tls: 'implicit' }],
    ['smtp://relay.example', { host: 'relay.example', port: 587, tls: 'starttls' }],
    ['smtp://relay.example:2525', { host: 'relay.example', port: 2525, tls: 'starttls' }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: 'none' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'none' }],
    ['smtp://localhost', { host: 'localhost', port: 587, tls: 'none' }],
    ['smtp://localhost.relay.example', { host: 'localhost.relay.example', port: 587, tls: 'starttls' }],
  ])('%s', (text, expected) => {
    expect(readRelay(text)).toMatchObject(expected)
  })

  test('may carry credentials, which are not printed', () => {
    const relay = readRelay('smtps://pet%40store:s%3Acret@relay.example')
    expect([relay?.user, relay?.password?.reveal()]).toEqual(['pet@store', 's:cret'])
    expect(JSON.stringify(relay)).not.toContain('cret"')
  })

  test.each([
    'relay.example',
    'http://relay.example',
    'smtp://',
    'smtp://relay.example/inbox',
    'smtp://relay.example?x=1',
  ])('%s is none', (text) => expect(readRelay(text)).toBeUndefined())
})

test.each([
  ['Petstore <no-reply@mail.example>', { name: 'Petstore', address: 'no-reply@mail.example' }],
  ['"Pet Store" <no-reply@mail.example>', { name: 'Pet Store', address: 'no-reply@mail.example' }],
  ['no-reply@mail.example', { name: '', address: 'no-reply@mail.example' }],
  ['Petstore <no-reply>', undefined],
  ['Petstore <a@mail.example>, b@mail.example', undefined],
  ['Pet\r\nBcc: x <a@mail.example>', undefined],
])('the sender %j', (text, expected) => {
  expect(readSender(text)).toEqual(expected)
})

test('selectors and keys of DKIM have their form', () => {
  expect(['petstore', '2026-11', 'a.b', '', '-a', 'a b'].map(readSelector)).toEqual([
    'petstore',
    '2026-11',
    'a.b',
    undefined,
    undefined,
    undefined,
  ])
  expect(readPrivateKey('-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----')).toBeDefined()
  expect(readPrivateKey('-----BEGIN PUBLIC KEY-----\nMII=\n-----END PUBLIC KEY-----')).toBeUndefined()
})
