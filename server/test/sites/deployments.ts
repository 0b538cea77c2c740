// Shared set-up of tests of sites and deployments: members of every role, drafts, workers
// that are started, claimed by hand or abandoned, and the stored state.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { expect } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import type { CheckSite } from '../../src/sites/publishing/content.ts'
import { deployWork } from '../../src/sites/publishing/jobs.io.ts'
import { currentContent } from '../../src/sites/publishing/deployment-queries.ts'
import { runTimers, type Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { inProjectOf, type InProject } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import type { PlatformOwner, PersonClient, TestPlatform } from '../../../testbed/harness/platform.ts'
import { claimTimersOf } from '../foundation/claim-timers.ts'

export type DeploymentBody = {
  id: string
  number: number
  state: string
  reason: string | null
  digest: string
  isCurrent: boolean
  createdBy: string
  createdAt: string
  finishedAt: string | null
}

export const deploymentOf = ({ json }: Received) => json as DeploymentBody
export const allowed: CheckSite = () => []

/** All settings of a draft, as they are sent. */
export const draft = (version: number, title: string, more: object = {}) => ({
  version,
  ...firstSettings(title),
  ...more,
})

const DEADLINE_MS = 60_000

export function deploying(platform: TestPlatform) {
  const { service, database: stored } = platform.test
  const { database } = service
  const inProject = inProjectOf(database)
  const sitePath = ({ slug }: Pick<PlatformOwner, 'slug'>, rest = '') => `/projects/${slug}/site${rest}`
  const deploymentsPath = ({ slug }: Pick<PlatformOwner, 'slug'>, rest = '') => `/projects/${slug}/deployments${rest}`
  const workWith = (check: CheckSite, within: InProject = inProject) =>
    deployWork({ database, inProject: within, now: Date.now, check })
  const get = async (owner: PlatformOwner, id: string) =>
    deploymentOf(await owner.send('GET', deploymentsPath(owner, `/${id}`)))

  return {
    inProject,
    sitePath,
    deploymentsPath,
    workWith,
    get,

    async joins(owner: PlatformOwner, role: Role): Promise<PersonClient> {
      const person = await platform.signUp(role)
      const account = person.id as AccountId
      await inProject(owner.project, async (db) => {
        await insertMember(db, owner.project, account, role)
        await directory.addMember(db, account, owner.project)
      })
      return person
    },

    async deploy(owner: PlatformOwner): Promise<DeploymentBody> {
      const answer = await owner.send('POST', deploymentsPath(owner))
      expect(answer.status, `it says ${answer.text}`).toBe(202)
      return deploymentOf(answer)
    },

    /** With a title of its own, so that its digest is unique too. */
    async change(owner: PlatformOwner, title: string, more: object = {}): Promise<void> {
      const { version } = (await owner.send('GET', sitePath(owner))).json as { version: number }
      const answer = await owner.send('PUT', sitePath(owner), draft(version, title, more))
      expect(answer.status, `it says ${answer.text}`).toBe(200)
    },

    /** The timers of a project's deployments, by deployment, claimed as the next worker would. */
    async claim({ project }: PlatformOwner): Promise<Map<string, Timer>> {
      return new Map((await database.run(claimTimersOf, 'deployment', project)).map((due) => [due.id, due]))
    },

    /** Runs the real worker until `done`. */
    async working<T>(check: CheckSite, done: () => Promise<T>): Promise<T> {
      const errors: Error[] = []
      const worker = runTimers({
        run: database.run,
        kinds: { deployment: workWith(check) },
        atOnce: 4,
        pauseMs: 5,
        onError: (error) => void errors.push(error),
      })
      try {
        return await done()
      } finally {
        await worker.stop()
        expect(errors).toEqual([])
      }
    },

    /** Waits until it is finished, and returns it. */
    async finished(owner: PlatformOwner, id: string): Promise<DeploymentBody> {
      for (const end = Date.now() + DEADLINE_MS; Date.now() < end;) {
        const deployment = await get(owner, id)
        if (deployment.finishedAt !== null) return deployment
      }
      throw new Error(`${id} is not finished`)
    },

    current: ({ project }: PlatformOwner) => inProject(project, (db) => currentContent(db, project)),

    auditEvents: ({ project }: PlatformOwner): Promise<string[]> =>
      asProject(stored, project, async (client) => {
        const { rows } = await client.query<{ event: string }>(
          `select actor || ' ' || action || ' ' || subject as event from audit where project_id = $1 order by id`,
          [project],
        )
        return rows.map(({ event }) => event)
      }),

    /** The stored deployments and the published one, as text. */
    look: ({ project }: PlatformOwner): Promise<string> =>
      asProject(stored, project, async (client) => {
        const { rows } = await client.query<{ all: string }>(
          `select (select json_agg(d order by number)::text from deployments d where project_id = $1)
             || (select coalesce(json_agg(p), '[]')::text from published p where project_id = $1) as all`,
          [project],
        )
        return rows[0]?.all ?? ''
      }),
  }
}
