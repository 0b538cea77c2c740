// Signing in, recovery and signing up tell no stranger whether an address has an account: the responses have the same
// bytes, and the service runs the same statements. In the large tier their times are compared as well.

import pg from 'pg'
import { mulberry32 } from '../../harness/mulberry32.ts'
import type { Received } from '../../harness/http.ts'
import { createPasswords } from '../../../server/src/accounts/sign-in/password.io.ts'
import { insertAccount } from '../../../server/src/accounts/account-queries.ts'
import { chargeStoreOf } from '../../../server/src/accounts/sign-in/attempts.io.ts'
import { emailDigest } from '../../../server/src/accounts/sign-in/sign-in-failure-queries.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { digestOf } from '../../../server/src/foundation/key-format.ts'
import { openDatabase, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { Refusal } from '../../../server/src/foundation/refusal.ts'
import type { Overrides } from '../../../server/src/program/overrides.ts'
import { startService } from '../../../server/src/program/serve.ts'
import { faultOf, LOOK_UP, measureAccountTiming, T_MAX, tOfRanks } from '../account-timing.ts'
import { createClient, PASSWORD, strangerAddress, type Post } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { statementsOf } from '../statements.ts'

export const safetyLine: SafetyLine = {
  title: 'Signing in and recovery do not tell whether an address has an account',
  sizes: { small: 'bytes and statements', large: 'times of 2 × 400 sign-ins and of 20,000 requests' },
  guards: [
    { name: 'equal-work', instead: 'an early return for addresses without an account', isQuick: true },
    { name: 'equal-time', instead: 'more work for an address with an account', isQuick: false },
  ],
  run,
}

const KNOWN = 'mia@happy-paws.example'
const UNKNOWN = 'tom@happy-paws.example'
const PER_ACCOUNT = 4

async function run({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { appUrl } = await createDatabase()
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const client = createClient(1)
  const env = {
    DATABASE_URL: appUrl,
    PORT: '0',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
    // No worker runs, and no relay is reached.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@petstore.example',
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: String(tier === 'small' ? PER_ACCOUNT : 1_000_000),
    RATE_LIMIT_PER_VISITOR: '1000000',
  }
  const config = parseConfig(env)
  const service = await startService(config, {
    logger: { level: 'silent', stream: { write: () => {} } },
    ...(without === 'equal-work' && earlyReturn(database)),
  })
  const origin = `http://127.0.0.1:${service.port}`
  try {
    await addAccount(database, KNOWN)
    if (tier === 'large') report(await timingOf(client.post, origin, database))
    else report({ 'requests compared': await compared(client.post, origin) })
  } finally {
    client.close()
    await service.stop()
    await database.close()
  }
  const isSlower = without === 'equal-time'
  if (tier === 'large' || isSlower) report(await mailTiming(await createDatabase(), isSlower))
}

const addAccount = async (database: Database, email: string) =>
  insertAccount(database.run, {
    id: newId('acc'),
    email,
    name: 'Mia',
    password: await createPasswords().hash(PASSWORD, { isKnown: true, group: '' }),
  })

/** A careless handler: who has no account is rejected at once. */
function earlyReturn({ run }: Database): Pick<Overrides, 'attempts'> {
  const store = chargeStoreOf(run)
  const own = digestOf(`sign_in_account\n${emailDigest(KNOWN).toString('hex')}`)
  const charge: typeof store.charge = async (charges, now) => {
    if (!charges.some(({ key }) => key.equals(own))) throw new Refusal('wrong_credentials')
    return store.charge(charges, now)
  }
  return { attempts: { store: { ...store, charge } } }
}

/** Without the parts that differ between any two responses. */
const bytesOf = ({ status, rawHeaders, text }: Received): string =>
  `${status}\n${rawHeaders.join('\n')}\n${text}`
    .replaceAll(/^(Request-Id|Date|RateLimit|Retry-After)\n.*/gim, '$1')
    .replaceAll(/\d+ s\b/g, 'some seconds')

async function compared(post: Post, origin: string): Promise<number> {
  const attempt = (email: string, n: number) =>
    post(origin, '/session', { email, password: 'a wrong password' }, { 'X-Forwarded-For': strangerAddress(n) })
  const code = { code: '4h7k-p2xm-9qw3-tz6b', password: 'a much longer sentence' }
  const requests: readonly [what: string, ask: (email: string) => Promise<Received>][] = [
    ['a wrong password', (email) => attempt(email, 1)],
    ['another one from the same address', (email) => attempt(email, 1)],
    ...Array.from({ length: PER_ACCOUNT }, (_, n): [string, (email: string) => Promise<Received>] => [
      `a wrong password from address ${n + 2}`,
      (email) => attempt(email, n + 2),
    ]),
    ['a request for a sign-in link', (email) => post(origin, '/sign-in-links', { email })],
    ['another one', (email) => post(origin, '/sign-in-links', { email })],
    ['a request for recovery', (email) => post(origin, '/recovery', { email })],
    ['another one, while its link is valid', (email) => post(origin, '/recovery', { email })],
    ['a request to sign up', (email) => post(origin, '/sign-up', { email })],
    ['a wrong recovery code', (email) => post(origin, '/recovery/code', { email, ...code })],
  ]
  for (const [what, ask] of requests) {
    const known = await statementsOf(() => ask(KNOWN))
    const unknown = await statementsOf(() => ask(UNKNOWN))
    const [one, other] = [known, unknown].map(({ statements }) => statements.join(', '))
    must(one === other, `${what}: with an account ${one}; without ${other}`)
    must(known.statements.length > 0, `${what}: no statement was recorded`)
    must(bytesOf(known.answer) === bytesOf(unknown.answer), `${what}: ${known.answer.text} and ${unknown.answer.text}`)
  }
  return requests.length
}

const SIGN_INS = 400

/** Wrong passwords for addresses with and without an account, in random order, each address once. */
async function timingOf(post: Post, origin: string, database: Database) {
  const random = mulberry32(13)
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let n = 0; n < SIGN_INS; n++) await addAccount(database, `mia-${n}@known.example`)
  for (let n = 0; n < SIGN_INS; n++) {
    const round = (['known', 'unknown'] as const).map((kind) => ({ kind, at: random() }))
    for (const { kind } of round.toSorted((one, other) => one.at - other.at)) {
      const startedAt = performance.now()
      const { status } = await post(origin, '/session', { email: `mia-${n}@${kind}.example`, password: 'a wrong one' })
      times[kind].push(performance.now() - startedAt)
      must(status === 401, `a wrong password: ${status}`)
    }
  }
  const t = tOfRanks(times.known, times.unknown)
  must(Math.abs(t) < T_MAX, `the time of a wrong password tells whether there is an account (t = ${t})`)
  return { 'sign-ins timed': 2 * SIGN_INS, 't of a sign-in': t }
}

/** Recovery and signing up, for addresses of every class. */
async function mailTiming({ appUrl, ownerUrl }: { appUrl: string; ownerUrl: string }, isSlower: boolean) {
  if (isSlower) {
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    await owner.query(LOOK_UP)
    await owner.end()
  }
  const figures = await measureAccountTiming(appUrl, { requests: 20_000, seed: 13 })
  const fault = faultOf(figures)
  must(fault === undefined, fault ?? '')
  return { 't of recovery and sign-up': Math.max(...figures.comparisons.map(({ t }) => Math.abs(t))) }
}
