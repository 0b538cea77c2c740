// Whether the time of a response tells if an address has an account: requests for recovery and to
// sign up, for addresses of every class, in random order. Their ranks are compared with Welch's t-test.

import { Agent, request } from 'node:http'
import { parseConfig } from '../../server/src/program/config.ts'
import { openDatabase, statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { startService } from '../../server/src/program/serve.ts'
import { mulberry32 } from '../harness/mulberry32.ts'
import { quantile } from '../harness/quantile.ts'

/** `unknown` is what the others are compared with. */
export const addressClasses = ['unknown', 'verified', 'unverified', 'suppressed'] as const
export type AddressClass = (typeof addressClasses)[number]

export const timedOperations = { recovery: '/platform/v1/recovery', 'sign-up': '/platform/v1/sign-up' } as const
export type TimedOperation = keyof typeof timedOperations

export type TimingOptions = {
  /** Of each operation, over all classes. */
  requests: number
  seed: number
}

export type Comparison = { operation: TimedOperation; class: AddressClass; t: number; differenceUs: number }
export type TimingFigures = { requests: number; medianUs: Record<TimedOperation, number>; comparisons: Comparison[] }

/** An address for each request, so that no limit per address is reached. */
const addressOf = (kind: AddressClass, operation: TimedOperation, n: number) => `${operation}-${n}@${kind}.example`

const insertAccounts = statement<never, [kind: string, operation: string, count: number, isVerified: boolean]>(
  'timing-accounts',
  `insert into accounts (id, email, email_key, name, password, verified_at)
   select 'acc_' || substr(md5(address), 1, 24), address, address, 'Mia', 'none', case when $4 then now() end
   from generate_series(0, $3::int - 1) n, lateral (select $2 || '-' || n || '@' || $1 || '.example') as a (address)`,
)
const insertSuppressions = statement<never, []>(
  'timing-suppressions',
  `insert into mail_suppressions (digest, scope, reason)
   select sha256(convert_to(email_key, 'UTF8')), 'all', '550 5.1.1'
   from accounts
   where email_key like '%@suppressed.example'`,
)

export async function measureAccountTiming(appUrl: string, { requests, seed }: TimingOptions): Promise<TimingFigures> {
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const each = Math.ceil(requests / addressClasses.length)
  const operations = Object.keys(timedOperations) as TimedOperation[]
  for (const operation of operations) {
    for (const kind of addressClasses) {
      if (kind !== 'unknown') await database.run(insertAccounts, kind, operation, each, kind !== 'unverified')
    }
  }
  await database.run(insertSuppressions)
  await database.close()

  const limits = ['PER_VISITOR', 'SIGN_INS_PER_ADDRESS'].map((name) => [`RATE_LIMIT_${name}`, '1000000000'])
  // No worker runs, and no relay is reached: what is measured is the response.
  const relay = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@petstore.example' }
  const config = parseConfig({
    DATABASE_URL: appUrl,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...relay,
    ...Object.fromEntries(limits),
  })
  const service = await startService(config)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (operation: TimedOperation, email: string) =>
    timedRequest(agent, service.port, timedOperations[operation], JSON.stringify({ email }))
  try {
    const times = await interleaved({ each, operations, random: mulberry32(seed), ask })
    return figuresOf(requests, times)
  } finally {
    agent.destroy()
    await service.stop()
  }
}

type Times = Record<TimedOperation, Record<AddressClass, number[]>>
type Interleaving = {
  each: number
  operations: readonly TimedOperation[]
  random: () => number
  ask: (operation: TimedOperation, email: string) => Promise<number>
}

/** The classes in random order, so that whatever slows the machine down slows all of them. */
async function interleaved({ each, operations, random, ask }: Interleaving): Promise<Times> {
  const none = () =>
    Object.fromEntries(addressClasses.map((kind) => [kind, []])) as unknown as Record<AddressClass, number[]>
  const times: Times = { recovery: none(), 'sign-up': none() }
  for (let n = 0; n < WARM_UP; n++) for (const operation of operations) await ask(operation, `warm-${n}@up.example`)
  for (let n = 0; n < each; n++) {
    const round = operations.flatMap((operation) => addressClasses.map((kind) => ({ operation, kind, at: random() })))
    for (const { operation, kind } of round.toSorted((one, other) => one.at - other.at)) {
      times[operation][kind].push(await ask(operation, addressOf(kind, operation, n)))
    }
  }
  return times
}

const WARM_UP = 300

/** Microseconds from the request to the end of the response, which must be 202. */
function timedRequest(agent: Agent, port: number, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = process.hrtime.bigint()
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 202) resolve(Number(process.hrtime.bigint() - startedAt) / 1000)
        else reject(new Error(`${path} returned ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function figuresOf(requests: number, times: Times): TimingFigures {
  const operations = Object.keys(timedOperations) as TimedOperation[]
  const medians = operations.map((operation) => [
    operation,
    Math.round(quantile(Object.values(times[operation]).flat(), 0.5)),
  ])
  const comparisons = operations.flatMap((operation) => {
    const of = times[operation]
    // By rank: other work of the machine makes some requests slow, and by how much says nothing about the program.
    const rankOf = ranksOf(Object.values(of).flat())
    const ranks = (kind: AddressClass) => of[kind].map(rankOf)
    const medianOf = (kind: AddressClass) => quantile(of[kind], 0.5)
    return addressClasses
      .filter((kind) => kind !== 'unknown')
      .map((kind) => ({
        operation,
        class: kind,
        t: welch(ranks(kind), ranks('unknown')),
        differenceUs: Math.round((medianOf(kind) - medianOf('unknown')) * 10) / 10,
      }))
  })
  return { requests, medianUs: Object.fromEntries(medians) as TimingFigures['medianUs'], comparisons }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The place of a value among all of them. Equal values, which are rare, get the place of the last. */
function ranksOf(values: readonly number[]): (value: number) => number {
  const places = new Map(values.toSorted((one, other) => one - other).map((value, place) => [value, place]))
  return (value) => places.get(value) ?? Number.NaN
}

/** Welch's t of the ranks of two samples. */
export function tOfRanks(one: readonly number[], other: readonly number[]): number {
  const rankOf = ranksOf([...one, ...other])
  return welch(one.map(rankOf), other.map(rankOf))
}

/** Welch's t of two samples. */
function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one, other].map((values) => {
    const mean = meanOf(values)
    return { mean, error: meanOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1) }
  })
  if (!a || !b) return Number.NaN
  return Math.round(((a.mean - b.mean) / Math.sqrt(a.error + b.error)) * 100) / 100
}

/** Beyond it, a difference is taken as proved. */
export const T_MAX = 4.5

/** The fault of the figures; undefined if no class can be told from an unknown address. */
export function faultOf({ comparisons }: TimingFigures): string | undefined {
  const told = comparisons.filter(({ t }) => !(Math.abs(t) < T_MAX))
  return told.length === 0
    ? undefined
    : told.map(({ operation, class: kind, t }) => `${operation}: ${kind} differs from unknown (t = ${t})`).join('; ')
}

/** Negative control: a look-up that runs only for an address with an account, as a careless handler would have it. */
export const LOOK_UP = `
  create function careless_look_up() returns trigger language plpgsql as $$
  begin
    if exists (select from accounts where email_key = new.email_key) then
      perform sum(n) from generate_series(1, 500) n;
    end if;
    return new;
  end $$;
  create trigger careless before insert on recovery_requests for each row execute function careless_look_up();`
