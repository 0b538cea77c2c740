// The operator's commands for mail, run as an operator runs them.

import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { childEnv } from '../../../testbed/harness/child-env.ts'
import { startMailEnvironment, until, type MailEnvironment } from './environment.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
let on: MailEnvironment
let isBusy = true

beforeAll(async () => {
  on = await startMailEnvironment({ onRecipient: () => (isBusy ? '450 4.2.1 Greylisted' : undefined) })
})

function petstore(args: readonly string[], more: Record<string, string> = {}) {
  const env = {
    ...childEnv,
    DATABASE_URL: on.clone.appUrl,
    SMTP_URL: on.relay.url,
    MAIL_FROM: 'Petstore <no-reply@mail.shop.example>',
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    ...more,
  }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [main, 'mail', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

test('status, retry and drop show and steer what is queued', async () => {
  expect((await petstore(['status'])).out).toContain('Nothing is queued')
  await on.queue(await on.account('mia@shop.example'))
  const worker = on.startWorker()
  await until(async () => (await on.outbox())[0]?.attempts === 1)
  await worker.stop()
  const status = JSON.parse((await petstore(['status', '--json'])).out) as { state: string; mails: object[] }
  expect(status).toMatchObject({
    state: 'on',
    mails: [{ kind: 'password_changed', state: 'queued', count: 1 }],
    failures: [],
  })
  expect((await petstore(['status'], { MAIL_HOLD: 'true' })).out).toContain('Mail is held')
  expect((await petstore(['status'], { SMTP_URL: '' })).out).toContain('Mail is off')
  await until(async () => (JSON.parse((await petstore(['retry', '--json'])).out) as { retried: number }).retried === 1)
  expect((await petstore(['retry'])).out).toBe('0 mails are due now.\n')
  expect((await petstore(['drop', '--queued-before', new Date(Date.now() + 60_000).toISOString()])).out).toBe(
    '1 mails will not be sent.\n',
  )
  expect((await petstore(['status'])).out).toMatch(/password_changed +dropped +1/)
})

test('check sends a mail, and says what receivers will think of the sender', async () => {
  isBusy = false
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const dkim = {
    DKIM_DOMAIN: 'shop.example',
    DKIM_SELECTOR: 'petstore',
    DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  const ran = await petstore(['check', '--to', 'mia@shop.example'], dkim)
  expect(ran.out).toContain('The relay accepted the test mail.')
  expect(ran.out).toMatch(/SPF +unknown +DNS did not answer for TXT mail\.shop\.example/)
  expect(ran.code).toBe(0)
  const mail = await on.relay.received[0]?.read()
  expect(mail?.subject).toBe('Petstore can send mail')
  expect(mail?.headers.find(({ key }) => key === 'dkim-signature')?.value).toContain('d=shop.example')
  isBusy = true
  const refused = await petstore(['check', '--to', 'mia@shop.example'])
  expect([refused.code, refused.out.split('\n')[0]]).toEqual([1, 'The relay did not accept it: 450 4.2.1.'])
})

test.each([
  [['check', '--to', 'mia'], '--to takes an address'],
  [['drop', '--queued-before', 'yesterday'], '--queued-before takes a time'],
])('%j is refused with a sentence', async (args, sentence) => {
  const ran = await petstore(args)
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(sentence)])
})
