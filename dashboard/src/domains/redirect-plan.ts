// Primary domain and redirects while they are edited: for each domain the target of its
// visitors, or null where the site is shown. Pure. The server decides what is allowed;
// here is only what the page needs to draw the choices so far, and to show a refusal next
// to its row.

import type { DomainSettings, RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'

export type Lead = { to: string; status: RedirectStatus } | null
export type Plan = { primary: string | null; leads: Readonly<Record<string, Lead>> }

export function planOf({ primary, redirects }: DomainSettings, hostnames: readonly string[]): Plan {
  const leads: Record<string, Lead> = Object.fromEntries(hostnames.map((hostname) => [hostname, null]))
  for (const { from, to, status = 301 } of redirects) leads[from] = { to, status: status as RedirectStatus }
  return { primary, leads }
}

export const changeOf = (plan: Plan, version: number) => ({
  version,
  ...(plan.primary !== null && { primary: plan.primary }),
  redirects: Object.entries(plan.leads).flatMap(([from, lead]) => (lead === null ? [] : [{ from, ...lead }])),
})

export const sameLead = (one: Lead, other: Lead): boolean => one?.to === other?.to && one?.status === other?.status

export const samePlan = (one: Plan, other: Plan): boolean =>
  one.primary === other.primary &&
  [...new Set([...Object.keys(one.leads), ...Object.keys(other.leads)])].every((hostname) =>
    sameLead(one.leads[hostname] ?? null, other.leads[hostname] ?? null),
  )

export const withLead = ({ primary, leads }: Plan, hostname: string, lead: Lead): Plan => ({
  primary,
  leads: { ...leads, [hostname]: lead },
})

/** The primary shows the site, so a redirect of its own ends with the choice. */
export const withPrimary = ({ leads }: Plan, primary: string): Plan => ({
  primary,
  leads: { ...leads, [primary]: null },
})

export const withAllTo = ({ primary, leads }: Plan, target: string): Plan => ({
  primary,
  leads: Object.fromEntries(
    Object.entries(leads).map(([hostname, lead]) => [
      hostname,
      hostname === target ? null : { to: target, status: lead?.status ?? 301 },
    ]),
  ),
})

/** Where visitors to a domain end, and via which domains; `end` is null in a loop. */
export type RedirectPath = { from: string; lead: Exclude<Lead, null>; via: readonly string[]; end: string | null }

export function wayOf({ leads }: Plan, from: string): RedirectPath | null {
  const lead = leads[from] ?? null
  if (lead === null) return null
  const via: string[] = []
  let here = lead.to
  for (let next = leads[here] ?? null; next !== null; next = leads[here] ?? null) {
    if (here === from || via.includes(here)) return { from, lead, via, end: null }
    via.push(here)
    here = next.to
  }
  return { from, lead, via, end: here }
}

export type Group = { end: string; ways: readonly RedirectPath[] }
export type Drawing = { groups: readonly Group[]; lost: readonly RedirectPath[] }

/** Each domain that shows the site with those that lead to it, the primary first; and those that lead nowhere. */
export function drawingOf(plan: Plan): Drawing {
  const names = Object.keys(plan.leads)
  const ways = names.flatMap((name) => wayOf(plan, name) ?? [])
  const ends = names.filter((name) => (plan.leads[name] ?? null) === null)
  const groups = ends.map((end) => ({ end, ways: ways.filter((way) => way.end === end) }))
  const rank = ({ end, ways: arriving }: Group) => (end === plan.primary ? 0 : arriving.length > 0 ? 1 : 2)
  return {
    groups: groups.toSorted((one, other) => rank(one) - rank(other)),
    lost: ways.filter(({ end }) => end === null),
  }
}

/** The rows that a refusal names; none if it names none. */
export function rowsNamed({ leads }: Plan, { code, message }: { code: string; message: string }): string[] {
  const words = new Set(message.split(/[\s'"→,]+/).map((word) => word.replace(/[.:;]+$/, '')))
  const isAboutTarget = code === 'redirect_target_not_live'
  return Object.entries(leads)
    .filter(([hostname, lead]) => words.has(isAboutTarget ? (lead?.to ?? '') : hostname))
    .map(([hostname]) => hostname)
}
