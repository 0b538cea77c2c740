// Routes for orders on `/platform/v1`: list, show, move, hold, undo, notes, settings; and the
// status of an animal, set by hand, since it may close requests.

import { int64FromPath } from '@petstore-platform/contract/int64'
import * as statuses from '@petstore-platform/contract/platform/animal-statuses'
import * as holds from '@petstore-platform/contract/platform/order-holds'
import * as moving from '@petstore-platform/contract/platform/order-moves'
import * as notes from '@petstore-platform/contract/platform/order-notes'
import * as contract from '@petstore-platform/contract/platform/orders'
import type { FastifyInstance } from 'fastify'
import { petNotFound } from '../animals/v1-pet-routes.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as advance from './advance.io.ts'
import { heldAnimalJson, managedOrderJson, statusesSetJson } from './json.ts'
import { filteredStages } from './lifecycle.ts'
import { listNotes } from './note-queries.ts'
import * as orders from './order-queries.ts'
import type { OrderRow } from './order-queries.ts'
import { requestSettings } from './settings-queries.ts'
import { setStatusByOwner, setStatusesByOwner } from './status-by-hand.io.ts'
import { isPast, readVisit } from './visit-time.ts'
import { notified } from './visitor-mails.io.ts'
import { readNote, readDecline } from './visitor.ts'
import { orderNotFound, type OrderContext } from './write-step.io.ts'

export function orderPlatformRoutes(
  app: FastifyInstance,
  platform: Platform,
  queueMail: OrderContext['queueMail'],
): void {
  const { inProject, baseUrl, within, now } = platform
  const context: OrderContext = { ...platform, queueMail }
  const listJson = async (project: ProjectId, rows: readonly OrderRow[]) =>
    (await notified(platform, project, rows)).map(managedOrderJson).join(',')
  const changed = async (project: ProjectId, row: Promise<OrderRow>) => ({ json: await listJson(project, [await row]) })

  mount(app, contract.listOrders, within, ({ caller: { project, slug }, query }) => {
    const { limit, status, stage, animal, cursor } = query
    const stages = filteredStages({ status, stage })
    const filters = { stage, animal: animal?.toString() }
    return pageOf(
      { url: `${baseUrl}/projects/${slug}/orders`, limit, cursor, filter: status, filterName: 'status', filters },
      async (before, count) => {
        const rows = await inProject(project, (db) =>
          orders.listManaged(db, project, { before, count, stages, petId: animal }),
        )
        return { json: await listJson(project, rows), count: rows.length }
      },
    )
  })

  mount(app, contract.getOrder, within, async ({ caller: { project }, path }) => {
    const id = orderIdOf(path)
    const order = await inProject(project, (db) => orders.findManaged(db, project, id))
    if (!order) throw orderNotFound()
    return { json: await listJson(project, [order]) }
  })

  mount(app, moving.moveOrder, within, ({ caller, path, body: { fact, visit, decline } }) => {
    const arranged = visit && readVisit(visit)
    if ((arranged !== undefined) !== (fact === 'visit_set') || (visit && !arranged)) {
      throw new Refusal('invalid_field', moving.visitFault)
    }
    if (arranged && isPast(arranged, now())) throw new Refusal('invalid_field', moving.visitPastFault)
    if (decline && fact !== 'declined') throw new Refusal('invalid_field', moving.declineFault)
    const given = { fact, visit: arranged, decline: decline && readDecline(decline) }
    return changed(caller.project, advance.move(context, caller, orderIdOf(path), given))
  })

  mount(app, moving.approveOrder, within, ({ caller, path }) =>
    changed(caller.project, advance.move(context, caller, orderIdOf(path), { fact: 'approved' })),
  )

  mount(app, moving.declineOrder, within, ({ caller, path }) =>
    changed(caller.project, advance.move(context, caller, orderIdOf(path), { fact: 'declined' })),
  )

  mount(app, holds.holdAnimal, within, ({ caller, path, body: { days } }) =>
    changed(caller.project, advance.hold(context, caller, orderIdOf(path), days)),
  )

  mount(app, holds.releaseAnimal, within, ({ caller, path }) =>
    changed(caller.project, advance.release(context, caller, orderIdOf(path))),
  )

  mount(app, moving.undoOrder, within, ({ caller, path }) =>
    changed(caller.project, advance.undo(context, caller, orderIdOf(path))),
  )

  mountNotes(app, platform)
  mountSettings(app, platform)
  mountStatuses(app, platform, context)
}

function mountNotes(app: FastifyInstance, { inProject, within, plans }: Platform): void {
  mount(app, notes.listNotes, within, async ({ caller: { project }, path }) => {
    const id = orderIdOf(path)
    const written = await inProject(project, async (db) => {
      if ((await orders.findPetOf(db, project, id)) === undefined) throw orderNotFound()
      return listNotes(db, project, id)
    })
    return { json: JSON.stringify(written) }
  })

  mount(app, notes.addNote, within, async ({ caller, path, body: { text } }) => ({
    json: JSON.stringify(await advance.addNote({ inProject, plans }, caller, orderIdOf(path), readNote(text))),
  }))
}

function mountSettings(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, holds.getRequestSettings, within, async ({ caller: { project } }) => ({
    json: JSON.stringify(await inProject(project, (db) => requestSettings(db, project))),
  }))

  mount(app, holds.putRequestSettings, within, async ({ caller, body }) => ({
    json: JSON.stringify(await advance.putSettings({ inProject }, caller, body)),
  }))
}

function mountStatuses(app: FastifyInstance, { within }: Platform, context: OrderContext): void {
  mount(app, statuses.setAnimalStatus, within, async ({ caller, path, body: { status, orderId } }) => {
    if (orderId !== undefined && status !== 'sold') throw new Refusal('invalid_field', statuses.orderIdFault)
    const id = int64FromPath(path['petId'] ?? '')
    const animal = id === undefined ? undefined : await setStatusByOwner(context, caller, id, status, orderId)
    if (!animal) throw petNotFound()
    return { json: heldAnimalJson(animal) }
  })

  mount(app, statuses.setAnimalStatuses, within, async ({ caller, body: { ids, status } }) => {
    if (new Set(ids).size < ids.length) throw new Refusal('invalid_field', statuses.idsFault)
    return { json: statusesSetJson(await setStatusesByOwner(context, caller, ids, status)) }
  })
}

function orderIdOf(path: Record<string, string>): bigint {
  const id = int64FromPath(path['orderId'] ?? '')
  if (id === undefined) throw orderNotFound()
  return id
}
