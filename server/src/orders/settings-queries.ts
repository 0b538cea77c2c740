// Queries for how the requests of a project work. A project with the defaults has no row.

import { defaultRequestSettings, type RequestSettings } from '@petstore-platform/contract/platform/order-holds'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export const requestSettings = query<RequestSettings, [project: ProjectId], Readonly<RequestSettings>>(
  'find-request-settings',
  `select hold_rule as "holdRule", hold_days as "holdDays", shows_request_count as "showsRequestCount"
   from request_settings
   where project_id = $1`,
  ([row]) => row ?? defaultRequestSettings,
)

const putSettingsRow = statement<
  never,
  [project: ProjectId, holdRule: string, holdDays: number, showsRequestCount: boolean]
>(
  'put-request-settings',
  `insert into request_settings (project_id, hold_rule, hold_days, shows_request_count)
   values ($1, $2, $3, $4)
   on conflict (project_id) do update
   set hold_rule = excluded.hold_rule, hold_days = excluded.hold_days,
     shows_request_count = excluded.shows_request_count
   where request_settings.project_id = $1`,
)

const dropSettingsRow = statement<never, [project: ProjectId]>(
  'drop-request-settings',
  `delete from request_settings
   where project_id = $1`,
)

export const setRequestSettings = async (db: Db, project: ProjectId, settings: RequestSettings): Promise<void> => {
  const { holdRule, holdDays, showsRequestCount } = settings
  if (isDefault(settings)) await db(dropSettingsRow, project)
  else await db(putSettingsRow, project, holdRule, holdDays, showsRequestCount)
}

const isDefault = ({ holdRule, holdDays, showsRequestCount }: RequestSettings) =>
  holdRule === defaultRequestSettings.holdRule &&
  holdDays === defaultRequestSettings.holdDays &&
  showsRequestCount === defaultRequestSettings.showsRequestCount
