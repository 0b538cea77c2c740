// In production nothing starts with unsafe settings; weak passwords and other spellings of an address are rejected by the
// service; and a failed sign-in is one line of the log without anything that was entered.

import { createPasswords } from '../../../server/src/accounts/sign-in/password.io.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { startService, type Service } from '../../../server/src/program/serve.ts'
import { exchange } from '../../harness/http.ts'
import { invitationSecret, inviteTo } from '../../harness/session.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { unsafeStarts } from '../unsafe-starts.ts'
import { addressVariants, person, weakPasswords } from '../weak-passwords.ts'

const failures = { small: 10, large: 1_000 }
const GOOD = 'seven otters juggle lanterns'
const ORIGIN = 'https://api.petstore.example'

export const safetyLine: SafetyLine = {
  title: 'Unsafe settings, weak passwords and other spellings of an address are rejected',
  sizes: { small: '10 failed sign-ins', large: '1,000 failed sign-ins' },
  guards: [
    { name: 'password-lists', instead: 'empty lists', isQuick: true },
    { name: 'start-checks', instead: 'a server whose data may be lost', isQuick: true },
  ],
  run,
}

async function run({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  must(
    weakPasswords.length === 100 && addressVariants.length === 50,
    `${weakPasswords.length}, ${addressVariants.length}`,
  )
  const { appUrl, ownerUrl } = await createDatabase()
  if (without !== 'password-lists') await startUnsafely({ appUrl, ownerUrl }, without === 'start-checks', report)
  const lines: string[] = []
  const service = await startService(configOf(appUrl), {
    ...(without === 'password-lists' && { passwords: createPasswords({ common: new Set() }) }),
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
  try {
    const send = senderOf(service)
    const secret = await inviteTo(service.database, person.email)
    for (const password of weakPasswords) {
      const { status, text } = await send('/accounts', { secret, name: person.name, password })
      must(status === 400 && text.includes("'password'"), `${JSON.stringify(password)}: ${status} ${text}`)
    }
    const invitation = await invited(send, secret)
    for (const email of addressVariants) {
      const { status, text } = await send('/accounts', { secret: invitation, email, name: 'Eve', password: GOOD })
      must([400, 409].includes(status), `${JSON.stringify(email)}: ${status} ${text}`)
    }
    lines.length = 0
    for (let n = 0; n < failures[tier]; n += 1)
      await send(
        '/session',
        { email: `stranger-${n}@shop.example`, password: `wrong secret ${n}` },
        { 'X-Forwarded-For': `10.${n % 250}.${Math.floor(n / 250)}.1` },
      )
    const logged = lines.filter((line) => line.includes('a sign-in failed'))
    const secrets = lines.filter((line) => line.includes('stranger-') || line.includes('wrong secret'))
    report({
      'weak passwords': weakPasswords.length,
      spellings: addressVariants.length,
      failures: failures[tier],
      'lines of the log': logged.length,
      'secrets in the log': secrets.length,
    })
    must(logged.length === failures[tier], `${logged.length} lines for ${failures[tier]} failures.`)
    must(secrets.length === 0, `The log contains what was entered: ${secrets[0]}`)
  } finally {
    await service.stop()
  }
}

async function startUnsafely(
  urls: { appUrl: string; ownerUrl: string },
  isDeclared: boolean,
  report: SafetyRun['report'],
): Promise<void> {
  const starts = unsafeStarts(urls, isDeclared)
  for (const { what, refusal, start } of starts) {
    const reason = await start().then(
      () => 'it starts',
      (error: Error) => error.message,
    )
    must(reason.includes(refusal), `${what}: ${reason}`)
  }
  report({ 'unsafe settings': starts.length })
}

const configOf = (url: string) =>
  parseConfig({
    DATABASE_URL: url,
    BASE_URL: `${ORIGIN}/v1`,
    DASHBOARD_ORIGIN: ORIGIN,
    HOST: '127.0.0.1',
    PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
    DNS_RESOLVERS: 'unreachable=127.0.0.1:1',
    RATE_LIMIT_PER_VISITOR: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1000000',
  })

type Send = (path: string, body: object, headers?: Record<string, string>) => ReturnType<typeof exchange>

const senderOf =
  ({ port }: Service): Send =>
  (path, body, headers = {}) =>
    exchange(`http://127.0.0.1:${port}`, {
      method: 'POST',
      path: `/platform/v1${path}`,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

/** The person signs up, and invites to her project: without mail, the link proves no address. */
async function invited(send: Send, secret: string): Promise<string> {
  const { status, text, headers } = await send('/accounts', { secret, name: person.name, password: GOOD })
  must(status === 201, `a good password: ${status} ${text}`)
  const cookie =
    [headers['set-cookie']]
      .flat()
      .find((set) => set?.startsWith('__Host-petstore='))
      ?.split(';')[0] ?? ''
  const own = { Cookie: cookie, Origin: ORIGIN }
  await send('/projects', { slug: 'paper-lantern', name: 'Paper Lantern' }, own)
  const answer = await send('/projects/paper-lantern/invitations', { email: 'eve@shop.example', role: 'viewer' }, own)
  return invitationSecret(JSON.parse(answer.text))
}
