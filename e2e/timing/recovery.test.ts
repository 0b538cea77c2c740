// A forgotten password, as a program without knowledge of the service sees it: a request, the mail in
// the inbox of the development server, a new password; then everything from before is rejected.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoOwner } from '../../devserver/demo.ts'
import { secretFrom } from '../../testbed/harness/inbox.ts'
import { startDevService, type DevService } from '../dev-service.ts'
import { signInAsOwner } from '../owner-session.ts'

const PROMISED_MS = 1000
const NEXT = 'a much longer sentence'

let service: DevService

beforeAll(async () => {
  service = await startDevService()
})
afterAll(() => service?.stop())

const post = (path: string, body: object) =>
  fetch(`${service.origin}/platform/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.origin.replace('127.0.0.1', 'localhost') },
    body: JSON.stringify(body),
  })

test('sessions and tokens from before a recovery are rejected within a second', async () => {
  const { cookie, token } = await signInAsOwner(service)
  const credentials: Record<string, string>[] = [{ Cookie: cookie }, { Authorization: `Bearer ${token}` }]
  const statuses = () =>
    Promise.all(
      credentials.map(async (headers) => (await fetch(`${service.origin}/platform/v1/account`, { headers })).status),
    )
  expect(await statuses()).toEqual([200, 200])
  expect((await post('/recovery', { email: demoOwner.email })).status).toBe(202)
  const secret = await secretFrom(service.inbox, demoOwner.email, '/recovery')
  expect((await post('/recovery/password', { secret, password: NEXT })).status).toBe(204)
  const recoveredAt = performance.now()
  while ((await statuses()).includes(200)) expect(performance.now() - recoveredAt).toBeLessThan(PROMISED_MS)
  process.stdout.write(`recovery: rejected after ${(performance.now() - recoveredAt).toFixed(0)} ms\n`)
  expect((await post('/session', { email: demoOwner.email, password: demoOwner.password })).status).toBe(401)
  expect((await post('/session', { email: demoOwner.email, password: NEXT })).status).toBe(200)
})
