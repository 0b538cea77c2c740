// What the APIs are built from; `serve.ts` opens it once per process.

import type { AccountGuard } from './accounts/guard.io.ts'
import type { Passwords } from './accounts/password.io.ts'
import type { Config } from './config.ts'
import type { DomainDeps } from './domains/jobs.io.ts'
import type { HttpOptions } from './foundation/http/http.io.ts'
import type { Database } from './foundation/postgres/postgres.io.ts'
import type { Clock } from './foundation/time.ts'
import type { Guard } from './projects/guard.io.ts'
import type { KeyUses } from './projects/jobs.io.ts'

export type AppDeps = {
  config: Config
  database: Database
  guard: Guard
  accountGuard: AccountGuard
  passwords: Passwords
  domains: DomainDeps
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  keyUses: Pick<KeyUses, 'note'>
  now: Clock
  newRequestId: () => string
  logger?: HttpOptions['logger']
  /** Where the bundled API reference lies; without it `/docs` says how to build it. */
  referenceAssets: string
  /** Where the dashboard lies; without it its addresses say how to build it. */
  dashboardAssets: string
}
