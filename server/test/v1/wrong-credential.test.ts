// A credential of the other API: an API key sent to `/platform/v1`, a personal access token
// sent to `/v1`. The message names the credential that is needed. It is chosen by the form
// of the credential alone, so it reveals nothing about whether the secret is valid.

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeKey } from '../../src/foundation/key-format.ts'
import { cutOff, expectRefusal } from './responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { bytesOf, startPeople, type People } from '../platform/people.ts'
import { PLATFORM, type PlatformJson } from '../../../testbed/harness/platform.ts'

const KEY_SENT =
  "A project's API key authenticates requests to /v1 only. /platform/v1 needs a personal access token or a signed-in session."
const TOKEN_SENT = "A personal access token authenticates requests to /platform/v1 only. /v1 needs a project's API key."
const BAD_KEY = 'The API key is not valid.'
const BAD_TOKEN = 'The access token is not valid.'

let people: People
let goodKey: string
let goodToken: string

beforeAll(async () => {
  people = await startPeople()
  goodKey = people.test.north.key
  const made = await (await people.signUp()).send('POST', '/account/tokens', { label: 'script' })
  goodToken = String((made.json as PlatformJson)['token'])
})

const send = (path: string, secret: string, test = people.test): Promise<Received> =>
  test.send({ path, headers: { Authorization: `Bearer ${secret}` } })
const mistyped = (secret: string) => secret.slice(0, -1) + (secret.endsWith('x') ? 'y' : 'x')

describe('an API key sent to /platform/v1', () => {
  const keys: [what: string, key: () => string][] = [
    ['a good key', () => goodKey],
    ['a key that was never created', () => makeKey('live', randomBytes)],
    ['a key of the other installation', () => makeKey('test', randomBytes)],
    ['a mistyped key', () => mistyped(goodKey)],
  ]

  test.each(keys)('is 401 with the credential that is needed: %s', async (_, key) => {
    const paths = ['/account', '/projects', '/projects/north', '/projects/never-was/animals', '/nowhere', '/%zz']
    for (const path of paths) {
      const answer = await send(`${PLATFORM}${path}`, key())
      expectRefusal(answer, 401, 'not_signed_in', KEY_SENT)
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="petstore"')
    }
  })

  test('gets the same bytes whether it is a valid key or not', async () => {
    const answers = await Promise.all(keys.map(([, key]) => send(`${PLATFORM}/account`, key())))
    expect(new Set(answers.map(bytesOf)).size).toBe(1)
    // Negative control: on its own API a valid key and a bad one differ.
    const own = await Promise.all(keys.map(([, key]) => send('/v1/pets', key())))
    expect(new Set(own.map(bytesOf)).size).toBeGreaterThan(1)
  })

  test('a session does not change that: the credential that was sent is the one that counts', async () => {
    const mia = await people.signUp()
    const answer = await mia.send('GET', '/account', undefined, { Authorization: `Bearer ${goodKey}` })
    expectRefusal(answer, 401, 'not_signed_in', KEY_SENT)
  })
})

describe('a personal access token sent to /v1', () => {
  const tokens: [what: string, token: () => string][] = [
    ['a good token', () => goodToken],
    ['a token that was never created', () => makeKey('pat', randomBytes)],
    ['a mistyped token', () => mistyped(goodToken)],
  ]

  test.each(tokens)('is 401 with the credential that is needed: %s', async (_, token) => {
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/store/orders', '/v1/nowhere', '/v1/%zz']) {
      const answer = await send(path, token())
      expectRefusal(answer, 401, 'invalid_api_key', TOKEN_SENT)
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer realm="petstore", error="invalid_token", error_description="${TOKEN_SENT.slice(0, -1)}"`,
      )
    }
  })

  test('gets the same bytes whether it is a valid token or not', async () => {
    const answers = await Promise.all(tokens.map(([, token]) => send('/v1/pets', token())))
    expect(new Set(answers.map(bytesOf)).size).toBe(1)
    // Negative control: on its own API a valid token and a bad one differ.
    const own = await Promise.all(tokens.map(([, token]) => send(`${PLATFORM}/account`, token())))
    expect(new Set(own.map(bytesOf)).size).toBeGreaterThan(1)
  })
})

describe('every other bad credential keeps the ordinary message', () => {
  test.each<[what: string, secret: () => string]>([
    ['a key that was never created', () => makeKey('live', randomBytes)],
    ['a mistyped key', () => mistyped(goodKey)],
    ['a key of the other installation', () => makeKey('test', randomBytes)],
    ['a random string', () => randomBytes(24).toString('hex')],
    ['the prefix of a token alone', () => 'pets_pat_'],
    ['a token that is too short', () => goodToken.slice(0, -1)],
  ])('on /v1: %s', async (_, secret) => {
    expectRefusal(await send('/v1/pets', secret()), 401, 'invalid_api_key', BAD_KEY)
  })

  test.each<[what: string, secret: () => string]>([
    ['a token that was never created', () => makeKey('pat', randomBytes)],
    ['a mistyped token', () => mistyped(goodToken)],
    ['a random string', () => randomBytes(24).toString('hex')],
    ['the prefix of a key alone', () => 'pets_live_'],
    ['a key that is too short', () => goodKey.slice(0, -1)],
  ])('on /platform/v1: %s', async (_, secret) => {
    expectRefusal(await send(`${PLATFORM}/account`, secret()), 401, 'not_signed_in', BAD_TOKEN)
  })

  test('and so does a request without any', async () => {
    expectRefusal(await people.test.send({ path: '/v1/pets' }), 401, 'missing_api_key')
    expectRefusal(await people.anyone.send('GET', '/account'), 401, 'not_signed_in', 'Sign in first.')
  })
})

test('no log line holds a secret that was sent to the wrong API', async () => {
  const refused = await send('/v1/pets', goodToken)
  await send(`${PLATFORM}/account`, goodKey)
  await vi.waitUntil(() => people.test.logs.some((line) => line.includes(String(refused.headers['request-id']))), {
    timeout: 30_000,
  })
  const text = people.test.logs.join('\n')
  for (const secret of [goodKey, goodToken]) expect(text).not.toContain(secret.slice(14, -4))
})

test('the message needs no database, and repeated attempts are limited like any other', async () => {
  const cut = await startPeople({ env: { RATE_LIMIT_FAILED_AUTHENTICATIONS: '3' } })
  await cutOff(cut.test)
  const failures = () => [
    send('/v1/pets', makeKey('pat', randomBytes), cut.test),
    send(`${PLATFORM}/account`, makeKey('live', randomBytes), cut.test),
  ]
  for (let attempt = 0; attempt < 3; attempt++) {
    for (const answer of await Promise.all(failures())) expect(answer.status).toBe(401)
  }
  for (const answer of await Promise.all(failures())) expectRefusal(answer, 429, 'rate_limited')
  // Negative control: a secret that has to be looked up does need the database.
  const other = await startPeople()
  await cutOff(other.test)
  expectRefusal(await send(`${PLATFORM}/account`, makeKey('pat', randomBytes), other.test), 503, 'service_unavailable')
})
