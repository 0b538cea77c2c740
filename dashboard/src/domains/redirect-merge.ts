// Three-way merge of primary domain and redirects, for two members who change them at the
// same time. The second one sees, row by row, what the other saved next to their own
// choices, and loses nothing: keeping theirs applies their changes on top of the other's.
// Pure.

import { sameLead, type Lead, type Plan } from './redirect-plan.ts'

/** Who chose something that differs from the common base. */
export type By = 'me' | 'them' | 'both'

export type Difference =
  | { what: 'primary'; by: By; mine: string | null; theirs: string | null }
  | { what: 'lead'; hostname: string; by: By; mine: Lead; theirs: Lead }

/** `merged`: their settings, with my changes put in. */
export type Merge = { differences: readonly Difference[]; merged: Plan }

export function mergePlans(base: Plan, mine: Plan, theirs: Plan): Merge {
  const differences: Difference[] = []
  const primaryBy = byOf(base.primary, mine.primary, theirs.primary, (one, other) => one === other)
  if (primaryBy !== null) {
    differences.push({ what: 'primary', by: primaryBy, mine: mine.primary, theirs: theirs.primary })
  }
  const isThere = (hostname: string) => hostname in theirs.leads
  const leads: Record<string, Lead> = {}
  for (const [hostname, their] of Object.entries(theirs.leads)) {
    const [was, my] = [base.leads[hostname] ?? null, mine.leads[hostname] ?? null]
    const by = byOf(was, my, their, sameLead)
    if (by !== null) differences.push({ what: 'lead', hostname, by, mine: my, theirs: their })
    const isMine = (by === 'me' || by === 'both') && (my === null || isThere(my.to))
    leads[hostname] = isMine ? my : their
  }
  const isMyPrimary = (primaryBy === 'me' || primaryBy === 'both') && mine.primary !== null && isThere(mine.primary)
  const primary = isMyPrimary ? mine.primary : theirs.primary
  // Choosing the primary implies that the site is shown there.
  if (primary !== null) leads[primary] = null
  return { differences, merged: { primary, leads } }
}

/** Null without a difference, even if both made the same choice. */
function byOf<T>(was: T, mine: T, theirs: T, isSame: (one: T, other: T) => boolean): By | null {
  if (isSame(mine, theirs)) return null
  if (isSame(was, mine)) return 'them'
  return isSame(was, theirs) ? 'me' : 'both'
}
