// What all routes of `/platform/v1` share, whatever their feature: access to a project's rows, its addresses, and the
// guards by type of caller.

import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { Person, Visitor } from '../accounts/sessions/guard.io.ts'
import type { Mounting } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import type { Member } from './membership.io.ts'
import type { ProjectContext } from './project-context.ts'
import type { ProjectId } from './scope.io.ts'

export type Platform = Pick<ProjectContext, 'database' | 'now' | 'newId' | 'randomBytes' | 'inProject' | 'plans'> & {
  kind: KeyKind
  /** Ends in `/platform/v1`. Links are built from it, never from Host. */
  baseUrl: string
  dashboardOrigin: string
  /** The default address of a project's site, below the platform's own name. */
  defaultSiteUrlOf: (db: Db, slug: string) => Promise<string>
  /**
   * The current address of a project's site: its primary domain while that is live, otherwise its default
   * address.
   */
  siteUrlOf: (db: Db, project: ProjectId, slug: string) => Promise<string>
  /** Whether the project has a current deployment. */
  isPublished: (db: Db, project: ProjectId) => Promise<boolean>
  /** What no slug may contain, by the choice of the operator. */
  reservedNames: readonly string[]
  /** False if this installation sends no mail. */
  sendsMail: boolean
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
  within: Mounting<Member, PlatformOperation>
}
