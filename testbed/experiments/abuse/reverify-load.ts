// Re-verify in a loop, on all domains in turn: over the API, as fast as its limits allow; and
// past them, through the functions that the API itself calls.

import { setTimeout as pause } from 'node:timers/promises'
import { verifyDomain } from '../../../server/src/domains/domains.io.ts'
import type { AbuseEnvironment } from './environment.ts'

export type Pressed = { overInterface: number; refused: number; past: number; failed: number }

export type Pressing = { pressed: Pressed; stop(): Promise<void> }

const INTERFACE_AT_ONCE = 8
const PAST_AT_ONCE = 8

export function startPressing(environment: AbuseEnvironment): Pressing {
  const { stage, crowd, brokenNames } = environment
  const { origin, headers, domains } = stage.service
  const pressed: Pressed = { overInterface: 0, refused: 0, past: 0, failed: 0 }
  const state = { isStopping: false, next: 0, nextPast: Math.floor(brokenNames.length / 2) }
  const ending = new AbortController()

  const overInterface = async () => {
    while (!state.isStopping) {
      const hostname = brokenNames[state.next++ % brokenNames.length] ?? ''
      const url = `${origin}/platform/v1/projects/${crowd.slug}/domains/${hostname}/verify`
      const response = await fetch(url, { method: 'POST', headers, signal: ending.signal }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      if (response?.status === 200) pressed.overInterface += 1
      else if (response?.status === 429) {
        pressed.refused += 1
        const seconds = Number(response.headers.get('retry-after') ?? 1)
        await pause(1000 * seconds, undefined, { signal: ending.signal }).catch(() => undefined)
      } else if (!state.isStopping) pressed.failed += 1
    }
  }
  const past = async () => {
    while (!state.isStopping) {
      const hostname = brokenNames[state.nextPast++ % brokenNames.length] ?? ''
      await verifyDomain(domains, crowd, hostname).then(
        () => (pressed.past += 1),
        () => (pressed.failed += 1),
      )
    }
  }
  const running = [
    ...Array.from({ length: INTERFACE_AT_ONCE }, overInterface),
    ...Array.from({ length: PAST_AT_ONCE }, past),
  ]
  return {
    pressed,
    async stop() {
      state.isStopping = true
      ending.abort()
      await Promise.all(running)
    },
  }
}
