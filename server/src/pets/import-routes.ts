// Routes for imports on `/platform/v1`: create, upload parts, start, show. A started
// import is processed by jobs.io.ts; its timer is set in the same transaction.

import * as contract from '@petstore-platform/contract/platform/imports'
import type { FastifyInstance } from 'fastify'
import { setTimer } from '../foundation/postgres/timers.io.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as imports from './import-queries.ts'
import { importJson } from './json.ts'

/** An import that is not started by then is abandoned, and its parts are deleted. */
const UPLOAD_SECONDS = 24 * 60 * 60

export function importRoutes(app: FastifyInstance, { inProject, newId, within }: PlatformDeps): void {
  mount(app, contract.listImports, within, async ({ caller: { project } }) => {
    const found = await inProject(project, (db) => imports.list(db, project, contract.IMPORTS_SHOWN))
    return { json: `[${found.map(importJson).join(',')}]` }
  })

  mount(app, contract.getImport, within, async ({ caller: { project }, path }) => {
    const found = await inProject(project, (db) => imports.find(db, project, idOf(path)))
    if (!found) throw importNotFound()
    return { json: importJson(found) }
  })

  mount(app, contract.createImport, within, async ({ caller: { project, account }, body: { onBadLine } }) => {
    const id = newId('imp')
    const json = await inProject(project, async (db) => {
      await refuseFull(db, project)
      const made = await imports.insert(db, project, id, onBadLine, account)
      await setTimer(db, { kind: 'import', project, id }, UPLOAD_SECONDS)
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
      refuseState(await imports.lockState(db, project, id))
      await imports.putPart(db, project, id, number, bytes)
    })
    return {}
  })

  mount(app, contract.startImport, within, async ({ caller: { project, account }, path, body: { parts } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      // First: from here on no part is added or changed.
      const queued = await imports.queue(db, project, id, parts)
      if (!queued) refuseState(await imports.lockState(db, project, id))
      if (!queued) throw new Error('an import that is being uploaded could not be started')
      await refuseMissing(db, project, id, parts)
      await setTimer(db, { kind: 'import', project, id })
      await recordAudit(db, project, { actor: account, action: 'import_started', subject: id, detail: { parts } })
      return importJson(queued)
    })
    return { json }
  })
}

const importNotFound = () => new Refusal('not_found', 'No import with this identifier.')

const idOf = ({ importId = '' }: Record<string, string>): string => importId

/** The one spelling of a number, so that a part has one address. */
function numberOf({ number = '' }: Record<string, string>): number {
  if (/^[1-9]\d{0,5}$/.test(number) && Number(number) <= contract.PARTS_MAX) return Number(number)
  throw new Refusal('not_found', `Parts are numbered 1 to ${contract.PARTS_MAX}.`)
}

function refuseState(state: contract.ImportState | undefined): void {
  if (state === undefined) throw importNotFound()
  if (state !== 'uploading')
    throw new Refusal('wrong_state', `This import has already been started; its state is ${state}.`)
}

async function refuseFull(db: Db, project: ProjectId): Promise<void> {
  if ((await imports.countOpen(db, project)) < contract.OPEN_IMPORTS_MAX) return
  throw new Refusal('limit_reached', `At most ${contract.OPEN_IMPORTS_MAX} imports may be unfinished at a time.`)
}

/** The maximum number of missing parts that are listed. */
const NAMED_MAX = 20

async function refuseMissing(db: Db, project: ProjectId, id: string, parts: number): Promise<void> {
  const missing = await imports.missingParts(db, project, id, parts, NAMED_MAX + 1)
  if (missing.length > 0) {
    const more = missing.length > NAMED_MAX ? ' and more' : ''
    throw new Refusal('wrong_state', `Missing parts (of ${parts}): ${missing.slice(0, NAMED_MAX).join(', ')}${more}.`)
  }
  const excess = await imports.partBeyond(db, project, id, parts)
  if (excess !== undefined)
    throw new Refusal('wrong_state', `Part ${excess} was sent, but only ${parts} were announced.`)
}
