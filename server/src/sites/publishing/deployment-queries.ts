// Queries for deployments, for which of them is published, and for the files they use,
// inside one project. A deployment's content is written once and never changed.

import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'
import type { ImageType } from '@petstore-platform/contract/platform/site'
import { statement, query, queryFirst, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import { pictureOnly } from '../../photos/processing/picture-only.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { readContent, type PresentedAnimal, type ShownAnimal, type SiteContent } from './content.ts'
import { withPhotos } from './photo-queries.ts'
import { withProfiles } from './profile-queries.ts'

export type DeploymentRow = {
  id: string
  number: number
  state: DeploymentState
  reason: string | null
  digest: string
  isCurrent: boolean
  createdBy: string
  createdAt: Date
  finishedAt: Date | null
}

const columns = `deployments.id, deployments.number, deployments.state, deployments.reason, deployments.digest,
     published.deployment_id is not null as "isCurrent", deployments.created_by as "createdBy",
     deployments.created_at as "createdAt", deployments.finished_at as "finishedAt"`

/** Newest first, starting below a number. */
export const listDeployments = query<DeploymentRow, [project: ProjectId, before: bigint, count: number]>(
  'list-deployments',
  `select ${columns}
   from deployments
   left join published on published.project_id = $1 and published.deployment_id = deployments.id
   where deployments.project_id = $1 and deployments.number < $2::bigint
   order by deployments.number desc
   limit $3`,
)

export const findDeployment = queryFirst<DeploymentRow, [project: ProjectId, id: string]>(
  'find-deployment',
  `select ${columns}
   from deployments
   left join published on published.project_id = $1 and published.deployment_id = deployments.id
   where deployments.project_id = $1 and deployments.id = $2`,
)

/** The published deployment; undefined before the first one has succeeded. */
export const findCurrent = queryFirst<DeploymentRow, [project: ProjectId]>(
  'find-current-deployment',
  `select ${columns}
   from published
   join deployments on deployments.project_id = $1 and deployments.id = published.deployment_id
   where published.project_id = $1`,
)

const findContentRow = statement<{ content: string }, [project: ProjectId, id: string]>(
  'find-deployment-content',
  `select content
   from deployments
   where project_id = $1 and id = $2`,
)

export const findContent = async (db: Db, project: ProjectId, id: string): Promise<SiteContent | undefined> => {
  const [row] = await db(findContentRow, project, id)
  return row && readContent(row.content)
}

export type NewDeployment = { id: string; digest: string; content: string; logo: string | null; createdBy: string }

const insertDeploymentRow = statement<
  never,
  [project: ProjectId, id: string, digest: string, content: string, logo: string | null, createdBy: string]
>(
  'insert-deployment',
  `insert into deployments (project_id, id, number, digest, content, logo, created_by)
   select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6
   from deployments
   where project_id = $1`,
)

/** Assigns the next number. The caller must have locked the draft, or two callers could assign the same one. */
export const insertDeployment = (db: Db, project: ProjectId, made: NewDeployment) =>
  db(insertDeploymentRow, project, made.id, made.digest, made.content, made.logo, made.createdBy)

export type LockedDeployment = { number: number; state: DeploymentState; content: string; createdBy: string }

/** Locks its state until the transaction ends. */
export const lockDeployment = queryFirst<LockedDeployment, [project: ProjectId, id: string]>(
  'lock-deployment',
  `select number, state, content, created_by as "createdBy"
   from deployments
   where project_id = $1 and id = $2
   for update`,
)

const setStateRow = statement<
  never,
  [project: ProjectId, id: string, state: DeploymentState, reason: string | null, isFinal: boolean]
>(
  'set-deployment-state',
  `update deployments
   set state = $3, reason = $4, finished_at = case when $5 then now() end
   where project_id = $1 and id = $2`,
)

export const setState = (
  db: Db,
  project: ProjectId,
  id: string,
  { state, reason, isFinal }: { state: DeploymentState; reason: string | null; isFinal: boolean },
) => db(setStateRow, project, id, state, reason, isFinal)

/** Publishes it, unless a later deployment or rollback is published. */
export const publish = queryAny<[project: ProjectId, id: string, number: number]>(
  'publish-deployment',
  `insert into published (project_id, deployment_id, decided)
   values ($1, $2, $3)
   on conflict (project_id) do update
   set deployment_id = excluded.deployment_id, decided = excluded.decided, at = now()
   where published.project_id = $1 and published.decided < excluded.decided
   returning deployment_id as id`,
)

/** Deployments that were requested before and are not finished yet will not be published. */
export const publishAgain = queryAny<[project: ProjectId, id: string]>(
  'publish-deployment-again',
  `update published
   set deployment_id = $2, at = now(),
     decided = (select max(deployments.number) from deployments where deployments.project_id = $1)
   where published.project_id = $1
   returning deployment_id as id`,
)

export type CurrentContent = {
  deploymentId: string
  digest: string
  content: SiteContent
  /** Media type of the logo's bytes; null without a logo. */
  logoType: ImageType | null
}

const currentContentRow = statement<
  { deploymentId: string; digest: string; content: string; logoType: ImageType | null },
  [project: ProjectId]
>(
  'current-content',
  `select deployments.id as "deploymentId", deployments.digest, deployments.content, blobs.type as "logoType"
   from published
   join deployments on deployments.project_id = $1 and deployments.id = published.deployment_id
   left join blobs on blobs.project_id = $1 and blobs.digest = deployments.logo
   where published.project_id = $1`,
)

/** The published content; undefined before the first deployment has succeeded. */
export const currentContent = async (db: Db, project: ProjectId): Promise<CurrentContent | undefined> => {
  const [row] = await db(currentContentRow, project)
  return row && { ...row, content: readContent(row.content) }
}

export type StoredBlob = { type: ImageType; bytes: Buffer }

const findBlobRow = statement<StoredBlob, [project: ProjectId, digest: string]>(
  'find-blob',
  `select type, bytes
   from blobs
   where project_id = $1 and digest = $2`,
)

/** The picture alone: logos that a former release has stored can contain more. */
export const findBlob = async (db: Db, project: ProjectId, digest: string): Promise<StoredBlob | undefined> => {
  const [found] = await db(findBlobRow, project, digest)
  const bytes = found && pictureOnly(found.bytes, found.type)
  return bytes && { type: found.type, bytes }
}

const insertBlobRow = statement<never, [project: ProjectId, digest: string, type: ImageType, bytes: Uint8Array]>(
  'insert-blob',
  `insert into blobs (project_id, digest, type, bytes)
   values ($1, $2, $3, $4)
   on conflict (project_id, digest) do nothing`,
)

export const insertBlob = (db: Db, project: ProjectId, digest: string, { type, bytes }: StoredBlob) =>
  db(insertBlobRow, project, digest, type, bytes)

/** Unless the draft or a deployment uses it. */
export const dropBlob = query<never, [project: ProjectId, digest: string]>(
  'drop-blob',
  `delete from blobs
   where project_id = $1 and digest = $2
     and not exists (select from sites where sites.project_id = $1 and sites.logo = $2)
     and not exists (select from deployments where deployments.project_id = $1 and deployments.logo = $2)`,
)

const newestAnimalRows = statement<ShownAnimal, [project: ProjectId, count: number]>(
  'newest-animals',
  `select id, name, category_id as "categoryId", status
   from pets
   where project_id = $1
   order by id desc
   limit $2`,
)

/** With their profiles and photos, hidden ones too: they can be shown at any time. */
export const newestAnimals = async (db: Db, project: ProjectId, count: number): Promise<PresentedAnimal[]> =>
  withPhotos(db, project, await withProfiles(db, project, await db(newestAnimalRows, project, count)))
