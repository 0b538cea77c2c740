// `reserveRoute` handles the reservation form that a visitor submits. Every error is shown on the
// submitted page, with the visitor's input still in it; success redirects to a thank-you page,
// whose address reveals nothing about the visitor.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimit } from '../foundation/http/rate-limit.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Clock } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { reserve } from '../orders/reservations.io.ts'
import type { PresentedAnimal } from '../deployments/content.ts'
import type { InProject } from '../projects/scope.io.ts'
import type { Target } from '../sites/addresses.ts'
import { mistakesOf, readForm, type Mistakes, type SentForm } from '../sites/form.ts'
import { isForeign, isTokenGood, tokenAt } from '../sites/form-token.io.ts'
import { animalPage } from '../sites/animal-page.ts'
import { siteIn } from '../sites/layout.ts'
import { missingPage } from '../sites/render.ts'
import type { Mistake } from '../sites/words.ts'
import { notices } from '../sites/platform-pages.ts'
import type { Sender } from '../sites/send-routes.ts'
import { htmlPage } from '../sites/page.ts'
import type { Published, PublishedPages } from './published-pages.io.ts'

export type ReserveDeps = {
  store: PublishedPages
  sender: Sender
  inProject: InProject
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail | undefined
  now: Clock
  /** The visitor whose rate limit a form counts against. */
  visitorOf: (request: FastifyRequest) => string
  limits: Readonly<{ reservationsPerAddress: number; reservationsPerProject: number; windowSeconds: number }>
}

export function reserveRoute(deps: ReserveDeps) {
  const { store, sender, limits } = deps
  const { windowSeconds } = limits
  const perAddress = new RateLimit({ name: 'address', points: limits.reservationsPerAddress, windowSeconds })
  const perProject = new RateLimit({ name: 'project', points: limits.reservationsPerProject, windowSeconds })

  return async (
    found: Published,
    { language, address }: Target,
    host: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    // Nothing is lost if the owner has removed the language since the page was loaded.
    const published = { ...found, site: siteIn(found.site, language) ?? found.site }
    if (address?.kind !== 'animal' && address?.kind !== 'former animal') return sender.notice(reply, notices.method)
    const { origin, 'sec-fetch-site': fetchSite } = request.headers
    if (isForeign({ origin, fetchSite: single(fetchSite), host })) return sender.notice(reply, notices.foreign)

    const animal = await store.animalOf(published, address.id)
    if (!animal) return sender.once(reply, htmlPage(missingPage(published.site), 404))
    const sent = readForm(typeof request.body === 'string' ? request.body : '')
    const submission: Submission = { deps, published, animal, sent, reply }

    const usage = await perAddress.use(deps.visitorOf(request))
    if (usage.isOver) return showAgain(submission, 429, { notice: 'busy' }, usage.resetSeconds)
    const trouble = troubleOf(submission)
    if (trouble) return showAgain(submission, 422, trouble)
    if (animal.status !== 'available') return showTaken(submission)
    const share = await perProject.use(String(published.project))
    if (share.isOver) return showAgain(submission, 429, { notice: 'busy' }, share.resetSeconds)
    await tryToReserve(submission)
  }
}

type Submission = {
  deps: ReserveDeps
  published: Published
  animal: PresentedAnimal
  sent: SentForm
  reply: FastifyReply
}
type Trouble = { notice?: Mistake; mistakes?: Mistakes }

function troubleOf({ deps, published: { secret, project }, animal, sent }: Submission): Trouble | undefined {
  const isOurs = isTokenGood({ secret, project, petId: animal.id }, sent.token, deps.now())
  // If a browser has filled in the hidden field automatically, submitting the form once more is all
  // it takes.
  if (!isOurs || sent.trap !== '') return { notice: 'stale' }
  const mistakes = mistakesOf(sent)
  return Object.keys(mistakes).length > 0 ? { mistakes } : undefined
}

async function tryToReserve(submission: Submission): Promise<void> {
  const { deps, published, animal, sent, reply } = submission
  const { name, contact, message } = sent
  try {
    await reserve(deps, published.project, { petId: animal.id, name, contact, message })
    deps.store.forget(published, animal)
    deps.sender.onward(reply, published.site.href({ kind: 'thanks', id: animal.id }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_available') return showTaken(submission)
    if (error.code === 'not_found') return deps.sender.once(reply, htmlPage(missingPage(published.site), 404))
    if (error.code === 'invalid_field') return showAgain(submission, 422, { mistakes: { name: 'characters' } })
    throw error
  }
}

/** The form as it was submitted, with a new token and the errors to correct. */
function showAgain(
  { deps, published, animal, sent, reply }: Submission,
  status: number,
  trouble: Trouble,
  retryAfter?: number,
) {
  const { site, secret, project } = published
  const token = tokenAt({ secret, project, petId: animal.id }, deps.now())
  const { name, contact, message } = sent
  const { mistakes = {}, notice } = trouble
  const form = { token, typed: { name, contact, message }, mistakes, ...(notice && { notice }) }
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  deps.sender.once(reply, htmlPage(animalPage(site, animal, { form }), status), headers)
}

function showTaken({ deps, published, animal, reply }: Submission): void {
  deps.store.forget(published, animal)
  const status = animal.status === 'available' ? 'pending' : animal.status
  deps.sender.once(reply, htmlPage(animalPage(published.site, { ...animal, status }, { notice: 'taken' }), 409))
}

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header)
