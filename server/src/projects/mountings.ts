// What the routes of `/platform/v1` are given, whatever their feature: the means
// to touch a project's rows, and the ways in, by who may call.

import type { PlatformOperation } from '@petstore/contract/platform/operation'
import type { Person } from '../accounts/guard.ts'
import type { Mounting } from '../foundation/operation.ts'
import type { Database } from '../foundation/postgres.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import type { Clock } from '../foundation/time.ts'
import type { Member } from './access.ts'
import type { InProject } from './scope.ts'

export type PlatformDeps = {
  database: Database
  inProject: InProject
  now: Clock
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  kind: KeyKind
  /** Ends in `/platform/v1`. Links are built from it, never from Host. */
  baseUrl: string
  /** Where the site of a project is published. */
  siteUrlOf: (slug: string) => string
  personal: Mounting<Person, PlatformOperation>
  within: Mounting<Member, PlatformOperation>
}
