// Queries for the draft of a project's site, inside one project. A caller that changes or
// copies the draft locks its row until the transaction ends, so a copy never mixes two
// versions.

import type { ImageType } from '@petstore-platform/contract/platform/site'
import { statement, query, queryFirst, type Db } from '../../foundation/postgres/postgres.io.ts'
import { findProject } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { draftSettings, type SiteContent } from './content.ts'

/** Settings as JSON text; null until they are changed for the first time. */
export type SiteRow = { version: number; settings: string | null; logo: string | null; logoType: ImageType | null }

export const findSite = queryFirst<SiteRow, [project: ProjectId]>(
  'find-site',
  `select sites.version, sites.settings, sites.logo, blobs.type as "logoType"
   from sites
   left join blobs on blobs.project_id = $1 and blobs.digest = sites.logo
   where sites.project_id = $1`,
)

const openSiteRow = statement<never, [project: ProjectId]>(
  'open-site',
  `insert into sites (project_id)
   values ($1)
   on conflict (project_id) do nothing`,
)

const lockSiteRow = statement<Pick<SiteRow, 'version' | 'settings' | 'logo'>, [project: ProjectId]>(
  'lock-site',
  `select version, settings, logo
   from sites
   where project_id = $1
   for update`,
)

/** The draft, locked until the transaction ends; a new one if there is none. */
export const lockSite = async (db: Db, project: ProjectId) => {
  await db(openSiteRow, project)
  const [row] = await db(lockSiteRow, project)
  if (!row) throw new Error('a draft that was just made is not there')
  return row
}

/** The caller must have locked the draft. */
export const changeSettings = query<never, [project: ProjectId, settings: string]>(
  'change-site-settings',
  `update sites
   set settings = $2, version = version + 1, changed_at = now()
   where project_id = $1`,
)

/** The caller must have locked the draft. */
export const changeLogo = query<never, [project: ProjectId, logo: string | null]>(
  'change-site-logo',
  `update sites
   set logo = $2, version = version + 1, changed_at = now()
   where project_id = $1`,
)

// More than a store has kinds of animals; those beyond are shown without their name.
export const categoriesOf = query<{ id: bigint; name: string }, [project: ProjectId]>(
  'site-categories',
  `select id, name
   from categories
   where project_id = $1
   order by id
   limit 10000`,
)

/**
 * The content that a deployment would have now, without a lock: it may change the next moment. Undefined if
 * the project is deleted.
 */
export const findDraft = async (db: Db, project: ProjectId): Promise<SiteContent | undefined> => {
  const [row, owner, categories] = await Promise.all([
    findSite(db, project),
    findProject(db, project),
    categoriesOf(db, project),
  ])
  return owner && { settings: draftSettings(row?.settings ?? null, owner.name), categories, logo: row?.logo ?? null }
}
