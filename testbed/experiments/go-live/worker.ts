// Visitors from outside, in a process of their own, so that they wait only for the network. For
// each domain it requests the front page again and again until it is served, at every edge in
// turn, with a certificate that names the domain and chains to the only authority that they
// trust.

import { setTimeout as delay } from 'node:timers/promises'
import { visit } from '../../harness/visitor.ts'

export type GoLiveJob = {
  hostname: string
  /** Of the edges. */
  addresses: readonly string[]
  port: number
  ca: string
  everyMs: number
  patienceMs: number
}
export type GoLiveOutcome = {
  hostname: string
  /** Milliseconds since 1970, when the last of the edges had responded with 200; null if the timeout came first. */
  at: number | null
  asked: number
  /** The last response or error that was not a success. */
  why: string
}

process.on('message', (job: GoLiveJob) => void carryOut(job).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function carryOut({ hostname, addresses, port, ca, everyMs, patienceMs }: GoLiveJob): Promise<GoLiveOutcome> {
  const outcome: GoLiveOutcome = { hostname, at: null, asked: 0, why: '' }
  const until = performance.now() + patienceMs
  for (const address of addresses) {
    for (;;) {
      if (performance.now() > until) return outcome
      const next = delay(everyMs)
      outcome.asked += 1
      const { status, why } = await visit({ address, port, ca }, hostname, { timeoutMs: patienceMs })
      if (status === 200) break
      outcome.why = why === '' ? String(status) : why
      await next
    }
  }
  outcome.at = performance.timeOrigin + performance.now()
  return outcome
}
