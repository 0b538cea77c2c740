// Repeated attempts to sign in: the person is told once a day, in her language, and the response is
// the same for an address that has no account.

import { beforeAll, expect, test, vi } from 'vitest'
import type { TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD, PASSWORD } from '../../../testbed/harness/platform.ts'
import { accountTexts } from '../../src/accounts/mails.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { bytesOf, type People } from '../platform/people.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'

const LIMIT = 2
let relay: TestRelay
let people: People
let mailsTo: MailInstallation['mailsTo']

beforeAll(async () => {
  const installation = await startMailInstallation({
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: String(LIMIT),
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  relay = installation.relay
  people = installation.people
  mailsTo = installation.mailsTo
})

let addresses = 0
/** Each time from another address. */
const signIn = (email: string) =>
  people.anyone.send(
    'POST',
    '/session',
    { email, password: `not ${PASSWORD}` },
    { 'X-Forwarded-For': `192.0.2.${(addresses += 1)}` },
  )

/** Tries until the limit refuses; returns that response. */
async function refusal(email: string) {
  for (let attempt = 0; attempt < LIMIT; attempt++) expect((await signIn(email)).status).toBe(401)
  return signIn(email)
}

const noticeRows = statement<{ state: string; outcome: string | null }, []>(
  'test-notices',
  `select state, outcome from mail_directory where kind = 'sign_ins_limited' order by queued_at`,
)
const notices = () => people.test.service.database.run(noticeRows)
const mailed = (email: string) => vi.waitUntil(async () => (await mailsTo(email))[0], { timeout: 30_000, interval: 20 })

test('a person learns of repeated attempts, once, and an address without an account gets nothing', async () => {
  const mia = await people.signUp()
  const known = await refusal(mia.email)
  const unknown = await refusal('nobody@shop.example')
  expect([known.status, unknown.status]).toEqual([403, 403])
  const withoutTimes = (text: string) => text.replaceAll(/\d+ s\b|(?<=^Retry-After\n)\d+/gim, '')
  expect(withoutTimes(bytesOf(known))).toBe(withoutTimes(bytesOf(unknown)))

  const mail = await mailed(mia.email)
  expect(mail.subject).toBe('Repeated attempts to sign in to your account')
  expect(mail.text).toContain('Nothing suggests that your password was guessed')
  expect(mail.text).toContain(`${DASHBOARD}/account`)
  expect(mail.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(false)

  for (let attempt = 0; attempt < 3; attempt++) expect((await signIn(mia.email.toUpperCase())).status).toBe(403)
  await expect.poll(notices, { timeout: 30_000 }).toEqual([
    { state: 'sent', outcome: '250' },
    { state: 'dropped', outcome: 'recipient gone' },
  ])
  expect(relay.received.filter(({ to }) => to !== mia.email)).toEqual([])
})

test.each(['de', 'fr', 'es'] as const)('the notice is in the language of the account: %s', async (language) => {
  const person = await people.signUp()
  expect((await person.send('PATCH', '/account', { language })).status).toBe(200)
  await refusal(person.email)
  const { subject, notGuessed, advice } = accountTexts[language].signInsLimited
  const mail = await mailed(person.email)
  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(notGuessed)
  expect(mail.text).toContain(advice)
})

test('every other mail is in the language of the account, even the last one', async () => {
  const person = await people.signUp()
  await person.send('PATCH', '/account', { language: 'de' })
  await person.send('POST', '/account/email', { email: person.email })
  await people.anyone.send('POST', '/recovery', { email: person.email })
  await people.anyone.send('POST', '/sign-up', { email: person.email })
  await person.send('POST', '/account/tokens', { label: 'Laptop' })
  await vi.waitUntil(() => relay.received.filter(({ to }) => to === person.email).length === 4, { timeout: 30_000 })
  expect((await person.send('DELETE', '/account')).status).toBe(204)
  await vi.waitUntil(() => relay.received.filter(({ to }) => to === person.email).length === 5, { timeout: 30_000 })
  const { emailChange, recovery, signUp, notices: texts, accountDeleted } = accountTexts.de
  expect((await mailsTo(person.email)).map(({ subject = '' }) => subject).toSorted()).toEqual(
    [
      emailChange.subject,
      recovery.subject,
      signUp.subject,
      texts.access_token_created.subject,
      accountDeleted.subject,
    ].toSorted(),
  )
})

test('an address that normalisation makes longer than any is treated like others', async () => {
  const email = `${'\uFDFA'.repeat(30)}@shop.example`
  expect((await refusal(email)).status).toBe(403)
  expect((await people.anyone.send('POST', '/recovery', { email })).status).toBe(202)
})
