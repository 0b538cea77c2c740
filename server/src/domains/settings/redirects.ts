// Plans redirects between the domains of a project, when they are saved:
//   - a redirect leads only to a domain of the same project, so that no visitor is sent to a
//     foreign host;
//   - redirects never form a loop;
//   - no visitor follows more than one hop: chains are shortened. So an edge needs one lookup
//     to serve them.
//
// The target of a new redirect must be live. A stored redirect stays, whatever becomes of its
// target: while that is not live, the source domain shows the site.

import {
  redirectStatuses,
  type RedirectStatus,
  type RedirectWish,
} from '@petstore-platform/contract/platform/domain-shapes'
import { Refusal, quoted } from '../../foundation/refusal.ts'

export type Redirect = { from: string; to: string; status: RedirectStatus }

export type Link = Pick<Redirect, 'from' | 'to'>

/** The domains of a project by their hostname, and whether visitors are served there. */
export type DomainPlaces = ReadonlyMap<string, { isLive: boolean }>

/**
 * The redirects to store for a request: all of them, or a refusal. The targets of those in `awaited` need not be
 * live.
 */
export function planRedirects(
  requests: readonly RedirectWish[],
  places: DomainPlaces,
  primary: string | null,
  awaited: readonly Link[] = [],
): Redirect[] {
  const mayWait = new Set(awaited.map(pairOf))
  const planned = new Map<string, Redirect>()
  for (const request of requests) {
    const redirect = readRedirect(request, places, mayWait)
    if (planned.has(redirect.from)) {
      throw new Refusal('invalid_field', `'redirects' must name ${quoted(redirect.from)} as 'from' only once.`)
    }
    if (redirect.from === primary) throw primaryRedirects(redirect.from)
    planned.set(redirect.from, redirect)
  }
  return [...planned.values()].map((redirect) => shortened(redirect, planned))
}

export const primaryRedirects = (hostname: string) =>
  new Refusal('wrong_state', `${hostname} is the primary domain, so it cannot redirect.`)

const pairOf = ({ from, to }: Link) => `${from} ${to}`

function readRedirect(request: RedirectWish, places: DomainPlaces, mayWait: ReadonlySet<string>): Redirect {
  const { from, to, status = 301 } = request
  const known = redirectStatuses.find((one) => one === status)
  if (known === undefined) throw new Refusal('redirect_status_invalid')
  if (!places.has(from)) {
    throw new Refusal('redirect_target_foreign', `${quoted(from)} is not a domain of this project.`)
  }
  const target = places.get(to)
  if (!target) throw new Refusal('redirect_target_foreign')
  if (from === to) throw redirectLoop([from, to])
  if (!target.isLive && !mayWait.has(pairOf(request)))
    throw new Refusal('redirect_target_not_live', `${to} is not live yet. Save the redirect once it is.`)
  return { from, to, status: known }
}

/** Redirects straight to the end of the chain. */
function shortened(first: Redirect, planned: ReadonlyMap<string, Redirect>): Redirect {
  const path = [first.from]
  let here = first
  let { status } = first
  for (let next = planned.get(here.to); next; next = planned.get(here.to)) {
    path.push(here.to)
    if (path.includes(next.to)) throw redirectLoop([...path.slice(path.indexOf(next.to)), next.to])
    status = joined(status, next.status)
    here = next
  }
  return { from: first.from, to: here.to, status }
}

/** Permanent only if each hop is; keeps the method only if each hop does. */
function joined(one: RedirectStatus, other: RedirectStatus): RedirectStatus {
  const isPermanent = isForGood(one) && isForGood(other)
  const keepsMethod = one >= 307 && other >= 307
  if (keepsMethod) return isPermanent ? 308 : 307
  return isPermanent ? 301 : 302
}

const isForGood = (status: RedirectStatus) => status === 301 || status === 308

const CIRCLE_SHOWN_MAX = 8

function redirectLoop(names: readonly string[]): Refusal {
  const shown =
    names.length > CIRCLE_SHOWN_MAX ? [...names.slice(0, CIRCLE_SHOWN_MAX - 1), '…', ...names.slice(-1)] : names
  return new Refusal('redirect_cycle', `These redirects form a loop: ${shown.join(' → ')}.`)
}
