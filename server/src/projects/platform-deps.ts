// The dependencies of the routes of `/platform/v1`, whatever their feature: access to a
// project's rows, and the guards by type of caller.

import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { Person } from '../accounts/sessions/guard.io.ts'
import type { Context } from '../foundation/context.ts'
import type { Mounting } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import type { Member } from './membership.io.ts'
import type { PlanRules } from './plan-rules.ts'
import type { InProject, ProjectId } from './scope.io.ts'

export type PlatformDeps = Pick<Context, 'database' | 'now' | 'newId' | 'randomBytes'> & {
  inProject: InProject
  kind: KeyKind
  /** Ends in `/platform/v1`. Links are built from it, never from Host. */
  baseUrl: string
  /** The default address of a project's site, below the platform's own name. */
  defaultSiteUrlOf: (db: Db, slug: string) => Promise<string>
  /**
   * The current address of a project's site: its primary domain while that is live, otherwise its default
   * address.
   */
  siteUrlOf: (db: Db, project: ProjectId, slug: string) => Promise<string>
  plans: PlanRules
  personal: Mounting<Person, PlatformOperation>
  within: Mounting<Member, PlatformOperation>
}
