// The route that writes the profile of an animal. A change names the version it is based on, so that no member
// overwrites another member's changes unseen.

import { faultOfMarks } from '@petstore-platform/contract/platform/markdown'
import * as contract from '@petstore-platform/contract/platform/profiles'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { latestDay } from '../foundation/time.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import { refuseFullStore } from '../projects/stored-usage.io.ts'
import { faultOfProfile } from './profile.ts'
import * as profiles from './profile-queries.ts'
import { animalIdOf, petNotFound } from './v1-pet-routes.ts'

export function profileRoutes(app: FastifyInstance, { inProject, within, plans, now }: Platform): void {
  mount(app, contract.putProfile, within, async ({ caller: { project, account }, path, body }) => {
    const id = animalIdOf(path)
    const json = await inProject(project, async (db) => {
      if (!(await profiles.lockAnimal(db, project, id))) throw petNotFound()
      const stored = await profiles.find(db, project, id)
      // A day to come that is stored from before can stay: otherwise it would keep everything else from being saved.
      const latest = (body.inCareSince === stored?.inCareSince && body.inCareSince) || latestDay(now())
      const fault = faultOfProfile(body, latest) ?? faultOfMarks('story', body.story)
      if (fault !== undefined) throw new Refusal('invalid_field', fault)
      if (!(await profiles.put(db, project, id, body))) throw stale(body.version)
      await refuseFullStore(db, project, plans)
      await recordAudit(db, project, { actor: account, action: 'profile_changed', subject: String(id) })
      return JSON.stringify(await profiles.find(db, project, id))
    }).catch((error: unknown) => {
      throw isTaken(error) ? new Refusal('in_use', EXTERNAL_ID_TAKEN) : error
    })
    return { json }
  })
}

const EXTERNAL_ID_TAKEN = "Another animal of this project has this 'externalId'."

const stale = (seen: number) =>
  new Refusal(
    'stale_version',
    `The profile has changed since version ${seen}, on which the request is based. Fetch it again, then retry.`,
  )

const UNIQUE_VIOLATION = '23505'
const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION
