// `sendRequest` runs one call to an authority: the requests that acme-client makes for it share a
// deadline and a connection pool, and their responses are captured before acme-client reduces them
// to a message. acme-client has one axios for the whole process, so it is configured here, once;
// AsyncLocalStorage assigns each request to its call.
//
// The library's own pair of interceptors is removed: it resends signed requests with a spent nonce,
// sleeps as long as the authority requests, and obscures network errors. It must stay removed.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent } from 'node:https'
import { onDemand } from '../on-demand.ts'
import { InvalidAnswer } from './answers.ts'
import type { AcmeProblem, AcmeResult } from './port.ts'
import { problemFrom, recordFrom, silence } from './problem.ts'

export type AcmeRequest = {
  /** Of the last response. */
  timing(): Timing
  /** Without a signature. Error statuses other than the allowed ones end the call. */
  get(url: string, allowed?: readonly number[]): Promise<{ status: number; body: unknown }>
}

type Settings = { agent: Agent; timeoutMs: number }
/**
 * `now` is the authority's clock, if the response has a date: ours may be wrong, and the
 * authority's dates refer to its own.
 */
type Timing = { retryAfter: string | null; now: number }
type Answer = Timing & { status: number; body: unknown }
type Call = Settings & { signal: AbortSignal; answer: Answer | null; allowed: readonly number[] }

export async function sendRequest<T>(
  settings: Settings,
  work: (acmeRequest: AcmeRequest) => Promise<T>,
): Promise<AcmeResult<T>> {
  const ending = new AbortController()
  const call: Call = { ...settings, signal: ending.signal, answer: null, allowed: [] }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    ending.abort()
    late.reject(new Late(settings.timeoutMs))
  }, settings.timeoutMs)
  const working = calls.run(call, () => work(acmeRequestOf(call)))
  try {
    return { ok: true, value: await Promise.race([working, late.promise]) }
  } catch (error) {
    return { ok: false, problem: problemOf(error, call) }
  } finally {
    clearTimeout(timer)
    // Requests still running have no caller any longer.
    ending.abort()
    working.catch(() => undefined)
  }
}

function acmeRequestOf(call: Call): AcmeRequest {
  return {
    timing: () => call.answer ?? { retryAfter: null, now: Date.now() },
    async get(url, allowed = []) {
      call.allowed = allowed
      const { status, data } = await acmeClient().axios.request<unknown>({
        url,
        method: 'get',
        validateStatus: () => true,
      })
      call.allowed = []
      return { status, body: data }
    },
  }
}

function problemOf(error: unknown, { answer, signal, timeoutMs }: Call): AcmeProblem {
  if (error instanceof Late || signal.aborted) return silence('timeout', new Late(timeoutMs).message)
  const message = error instanceof Error ? error.message : 'unknown'
  if (error instanceof InvalidAnswer) return silence('nonsense', message)
  // Rejections, including the one after which acme-client gave up: a nonce rejected repeatedly.
  if (answer !== null && answer.status >= 400) return problemFrom(answer, answer.now)
  const code = recordFrom(error)?.['code']
  if (typeof code !== 'string' || noAnswer.test(code)) return silence('nonsense', message)
  return late.test(code) ? silence('timeout', message) : silence('unreachable', `${code}: ${message}`)
}

/** Data arrived, but no valid response: not HTTP, too large, or in an unknown compression. */
const noAnswer = /^(HPE_|ERR_BAD_|ERR_FR_|ERR_INVALID_|Z_)/
const late = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/

class Late extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms.`)
  }
}

class Refused extends Error {}

const calls = new AsyncLocalStorage<Call>()
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce'
const ANSWER_BYTES_MAX = 262_144

const library = onDemand('acme-client')
let isConfigured = false

/** The library, configured at its first use. */
export function acmeClient() {
  const acme = library()
  if (isConfigured) return acme
  isConfigured = true
  const { interceptors, defaults } = acme.axios
  interceptors.request.clear()
  interceptors.response.clear()
  Object.assign(defaults, { maxRedirects: 0, maxContentLength: ANSWER_BYTES_MAX, proxy: false })
  interceptors.request.use((config) => {
    const call = calls.getStore()
    if (call === undefined) throw new Error('An authority is asked outside of a call.')
    call.answer = null
    return Object.assign(config, { httpsAgent: call.agent, signal: call.signal, timeout: call.timeoutMs })
  })
  interceptors.response.use((response) => {
    const call = calls.getStore()
    const { status, headers } = response
    const body: unknown = response.data
    const answer = { status, body, ...timingOf(headers['retry-after'], headers['date']) }
    if (call !== undefined) call.answer = answer
    // acme-client itself retries with the nonce of this rejection.
    const isItsOwn = recordFrom(body)?.['type'] === BAD_NONCE || call?.allowed.includes(status) === true
    if (status >= 400 && !isItsOwn) throw new Refused(`HTTP ${status}`)
    return response
  })
  return acme
}

function timingOf(retryAfter: unknown, date: unknown): Timing {
  const dateMs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return {
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    now: Number.isNaN(dateMs) ? Date.now() : dateMs,
  }
}
