// What an operator reads of a project, inside it, even after its deletion.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { queryFirst } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

export type TenantRow = {
  name: string
  plan: PlanName
  createdAt: Date
  deletedAt: Date | null
  animals: number
  photos: number
  bytes: number
}

// Sums as float8, which JavaScript reads as a number: exact up to 2^53.
export const findTenant = queryFirst<TenantRow, [project: ProjectId]>(
  'find-tenant',
  `select name, plan, created_at as "createdAt", deleted_at as "deletedAt",
     (select coalesce(sum(rows), 0)::float8 from row_counts where project_id = $1 and kind = 'animals') as animals,
     (select coalesce(sum(rows), 0)::float8 from row_counts where project_id = $1 and kind = 'photos') as photos,
     (select coalesce(sum(bytes), 0)::float8 from stored_usage where project_id = $1) as bytes
   from projects
   where project_id = $1`,
)
