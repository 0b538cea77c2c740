// `requestRoute` serves the pages of one visitor's request, which only the visitor has the address of: the page that
// confirms it, and its status page, where it can be withdrawn and its data deleted. Past every cache, and with headers
// that keep the address from other pages. A GET never changes anything.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from '../foundation/html.ts'
import { digestOf } from '../foundation/key-format.ts'
import { Refusal } from '../foundation/refusal.ts'
import { eraseVisitor, withdraw } from '../orders/advance.io.ts'
import { CapReached } from '../orders/caps.ts'
import { confirm, findRequest, statusSecret, type AskContext } from '../orders/confirmation.io.ts'
import { findBySecret, findPetNames } from '../orders/order-queries.ts'
import type { RequestAddress } from '../sites/pages/addresses.ts'
import { isForeignToSecretPage } from '../sites/pages/csrf-token.io.ts'
import { siteIn } from '../sites/pages/layout.ts'
import { htmlPage } from '../sites/pages/page.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import {
  confirmationPage,
  erasedPage,
  goneRequestPage,
  requestActions,
  statusPage,
} from '../sites/pages/request-pages.ts'
import { secretPageHeaders, type Sender } from '../sites/pages/send-routes.ts'
import type { RequestMistake } from '../sites/strings/strings-requests.ts'
import type { Language } from '@petstore-platform/contract/platform/site'
import type { Published, PublishedPages } from './published-pages.io.ts'
import { sentFrom } from './reserve-routes.ts'

type RequestVisit = {
  deps: AskContext & { store: Pick<PublishedPages, 'animalOf' | 'forget'>; sender: Sender }
  published: Published
  secret: string
  reply: FastifyReply
}

export const requestRoute =
  (deps: RequestVisit['deps']) =>
  async (
    found: Published,
    { address, language }: { address: RequestAddress; language: Language | undefined },
    host: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const site = siteIn(found.site, language) ?? found.site
    const visit: RequestVisit = { deps, published: { ...found, site }, secret: address.secret, reply }
    if (request.method !== 'POST') return address.kind === 'confirmation' ? askAgain(visit) : showStatus(visit)
    if (isForeignToSecretPage(sentFrom(request, host))) return deps.sender.notice(reply, notices.foreign)
    if (address.kind === 'confirmation') return confirmRequest(visit)
    return change(visit, new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('action') ?? '')
  }

/** The page with the button; a request that is confirmed already leads to its status page. */
async function askAgain(visit: RequestVisit): Promise<void> {
  const { deps, published, secret } = visit
  const { project, site } = published
  const request = await findRequest(deps, project, secret)
  if (!request) return gone(visit)
  if (request.orderId !== null) return toStatus(visit, request.orderId)
  const animal = await animalOf(visit, request.petId)
  return animal === undefined ? gone(visit) : send(visit, confirmationPage(site, secret, { animal }))
}

async function confirmRequest(visit: RequestVisit): Promise<void> {
  const { deps, published, secret } = visit
  const request = await findRequest(deps, published.project, secret)
  try {
    const orderId = await confirm(deps, published.project, secret)
    if (orderId === undefined || !request) return gone(visit)
    const animal = await deps.store.animalOf(published, request.petId)
    if (animal) deps.store.forget(published, animal)
    return await toStatus(visit, orderId)
  } catch (error) {
    const mistake = mistakeOf(error)
    if (mistake === undefined || !request) throw error
    const animal = (await animalOf(visit, request.petId)) ?? ''
    send(visit, confirmationPage(published.site, secret, { animal, mistake }), 409)
  }
}

function mistakeOf(error: unknown): RequestMistake | 'taken' | undefined {
  if (error instanceof CapReached) return error.cap
  if (!(error instanceof Refusal)) return undefined
  if (error.code === 'queue_full') return 'queue_full'
  return error.code === 'not_available' || error.code === 'not_found' ? 'taken' : undefined
}

const orderOf = ({ deps, published: { project }, secret }: RequestVisit) =>
  deps.inProject(project, (db) => findBySecret(db, project, digestOf(secret)))

async function showStatus(visit: RequestVisit): Promise<void> {
  const order = await orderOf(visit)
  if (!order) return gone(visit)
  const { petName: animal, stage, visitAt, visitOffset: offset, visitPlace: place } = order
  const arranged = visitAt && { at: visitAt, offset, place }
  send(visit, statusPage(visit.published.site, visit.secret, { animal, stage, visit: arranged }))
}

async function change(visit: RequestVisit, asked: string): Promise<void> {
  const { deps, published, secret, reply } = visit
  const { project, site } = published
  const action = requestActions.find((one) => one === asked)
  const order = await orderOf(visit)
  if (!order) return gone(visit)
  if (action === undefined) return deps.sender.notice(reply, notices.malformed)
  if (action === 'withdraw') await withdraw(deps, project, order.id)
  else await eraseVisitor(deps, project, order.id)
  const animal = await deps.store.animalOf(published, order.petId)
  if (animal) deps.store.forget(published, animal)
  if (action === 'erase') return send(visit, erasedPage(site))
  deps.sender.onward(reply, site.href({ kind: 'status', secret }), secretPageHeaders)
}

async function toStatus({ deps, published: { project, site }, reply }: RequestVisit, orderId: bigint): Promise<void> {
  const secret = await statusSecret(deps, project, orderId)
  deps.sender.onward(reply, site.href({ kind: 'status', secret }), secretPageHeaders)
}

/** Its name, also of one that is not shown on the site any more. */
const animalOf = ({ deps, published: { project } }: RequestVisit, petId: bigint): Promise<string | undefined> =>
  deps.inProject(project, async (db) => (await findPetNames(db, project, [petId])).get(petId))

const gone = (visit: RequestVisit): void => send(visit, goneRequestPage(visit.published.site), 404)

const send = ({ deps, reply }: RequestVisit, page: Html, status = 200): void =>
  deps.sender.once(reply, htmlPage(page, status), secretPageHeaders)
