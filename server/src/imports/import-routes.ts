// Routes for imports on `/platform/v1`: create, upload parts, start, show. A started
// import is processed by jobs.io.ts; its timer is set in the same transaction.

import { IMPORTS_SHOWN } from '@petstore-platform/contract/platform/import-shapes'
import * as contract from '@petstore-platform/contract/platform/imports'
import type { FastifyInstance } from 'fastify'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { planOf, refuseFullStore } from '../projects/stored-usage.io.ts'
import { advance, hold, importNotFound, importTimer } from './advance.io.ts'
import { detailsOf, refuseMissing } from './details.io.ts'
import * as imports from './import-queries.ts'
import { importJson } from './json.ts'
import { startedAlready } from './lifecycle.ts'

/** An import that is not started by then is abandoned, and its parts are deleted. */
const UPLOAD_SECONDS = 24 * 60 * 60

export function importRoutes(app: FastifyInstance, { inProject, newId, within, plans }: Platform): void {
  mount(app, contract.listImports, within, async ({ caller: { project } }) => {
    const found = await inProject(project, (db) => imports.list(db, project, IMPORTS_SHOWN))
    return { json: `[${found.map(importJson).join(',')}]` }
  })

  mount(app, contract.getImport, within, async ({ caller: { project }, path }) => {
    return { json: await inProject(project, (db) => detailsOf(db, project, idOf(path))) }
  })

  mount(app, contract.createImport, within, async ({ caller: { project, account }, body }) => {
    const { onBadLine, isReviewed = false, fileName } = body
    const id = newId('imp')
    const json = await inProject(project, async (db) => {
      await refuseFull(db, project, plans)
      const made = await imports.insert(db, project, { id, onBadLine, createdBy: account, isReviewed, fileName })
      await setTimer(db, importTimer(project, id), UPLOAD_SECONDS)
      await recordAudit(db, project, { actor: account, action: 'import_created', subject: id, detail: { onBadLine } })
      return importJson(made)
    })
    return { json }
  })

  // No audit event per part: nothing changes in the project until the import is started.
  mount(app, contract.putImportPart, within, async ({ caller: { project }, path, body: { bytes } }) => {
    const id = idOf(path)
    const number = numberOf(path)
    await inProject(project, async (db) => {
      const state = await imports.holdState(db, project, id)
      if (state === undefined) throw importNotFound()
      if (state !== 'uploading') throw new Refusal('wrong_state', startedAlready(state))
      await imports.putPart(db, project, id, number, bytes)
      await refuseLarge(db, project, id, plans)
    })
    return {}
  })

  mount(app, contract.startImport, within, async ({ caller: { project, account }, path, body: { parts } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      // First: from here on no part is added or changed.
      const held = await hold(db, project, id, 'started')
      await refuseMissing(db, project, id, parts)
      await advance(db, project, held, { kind: 'started', parts }, account)
      return importJson({ ...held, state: 'queued' })
    })
    return { json }
  })
}

const idOf = ({ importId = '' }: Record<string, string>): string => importId

/** The one spelling of a number, so that a part has one address. */
function numberOf({ number = '' }: Record<string, string>): number {
  if (/^[1-9]\d{0,5}$/.test(number) && Number(number) <= contract.PARTS_MAX) return Number(number)
  throw new Refusal('not_found', `Parts are numbered 1 to ${contract.PARTS_MAX}.`)
}

async function refuseFull(db: Db, project: ProjectId, plans: PlanRules): Promise<void> {
  const open = await imports.countOpen(db, project)
  const most = plans.most(await planOf(db, project), 'openImports')
  if (open < most) return
  throw new Refusal('limit_reached', `At most ${most} imports may be unfinished at a time.`)
}

/** With the part that was just written. */
async function refuseLarge(db: Db, project: ProjectId, id: string, plans: PlanRules): Promise<void> {
  const over = plans.overLimit(await planOf(db, project), 'importBytes', await imports.bytesOf(db, project, id), 0)
  if (over) throw over
  await refuseFullStore(db, project, plans)
}
