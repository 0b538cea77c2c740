// Signing in with a mailed link: it works once, for fifteen minutes, and however many passwords strangers have guessed.
// Strangers who request links cannot keep the person from getting one, and learn nothing.

import { beforeAll, expect, test } from 'vitest'
import { DASHBOARD, PASSWORD, cookieOf } from '../../../testbed/harness/platform.ts'
import { bytesOf, type People } from '../platform/people.ts'
import { expectRefusal } from '../v1/responses.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'

let on: MailInstallation
let people: People

beforeAll(async () => {
  on = await startMailInstallation({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1' })
  ;({ people } = on)
})

const request = (email: string) => people.anyone.send('POST', '/sign-in-links', { email })
const use = (secret: string) => people.anyone.send('POST', '/session/link', { secret })
const signIn = (email: string, password: string) => people.anyone.send('POST', '/session', { email, password })
async function secretOf(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202)
  return on.secretFor(email, '/sign-in-link')
}

test('the link begins a session, once, and passwords that were turned off are accepted again', async () => {
  const mia = await people.signUp()
  await on.query(
    `insert into sign_in_failures (digest, count) select sha256(convert_to(email_key, 'UTF8')), 5 from accounts where id = $1`,
    [mia.id],
  )
  expectRefusal(await signIn(mia.email, PASSWORD), 403, 'password_not_accepted', /\(5 in a row\)/)
  const secret = await secretOf(mia.email)
  const answer = await use(secret)
  expect([answer.status, (answer.json as { id: string }).id]).toEqual([200, mia.id])
  const headers = { Cookie: cookieOf(answer), Origin: DASHBOARD }
  expect((await people.anyone.send('GET', '/account', undefined, headers)).status).toBe(200)
  // The mailbox was proved, not the password.
  const token = await people.anyone.send('POST', '/account/tokens', { label: 'Laptop' }, headers)
  expectRefusal(token, 403, 'reauthentication_required')
  expectRefusal(await use(secret), 404, 'not_found')
  expect((await signIn(mia.email, PASSWORD)).status).toBe(200)
})

test('while a link is valid no other is mailed, whichever client requests it; and then at once', async () => {
  const mia = await people.signUp()
  const secret = await secretOf(mia.email)
  const [known, unknown] = [await request(mia.email), await request('no-account@shop.example')]
  expect(bytesOf(known)).toBe(bytesOf(unknown))
  await on.nothingQueued()
  const secrets = () => on.secretsIn(mia.email, '/sign-in-link')
  expect(await secrets()).toEqual([secret])
  expect((await use(secret)).status).toBe(200)
  await request(mia.email)
  await on.nothingQueued()
  expect(await secrets()).toHaveLength(2)
  expect(on.relay.received.filter(({ to }) => to === 'no-account@shop.example')).toEqual([])
})

test('the link is rejected after fifteen minutes, and after a new password', async () => {
  const [late, changed] = [await people.signUp(), await people.signUp()]
  const secrets = [await secretOf(late.email), await secretOf(changed.email)]
  await on.query(`update account_links set expires_at = expires_at - interval '15 minutes' where account_id = $1`, [
    late.id,
  ])
  const next = 'a much longer sentence'
  expect((await changed.send('PUT', '/account/password', { current: PASSWORD, next })).status).toBe(204)
  for (const secret of secrets) expectRefusal(await use(secret), 404, 'not_found')
})

test('of twenty parallel uses exactly one succeeds', async () => {
  const secret = await secretOf((await people.signUp()).email)
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(secret)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})
