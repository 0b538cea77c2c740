// Builds deployments in the background. The draft was copied when the deployment was
// requested; here it is checked with real and with hostile animals, and published or
// failed in one transaction. If a worker dies in between, another one takes over; a
// worker that was suspended for too long finds that its claim has expired and changes
// nothing.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { lockTimer, type Timer, type TimerWork } from '../../foundation/postgres/timer-leases.io.ts'
import type { Database, Db } from '../../foundation/postgres/postgres.io.ts'
import type { Clock } from '../../foundation/time.ts'
import type { InProject, ProjectId } from '../../projects/scope.io.ts'
import { begin, fail, succeed, type QueueDeploymentMail } from './advance.io.ts'
import { readContent, type CheckSite, type PresentedAnimal, type SiteContent } from './content.ts'
import { newestAnimals } from './deployment-queries.ts'
import { problemsOf, reasonOf } from './publish-check.ts'

export const DEPLOYMENT_DUE = 'deployment'

const CLAIM_SECONDS = 60
const ANIMALS_CHECKED = 100
/** With the retry delays more than a quarter of an hour: what still ends every worker by then is not an outage. */
const ATTEMPTS_MAX = 12

export const UNFINISHED = 'Publishing could not be finished after several attempts. Publish again.'

export const deployWork = ({
  inProject,
  check,
  queueMail,
  onPublished,
}: {
  database: Database
  inProject: InProject
  now: Clock
  check: CheckSite
  queueMail?: QueueDeploymentMail
  /** Runs in the transaction that publishes a site. */
  onPublished?: OnPublished | undefined
}): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const begun = await beginIn(inProject, project, due)
    if (!begun) return
    const fault = due.attempts > ATTEMPTS_MAX ? UNFINISHED : await faultOf(check, begun)
    await finishIn(inProject, project, due, fault, { queueMail, onPublished })
  },
})

/** Rendering a whole site takes a tenth of a second, in which a process that serves requests as well would serve none. */
const BUSY_MS = 5

async function faultOf(check: CheckSite, { content, animals }: Begun): Promise<string | undefined> {
  const found = new Set<string>()
  let since = performance.now()
  for (const problems of problemsOf(check, content, animals)) {
    for (const problem of problems) found.add(problem)
    if (performance.now() - since < BUSY_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return reasonOf(found)
}

type OnPublished = (db: Db, project: ProjectId) => Promise<void>

type Begun = { content: SiteContent; animals: readonly PresentedAnimal[] }

/** Undefined if there is nothing left to do, or another worker does it. */
const beginIn = (inProject: InProject, project: ProjectId, due: Timer): Promise<Begun | undefined> =>
  inProject(project, async (db) => {
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return undefined
    const held = await begin(db, project, due.id)
    return held && { content: readContent(held.content), animals: await newestAnimals(db, project, ANIMALS_CHECKED) }
  })

/** The claim is checked in the same transaction: until it ends no other worker can get it. */
const finishIn = (
  inProject: InProject,
  project: ProjectId,
  due: Timer,
  fault: string | undefined,
  { queueMail, onPublished }: { queueMail: QueueDeploymentMail; onPublished: OnPublished | undefined },
): Promise<void> =>
  inProject(project, async (db) => {
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return
    if (fault !== undefined) return fail(db, project, due.id, fault, queueMail)
    await succeed(db, project, due.id)
    await onPublished?.(db, project)
  })
