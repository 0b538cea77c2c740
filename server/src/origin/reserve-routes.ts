// `reserveRoute` handles the form with which a visitor asks for an animal. Every error is shown on the
// submitted page, with the visitor's input still in it; success redirects to a page that says what
// comes next, and whose address reveals nothing about the visitor.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '../foundation/address-group.ts'
import { exactLimit, type ExactLimit } from '../foundation/load/rate-limit.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { CapReached, type CapName, type RequestLimits } from '../orders/caps.ts'
import { ask, type AskContext } from '../orders/confirmation.io.ts'
import { readAnswers, type AnswerMistake, type AskedAnswer } from '../orders/questions.ts'
import type { PresentedAnimal } from '../sites/publishing/content.ts'
import type { Target } from '../sites/pages/addresses.ts'
import { mistakesOf, readForm, type Mistakes, type SentForm } from '../sites/pages/form.ts'
import { fingerprintOf, questionsOf } from '../sites/pages/form-questions.ts'
import { isForeign, isTokenGood, tokenAt, type SentFrom } from '../sites/pages/csrf-token.io.ts'
import { animalPage } from '../sites/pages/animal-page.ts'
import { siteIn } from '../sites/pages/layout.ts'
import { missingPage } from '../sites/pages/render.ts'
import type { Mistake } from '../sites/strings/words.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import type { Sender } from '../sites/pages/send-routes.ts'
import { htmlPage } from '../sites/pages/page.ts'
import type { Published, PublishedPages } from './published-pages.io.ts'

export type ReserveDeps = AskContext & {
  run: Db
  store: PublishedPages
  sender: Sender
  /** The visitor whose rate limit a form counts against. */
  visitorOf: (request: FastifyRequest) => string
  limits: RequestLimits &
    Readonly<{ reservationsPerAddress: number; reservationsPerProject: number; windowSeconds: number }>
}

/** How many forms of all kinds, on all sites, one visitor and the neighbours of the address may send. */
export const formLimit = ({ run, now, limits }: Pick<ReserveDeps, 'run' | 'now' | 'limits'>): ExactLimit =>
  exactLimit({ run, now }, 'form_group', {
    name: 'address',
    points: limits.reservationsPerAddress,
    windowSeconds: limits.windowSeconds,
  })

export function reserveRoute(deps: ReserveDeps) {
  const { store, sender, limits } = deps
  const { reservationsPerProject, windowSeconds } = limits
  const perAddress = formLimit(deps)
  const perProject = exactLimit(deps, 'form_project', {
    name: 'project',
    points: reservationsPerProject,
    windowSeconds,
  })

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
    if (isForeign(sentFrom(request, host))) return sender.notice(reply, notices.foreign)

    const animal = await store.animalOf(published, address.id)
    if (!animal) return sender.once(reply, htmlPage(missingPage(published.site), 404))
    const sent = readForm(typeof request.body === 'string' ? request.body : '')
    const visitor = deps.visitorOf(request)
    const submission: Submission = { deps, published, animal, sent, visitor, reply }

    const usage = await perAddress.use(addressGroup(visitor))
    if (usage.isOver) return showAgain(submission, 429, { notice: 'busy' }, usage.resetSeconds)
    const read = readSubmission(submission)
    if ('trouble' in read) return showAgain(submission, 422, read.trouble)
    if (animal.status === 'sold') return showTaken(submission)
    const share = await perProject.use(String(published.project))
    if (share.isOver) return showAgain(submission, 429, { notice: 'busy' }, share.resetSeconds)
    // What is above a cap does not use the share up: otherwise one sender could keep all others from asking.
    if ((await tryToAsk(submission, read.answers)) === 'capped') await perProject.refund(String(published.project))
  }
}

type Submission = {
  deps: ReserveDeps
  published: Published
  animal: PresentedAnimal
  sent: SentForm
  /** The internet address. */
  visitor: string
  reply: FastifyReply
}
type Trouble = { notice?: Mistake; mistakes?: Mistakes; wrongAnswers?: ReadonlyMap<number, AnswerMistake> }

function readSubmission({
  deps,
  published: { secret, project, site },
  animal,
  sent,
}: Submission): { trouble: Trouble } | { answers: readonly AskedAnswer[] } {
  const isOurs = isTokenGood({ secret, project, of: animal.id }, sent.token, deps.now())
  // If a browser has filled in the hidden field automatically, submitting the form once more is all
  // it takes.
  if (!isOurs || sent.trap !== '') return { trouble: { notice: 'stale' } }
  const questions = questionsOf(site)
  // The owner has published other questions since the page was loaded.
  if (sent.questions !== '' && sent.questions !== fingerprintOf(questions)) return { trouble: { notice: 'stale' } }
  const mistakes = mistakesOf(sent, site.isMailing)
  const { answers, mistakes: wrongAnswers } = readAnswers(questions, sent.answers, site.words.requests)
  const isWrong = Object.keys(mistakes).length > 0 || wrongAnswers.size > 0
  return isWrong ? { trouble: { mistakes, wrongAnswers } } : { answers }
}

async function tryToAsk(submission: Submission, answers: readonly AskedAnswer[]): Promise<'capped' | void> {
  const { deps, published, animal, sent, visitor: address, reply } = submission
  const { name, contact, phone, message } = sent
  const { project, secret, site } = published
  const visitor = { petId: animal.id, name, contact, phone, message, answers, language: site.language }
  try {
    await ask(deps, project, { ...visitor, address, secret, isConfirmed: site.isMailing })
    deps.store.forget(published, animal)
    deps.sender.onward(reply, published.site.href({ kind: 'thanks', id: animal.id }))
  } catch (error) {
    if (error instanceof CapReached) {
      await showAgain(submission, capStatus[error.cap], { notice: error.cap })
      return 'capped'
    }
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'queue_full') return await showAgain(submission, 409, { notice: 'queue_full' })
    if (error.code === 'not_available') return await showTaken(submission)
    if (error.code === 'not_found') return deps.sender.once(reply, htmlPage(missingPage(published.site), 404))
    if (error.code === 'invalid_field') return await showAgain(submission, 422, { mistakes: { name: 'characters' } })
    throw error
  }
}

const capStatus: Readonly<Record<CapName, number>> = {
  asked_already: 409,
  contact: 409,
  address: 429,
  unconfirmed: 429,
  open: 429,
}

/** The form as it was submitted, with a new token and the errors to correct. */
async function showAgain(
  { deps, published, animal, sent, reply }: Submission,
  status: number,
  trouble: Trouble,
  retryAfter?: number,
): Promise<void> {
  const { site, secret, project } = published
  const token = tokenAt({ secret, project, of: animal.id }, deps.now())
  const { name, contact, phone, message, answers, questions } = sent
  const { mistakes = {}, wrongAnswers = new Map<number, AnswerMistake>(), notice } = trouble
  // Answers to other questions would stand beside the wrong ones.
  const given = questions === '' || questions === fingerprintOf(questionsOf(site)) ? answers : []
  const typed = { name, contact, phone, message }
  const form = { token, typed, answers: given, mistakes, wrongAnswers, ...(notice && { notice }) }
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  const page = await deps.store.inTurn(published, () => htmlPage(animalPage(site, animal, { form }), status))
  deps.sender.once(reply, page, headers)
}

async function showTaken({ deps, published, animal, reply }: Submission): Promise<void> {
  deps.store.forget(published, animal)
  const sold = { ...animal, status: 'sold' } as const
  const page = await deps.store.inTurn(published, () =>
    htmlPage(animalPage(published.site, sold, { notice: 'taken' }), 409),
  )
  deps.sender.once(reply, page)
}

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header)

/** Where the browser says that the form was. */
export const sentFrom = ({ headers }: FastifyRequest, host: string): SentFrom => ({
  origin: headers.origin,
  fetchSite: single(headers['sec-fetch-site']),
  host,
})
