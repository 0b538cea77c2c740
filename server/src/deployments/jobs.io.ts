// Making deployments, in the background. The draft was kept when somebody asked
// for it; here it is checked with real and with hostile animals, and shown or
// refused in one transaction. A worker that dies in between is followed by
// another one, and one that was away for too long finds that its claim is over
// and changes nothing.

import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { begin, fail, succeed } from './advance.io.ts'
import { readContent, type CheckSite, type ShownAnimal, type SiteContent } from './content.ts'
import { newestAnimals } from './deployment-queries.ts'
import { faultOf } from './publish-check.ts'

export const DEPLOYMENT_DUE = 'deployment'

const CLAIM_SECONDS = 60
const ANIMALS_CHECKED = 100
/** With the pauses in between more than a quarter of an hour: what ends every worker by then is no outage. */
const ATTEMPTS_MAX = 12

export const UNFINISHED = 'The deployment could not be finished after several attempts. Deploy again.'

export const deployWork = ({
  inProject,
  check,
}: {
  database: Database
  inProject: InProject
  now: Clock
  check: CheckSite
}): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const begun = await beginIn(inProject, project, due)
    if (!begun) return
    const fault = due.attempts > ATTEMPTS_MAX ? UNFINISHED : faultOf(check, begun.content, begun.animals)
    await finishIn(inProject, project, due, fault)
  },
})

type Begun = { content: SiteContent; animals: readonly ShownAnimal[] }

/** Undefined if there is nothing left to do, or somebody else does it. */
const beginIn = (inProject: InProject, project: ProjectId, due: Timer): Promise<Begun | undefined> =>
  inProject(project, async (db) => {
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return undefined
    const held = await begin(db, project, due.id)
    return held && { content: readContent(held.content), animals: await newestAnimals(db, project, ANIMALS_CHECKED) }
  })

/** The claim is asked for in the same transaction: until it ends nobody else can have it. */
const finishIn = (inProject: InProject, project: ProjectId, due: Timer, fault: string | undefined): Promise<void> =>
  inProject(project, async (db) => {
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return
    if (fault === undefined) await succeed(db, project, due.id)
    else await fail(db, project, due.id, fault)
  })
