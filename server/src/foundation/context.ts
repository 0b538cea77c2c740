// What a process opens once, from its configuration, and what it reads of the world: clock, ids and random bytes. Features
// pick the parts that they need; tests override them.

import type { Dns } from './dns/port.ts'
import type { Objects } from './objects.ts'
import type { Database } from './postgres/postgres.io.ts'
import type { Clock } from './time.ts'

export type Context = {
  database: Database
  dns: Dns
  /** The files of photos. */
  objects: Objects
  now: Clock
  /** In milliseconds; it never goes back. */
  monotonic: () => number
  newId: (kind: string) => string
  randomBytes: (count: number) => Buffer
  /** Receives what fails in the background. */
  onError: (error: Error) => void
}
