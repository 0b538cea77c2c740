// Limits of the measurement: thirty good domains are what a second client may order in three hours next to one that uses all
// it can; more would wait for that limit. Of the four failures of a domain in an hour three are automatic.

import { setTimeout as pause } from 'node:timers/promises'
import { withRetries } from '../../harness/with-retries.ts'
import { visit } from '../../harness/visitor.ts'
import { quantile } from '../../harness/quantile.ts'
import { add } from '../../../server/src/domains/advance.io.ts'
import { addDomain } from '../../../server/src/domains/domains.io.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { statement, Unavailable } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { Refusal } from '../../../server/src/foundation/refusal.ts'
import { openEnvironment, type AbuseFailure, type AbuseEnvironment } from './environment.ts'
import { startPressing, type Pressed } from './reverify-load.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export type AbuseOptions = {
  domains: number
  good: number
  everyMs: number
  silentShare: number
  isForgetful?: boolean
}

export type AbuseFigures = {
  domains: number
  seconds: number
  /** From adding a good domain until a visitor gets a response over HTTPS; infinite: not in time. */
  quietMs: number[]
  besideMs: number[]
  pressed: Pressed
  orders: { crowd: number; good: number; granted: number }
  /** Of the noisy project's domains. */
  failures: { all: number; names: number; worstPerHour: number }
  /** How often background work found PostgreSQL too busy, and retried. */
  busy: number
  errors: string[]
}

const DELAY_MAX_MS = 60_000
const FAILURES_PER_HOUR_MAX = 4
const GRANTED = 300
const SHARE_MAX = 0.8
const HOUR = 3_600_000
/** For a good domain. */
const PATIENCE_MS = 120_000
/** In which the noisy project completes its first attempts before the good one begins. */
const HEAD_START_MS = 5000

/** One sentence per promise that was not kept. */
export function faultsOf({ quietMs, besideMs, orders, failures, errors }: AbuseFigures): string[] {
  const delayMs = Math.max(...besideMs) - quantile(quietMs, 0.5)
  const used = orders.crowd + orders.good
  return [
    ...(delayMs <= DELAY_MAX_MS ? [] : [`a good name waited ${seconds(delayMs)} longer than on a quiet day`]),
    ...(failures.worstPerHour <= FAILURES_PER_HOUR_MAX
      ? []
      : [`a name failed ${failures.worstPerHour} times within an hour`]),
    ...(used <= SHARE_MAX * orders.granted ? [] : [`${used} orders of ${orders.granted} that are granted`]),
    ...(errors.length === 0 ? [] : [`background work failed ${errors.length} times (${errors[0]})`]),
  ]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export async function measureAbuse(appUrl: string, options: AbuseOptions): Promise<AbuseFigures> {
  const { domains, good, silentShare, isForgetful = false } = options
  const environment = await openEnvironment(appUrl, { domains, silentShare, goodDomains: 2 * good })
  const forgetting = new AbortController()
  try {
    const quietMs = await goLive(environment, environment.goodNames.slice(0, good), options)
    await addCrowd(environment)
    const began = performance.now()
    const pressing = startPressing(environment)
    const forgets = isForgetful ? forgetAlways(environment, forgetting.signal) : undefined
    await pause(HEAD_START_MS)
    const besideMs = await goLive(environment, environment.goodNames.slice(good), options)
    await pressing.stop()
    forgetting.abort()
    await forgets
    return figuresOf(environment, {
      domains,
      seconds: Math.round((performance.now() - began) / 1000),
      quietMs,
      besideMs,
      pressed: pressing.pressed,
    })
  } finally {
    forgetting.abort()
    await environment.close()
  }
}

function figuresOf(
  { authority, stage }: AbuseEnvironment,
  measured: Pick<AbuseFigures, 'domains' | 'seconds' | 'quietMs' | 'besideMs' | 'pressed'>,
): AbuseFigures {
  const orders = authority.orders().filter(({ status }) => status === 201)
  const noisyOrders = orders.filter(({ hostname }) => hostname.includes('.bad-')).length
  const failures = authority.failures()
  return {
    ...measured,
    orders: { crowd: noisyOrders, good: orders.length - noisyOrders, granted: GRANTED },
    failures: {
      all: failures.length,
      names: new Set(failures.map(({ hostname }) => hostname)).size,
      worstPerHour: worstPerHour(failures),
    },
    ...errorsOf(stage.service.errors),
  }
}

/** Work that PostgreSQL could not do in time was retried; no other error is expected. */
function errorsOf(errors: readonly Error[]): Pick<AbuseFigures, 'busy' | 'errors'> {
  const others = errors.filter((error) => !(error instanceof Unavailable))
  return { busy: errors.length - others.length, errors: others.map(({ message }) => message) }
}

/** The maximum number of failures of one domain within any hour. */
export function worstPerHour(failures: readonly AbuseFailure[]): number {
  const byName = Map.groupBy(failures, ({ hostname }) => hostname)
  const most = (times: readonly number[]) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + HOUR).length))
  return Math.max(0, ...[...byName.values()].map((some) => most(some.map(({ at }) => at))))
}

/** One after the other at a steady pace, whether or not the previous one is live. */
function goLive({ stage, good }: AbuseEnvironment, names: readonly string[], { everyMs }: AbuseOptions) {
  const { service, edges, httpsPort, pebble } = stage
  const address = edges[0]?.address ?? ''
  const live = async (hostname: string, index: number): Promise<number> => {
    await pause(index * everyMs)
    const began = performance.now()
    await addedOnce(() => addDomain(service.domains, good, hostname))
    const ca = await pebble.rootPem()
    while (performance.now() - began < PATIENCE_MS) {
      const { status } = await visit({ address, port: httpsPort, ca }, hostname)
      if (status === 200) return performance.now() - began
      await pause(50)
    }
    return Number.POSITIVE_INFINITY
  }
  return Promise.all(names.map(live))
}

/** Adds all domains; the background work checks them for the first time. */
export async function addCrowd({ stage, crowd, brokenNames }: AbuseEnvironment): Promise<void> {
  const { domains } = stage.service
  for (const hostname of brokenNames) await addedOnce(() => add(domains, crowd, hostname, () => {}))
}

/** An attempt that was too slow may have added the domain all the same. */
async function addedOnce(work: () => Promise<unknown>): Promise<void> {
  await withRetries(work, Number.POSITIVE_INFINITY).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'domain_already_added')) throw error
  })
}

const forgetUses = statement<never, []>('abuse-forget-uses', `delete from authority_uses`)
const forgetPace = statement<never, []>('abuse-forget-pace', `delete from certificate_clients`)
const forgetFailures = statement<never, []>('abuse-forget-failures', `update certificate_wishes set failed_at = '{}'`)

/** The negative control: used orders and failures are never kept. */
export async function forgetAlways({ stage }: AbuseEnvironment, signal: AbortSignal): Promise<void> {
  const { run } = stage.service.database
  while (!signal.aborted) {
    await withRetries(() => run(forgetUses))
    await withRetries(() => run(forgetPace))
    await withRetries(() => run(forgetFailures))
    await pause(100, undefined, { signal }).catch(() => undefined)
  }
}

if (import.meta.main) {
  const flags = readFlags('abuse')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const figures = await measureAbuse(appUrl, {
    domains: Number(flags.domains),
    good: Number(flags.good),
    everyMs: 1000 * Number(flags.every),
    silentShare: Number(flags.silent),
    isForgetful: flags.forgetful,
  })
  conclude(flags, figures, ...faultsOf(figures))
}
