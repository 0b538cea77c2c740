// What all routes of `/v1` share, whatever their feature.

import type { Operation } from '@petstore-platform/contract/operations'
import type { Mounting } from '../foundation/http/operation.io.ts'
import type { Caller } from './guard.io.ts'
import type { ProjectContext } from './project-context.ts'

export type V1 = Pick<ProjectContext, 'inProject' | 'plans'> & {
  /** Ends in `/v1`. Links are built from it, never from Host. */
  baseUrl: string
  mounting: Mounting<Caller, Operation>
}
