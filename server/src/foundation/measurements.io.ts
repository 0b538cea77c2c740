// What metrics count, published where it happens. Publishing without a subscriber costs a function call, so that nothing here
// loads the client of Prometheus: operations/metrics/ subscribes once the role is ready.

import { channel } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'

type Measurements<Message> = {
  publish(message: Message): void
  subscribe(take: (message: Message) => void): void
}

/** `keepsLast`: a subscriber that comes later gets the last message at once. */
function measurements<Message>(name: string, keepsLast = false): Measurements<Message> {
  const published = channel(`petstore.${name}`)
  let last: Message | undefined
  return {
    publish(message) {
      if (keepsLast) last = message
      published.publish(message)
    },
    subscribe(take) {
      if (last !== undefined) take(last)
      published.subscribe((message) => take(message as Message))
    },
  }
}

export const workDone = measurements<{ kind: string; outcome: 'success' | 'failure' }>('work-done')

/** `pool`: no connection of the pool became free in time; `server`: PostgreSQL did not answer. */
export const databaseUnavailable = measurements<{ reason: 'pool' | 'server' }>('database-unavailable')

/** The gauges of the whole installation, from the worker that has measured them. */
export const installationMeasured = measurements<readonly GaugeValue[]>('installation-measured', true)

export type GaugeValue = { metric: string; labels?: Readonly<Record<string, string>>; value: number }

/** What a server of this process is for. */
export type Listener = 'api' | 'site' | 'control'

const listeners = new WeakMap<Server, Listener>()
export const nameListener = (server: Server, listener: Listener) => void listeners.set(server, listener)
export const listenerOf = (server: Server): Listener | undefined => listeners.get(server)

const OPERATION = Symbol('operation')
type Named = ServerResponse & { [OPERATION]?: string }
export const nameOperation = (response: Named, operationId: string) => void (response[OPERATION] = operationId)
export const operationOf = (response: Named): string => response[OPERATION] ?? ''
