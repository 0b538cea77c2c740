// What comes back: reports are sorted as their servers mean them, believed only with a code of
// ours, and an address from which mail came back gets nothing until it is proved again.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { childEnv } from '../../../testbed/harness/child-env.ts'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD, PASSWORD, type PersonClient } from '../../../testbed/harness/platform.ts'
import { ingestCommand, suppressionCommands } from '../../src/commands/mail-reports.ts'
import { parseConfig } from '../../src/program/config.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { statement, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { envelopeSenders } from '../../src/program/mail.ts'
import { ingest, type Ingested } from '../../src/mail/ingest.io.ts'
import { messageCodes, type MessageCodes } from '../../src/mail/message-codes.io.ts'
import { endMail, insertMail } from '../../src/mail/outbox-queries.ts'
import { addressDigest, endSuppressions, suppress } from '../../src/mail/suppression-queries.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import { queueMail } from '../../src/program/mail-kinds.ts'
import { startPeople, type People } from '../platform/people.ts'
import { deadReport, samples } from './delivery-reports.ts'

const BOUNCE = 'bounce@mail.petstore.example'
let relay: TestRelay
let people: People
let work: RunningWork
let database: Database
let codes: MessageCodes
let returnPath: (mail: string) => Promise<string>
let env: Record<string, string>
/** Addresses that the relay does not know. */
const dead = new Set<string>()

beforeAll(async () => {
  relay = await startMailRelay({ onRecipient: (to) => (dead.has(to) ? '550 5.1.1 No such user' : undefined) })
  env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    MAIL_BOUNCE_ADDRESS: BOUNCE,
    DASHBOARD_ORIGIN: DASHBOARD,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
  }
  people = await startPeople({ env })
  env = { ...env, DATABASE_URL: people.test.database.appUrl }
  work = await startWork(parseConfig(env), { pauseMs: 20 })
  database = people.test.service.database
  codes = messageCodes(database.run, 'bounce', randomBytes)
  returnPath = envelopeSenders(database.run, BOUNCE)
})

afterAll(async () => {
  await work?.stop()
  await relay?.stop()
})

const suppressionRows = statement<{ digest: string; scope: string; reason: string }, []>(
  'test-suppressions',
  `select encode(digest, 'hex') as digest, scope, reason from mail_suppressions order by scope`,
)
const mailRows = statement<{ state: string; outcome: string | null }, [id: string]>(
  'test-mail',
  `select state, outcome from mail_directory where id = $1`,
)
const suppressionsOf = async (email: string) => {
  const digest = addressDigest(email).toString('hex')
  return (await database.run(suppressionRows)).filter((row) => row.digest === digest).map(({ scope }) => scope)
}

let addresses = 0
const newAddress = () => `reader-${(addresses += 1)}@shop.example`

/** A mail that was sent to the address. */
async function sentTo(email: string): Promise<string> {
  const id = newId('mail')
  const mail = { project: 0n, id, kind: 'member_joined', recipient: newId('acc'), subject: {}, validSeconds: 60 }
  await database.transaction({}, async (db) => {
    await insertMail(db, mail)
    await endMail(db, mail, 'sent', '250', addressDigest(email))
  })
  return id
}
const take = (message: string, isCode = codes.isCode) => ingest(database, isCode, Buffer.from(message))
const summary = ({ result, scope, reason, isUnderstood }: Ingested) =>
  isUnderstood ? [result, scope, reason].filter((part) => part !== undefined).join(' ') : reason

describe(`each of ${samples.length} messages means what its server says`, () => {
  test.each(samples)('$name', async ({ messageFor, expected }) => {
    const email = newAddress()
    const mail = await sentTo(email)
    expect(summary(await take(messageFor(await returnPath(mail))))).toBe(expected)
    const [, scope] = /^suppressed (\w+)/.exec(expected) ?? []
    expect(await suppressionsOf(email)).toEqual(scope === undefined ? [] : [scope])
    const [row] = await database.run(mailRows, mail)
    const [, reason] = /^(?:suppressed \w+|noted) (.*)$/.exec(expected) ?? []
    expect(row?.outcome).toBe(reason ?? '250')
  })

  test('and there are at least 40 of them', () => expect(samples.length).toBeGreaterThanOrEqual(40))
})

test('a report that the mail has finally failed makes it bounced, a delay does not', async () => {
  const stateAfter = async (name: string) => {
    const mail = await sentTo(newAddress())
    const sample = samples.find((known) => known.name === name)
    await take(sample?.messageFor(await returnPath(mail)) ?? '')
    return (await database.run(mailRows, mail))[0]?.state
  }
  expect(await stateAfter('postfix: unknown user of its own')).toBe('bounced')
  expect(await stateAfter('postfix: given up after days')).toBe('bounced')
  expect(await stateAfter('postfix: delayed')).toBe('sent')
  expect(await stateAfter('a complaint from arf.mail.yahoo.com: abuse')).toBe('sent')
})

test('nothing of a report is stored but codes', async () => {
  const rows = await database.run(suppressionRows)
  expect(rows.length).toBeGreaterThan(10)
  for (const { reason } of rows) expect(reason).toMatch(/^(report 5\.1\.\d+|complaint [a-z-]+)$/)
})

describe('a forged report', () => {
  const hex = (digits: number) => randomBytes(digits).toString('hex').slice(0, digits)
  const flip = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1)
  const addressWith = (mail: string, code: string) => BOUNCE.replace('@', `+${mail}.${code}@`)

  /** Each makes an address from the mail that is attacked, its code, and the code of another mail. */
  const forgeries: readonly ((mail: string, code: string, other: string) => string)[] = [
    (mail) => addressWith(mail, hex(20)),
    (mail, _, other) => addressWith(mail, other),
    (mail, code) => addressWith(mail, flip(code)),
    (mail, code) => addressWith(mail, flip(code)).toUpperCase(),
    (mail, code) => addressWith(mail, code.slice(0, -1 - Math.floor(Math.random() * 18))),
    (mail, code) => addressWith(mail, `${code}0`),
    (mail, code) => addressWith(mail.slice(0, -1), code),
    (mail) => BOUNCE.replace('@', `+${mail}@`),
    (_, code) => addressWith(newId('mail'), code),
    () => BOUNCE,
  ]

  async function forgedMessages(count: number): Promise<string[]> {
    const { codeOf } = codes
    const [mail, other] = [await sentTo(newAddress()), await sentTo(newAddress())]
    const [code, otherCode] = [await codeOf(mail), await codeOf(other)]
    const forge = forgeries.map((of) => () => of(mail, code, otherCode))
    const messages = samples.filter(({ expected }) => expected.startsWith('suppressed')).map((one) => one.messageFor)
    return Array.from({ length: count }, (_, n) => {
      const message = messages[n % messages.length] ?? deadReport
      return message(forge[n % forge.length]?.() ?? '')
    })
  }

  test('suppresses nothing: 1,000 with wrong, foreign, changed, shortened and missing codes', async () => {
    const before = await database.run(suppressionRows)
    const results = []
    for (const message of await forgedMessages(1000)) results.push(summary(await take(message)))
    expect(new Set(results)).toEqual(new Set(['no valid code']))
    expect(await database.run(suppressionRows)).toEqual(before)
  })

  test('would suppress if codes were not checked (negative control)', async () => {
    const results = []
    for (const message of await forgedMessages(50)) results.push((await take(message, async () => true)).result)
    expect(results.filter((result) => result === 'suppressed').length).toBeGreaterThan(15)
  })

  test('about a mail that was never sent does nothing, even with a valid code', async () => {
    const unsent = newId('mail')
    expect(summary(await take(deadReport(await returnPath(unsent))))).toBe('ignored mail not known, or not sent')
    const mail = { project: 0n, id: newId('mail'), kind: 'recovery', recipient: newId('rec'), subject: {} }
    await insertMail(database.run, { ...mail, validSeconds: 60 })
    expect(summary(await take(deadReport(await returnPath(mail.id))))).toBe('ignored mail not known, or not sent')
  })
})

const mailsTo = async (email: string) =>
  Promise.all(relay.received.filter(({ to }) => to === email).map(({ read }) => read()))
const secretFor = (email: string, page: string) =>
  vi.waitUntil(
    async () =>
      (await mailsTo(email)).flatMap(
        ({ text: body = '' }) => new RegExp(`${page}#([\\w-]{43})$`, 'm').exec(body)?.[1] ?? [],
      )[0],
    { timeout: 30_000, interval: 20 },
  )
const isReachable = async (person: PersonClient) =>
  ((await person.send('GET', '/account')).json as { isReachable: boolean }).isReachable
const outcomes = statement<{ kind: string; state: string; outcome: string }, [recipient: string]>(
  'test-outcomes',
  `select kind, state, outcome from mail_directory where recipient = $1 and state <> 'queued' order by queued_at`,
)
const confirm = (secret: string) => people.anyone.send('POST', '/recovery/email/confirmation', { secret })

test('an address that the relay does not know gets nothing until it is proved again', async () => {
  const mia = await people.signUp()
  expect(await isReachable(mia)).toBe(true)
  dead.add(mia.email)
  await mia.send('POST', '/account/tokens', { label: 'Laptop' })
  await vi.waitUntil(async () => !(await isReachable(mia)), { timeout: 30_000, interval: 20 })
  dead.delete(mia.email)
  await mia.send('POST', '/account/tokens', { label: 'Phone' })
  await expect
    .poll(() => database.run(outcomes, mia.id), { timeout: 30_000 })
    .toEqual([
      { kind: 'access_token_created', state: 'bounced', outcome: '550 5.1.1' },
      { kind: 'access_token_created', state: 'dropped', outcome: 'suppressed' },
    ])
  expect((await mia.send('POST', '/account/email', { email: mia.email })).status).toBe(202)
  expect((await confirm(await secretFor(mia.email, '/confirm-email'))).status).toBe(204)
  expect(await isReachable(mia)).toBe(true)
  expect(await suppressionsOf(mia.email)).toEqual([])
  await mia.send('POST', '/account/tokens', { label: 'Tablet' })
  await expect
    .poll(async () => (await mailsTo(mia.email)).map(({ subject }) => subject))
    .toContain('An access token was created for your account')
})

describe('a suppression ends', () => {
  const suppressAll = async (email: string) => {
    for (const scope of ['all', 'optional', 'invitations'] as const) {
      await suppress(database.run, addressDigest(email), scope, 'report 5.1.1')
    }
  }

  test('when the address signs up with the mailed link', async () => {
    const email = newAddress()
    await suppressAll(email)
    expect((await people.anyone.send('POST', '/sign-up', { email })).status).toBe(202)
    const secret = await secretFor(email, '/sign-up')
    const answer = await people.anyone.send('POST', '/accounts', { secret, password: PASSWORD, name: 'Mia' })
    expect([answer.status, (answer.json as { isReachable: boolean }).isReachable]).toEqual([201, true])
    expect(await suppressionsOf(email)).toEqual(['invitations'])
  })

  test('when it becomes the address of an account', async () => {
    const [mia, email] = [await people.signUp(), newAddress()]
    await suppressAll(email)
    await mia.send('POST', '/account/email', { email })
    expect((await confirm(await secretFor(email, '/confirm-email'))).status).toBe(204)
    expect(await suppressionsOf(email)).toEqual(['invitations'])
  })

  test('when a mailed link sets a new password', async () => {
    const mia = await people.signUp()
    await people.anyone.send('POST', '/recovery', { email: mia.email })
    const secret = await secretFor(mia.email, '/recovery')
    await suppressAll(mia.email)
    const answer = await people.anyone.send('POST', '/recovery/password', { secret, password: 'a brand new password' })
    expect([answer.status, await suppressionsOf(mia.email)]).toEqual([204, ['invitations']])
  })

  test('but not when an account is created with a link that an operator passed on', async () => {
    const email = newAddress()
    await suppressAll(email)
    const secret = await people.invited(email)
    const answer = await people.anyone.send('POST', '/accounts', { secret, password: PASSWORD, name: 'Mia' })
    expect([answer.status, (answer.json as { isReachable: boolean }).isReachable]).toEqual([201, false])
    await endSuppressions(database.run, addressDigest(email), ['all'])
  })
})

const main = join(import.meta.dirname, '../../src/main.ts')

/** As a mail server runs it for each message. */
async function ingestByProgram(input: string) {
  const child = spawn(process.execPath, [main, 'mail', 'ingest'], { env: { ...childEnv, ...env } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out: out + err }
}

/** The same command, without the start of a program. */
async function run(of: 'ingest' | 'suppressions', args: readonly string[], input = '') {
  const printed: string[] = []
  let code = 0
  const print = (line: string) => void printed.push(line)
  const context = () => ({ config: parseConfig(env), print, invalid: (why: string) => new Error(why) })
  const end = (given: number) => void (code = given)
  const command =
    of === 'ingest' ? ingestCommand(context, Readable.from([Buffer.from(input)]), end) : suppressionCommands(context)
  await command.parseAsync(args, { from: 'user' })
  return { code, out: printed.join('\n') }
}

test('the operator takes in the report of a mail that was sent, and removes the suppression', async () => {
  const mia = await people.signUp()
  await database.transaction({}, (db) => queueMail(db, { kind: 'password_changed', recipient: mia.id }))
  await vi.waitUntil(() => relay.received.some(({ to }) => to === mia.email), { timeout: 30_000, interval: 20 })
  const { from = '' } = relay.received.find(({ to }) => to === mia.email) ?? {}
  expect(from).toMatch(/^bounce\+mail_[0-9a-f]{24}\.[0-9a-f]{20}@mail\.petstore\.example$/)
  expect(from.indexOf('@')).toBeLessThanOrEqual(64)
  await expect.poll(async () => (await database.run(outcomes, mia.id)).length).toBe(1)

  const taken = await ingestByProgram(deadReport(from))
  expect([taken.code, taken.out]).toEqual([
    0,
    `Suppressed: ${from.slice(7, 36)}: report 5.1.1. The address gets no mail until it is verified again.\n`,
  ])
  expect(await isReachable(mia)).toBe(false)
  const listed = await run('suppressions', ['list'])
  const digest = addressDigest(mia.email).toString('hex').slice(0, 12)
  expect(listed.out).toMatch(new RegExp(`^${digest}  all +report 5\\.1\\.1 +\\d{4}-`, 'm'))
  const remove = () => run('suppressions', ['remove', '--email', mia.email.toUpperCase(), '--json'])
  expect(JSON.parse((await remove()).out)).toEqual({ removed: ['all'] })
  expect(JSON.parse((await remove()).out)).toEqual({ removed: [] })
  expect(await isReachable(mia)).toBe(true)

  const byEnvelope = await run('ingest', ['--json', '--recipient', from], deadReport('somewhere@else.example'))
  expect(JSON.parse(byEnvelope.out)).toMatchObject({ result: 'suppressed', scope: 'all', reason: 'report 5.1.1' })
  expect(await run('ingest', ['--recipient', BOUNCE], deadReport(from))).toEqual({
    code: 1,
    out: 'Ignored: no valid code.',
  })
  const large = await run('ingest', [], deadReport(from) + 'x'.repeat(1024 * 1024))
  expect(large).toEqual({ code: 1, out: 'Ignored: too large.' })
})
