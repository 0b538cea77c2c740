// The limits of each plan: one table, and the only function that compares usage with it.

import type { Limits, PlanName } from '@petstore-platform/contract/platform/projects'
import { Refusal } from '../foundation/refusal.ts'

/** Null means unlimited. */
const table: Readonly<Record<PlanName, Limits>> = {
  free: {
    animals: 100_000,
    members: 10,
    keys: 10,
    importRows: 100_000,
    customDomains: 0,
    photoBytes: 250_000_000,
  },
  pro: {
    animals: 1_000_000,
    members: 50,
    keys: 100,
    importRows: 1_000_000,
    customDomains: 10,
    photoBytes: 20_000_000_000,
  },
  enterprise: {
    animals: null,
    members: 100,
    keys: 1000,
    importRows: null,
    customDomains: 1000,
    photoBytes: 1_000_000_000_000,
  },
}

export const limitsOf = (plan: PlanName): Limits => table[plan]

/** Mails to visitors; not among the limits above, since reaching it refuses nothing: the mail is left out. */
const visitorMails: Readonly<Record<PlanName, number>> = { free: 100, pro: 2000, enterprise: 20_000 }

/** For each project and day. */
export const visitorMailsPerDay = (plan: PlanName): number => visitorMails[plan]

export type Limited = keyof Limits

/** Singular and plural. */
const words: Readonly<Record<Limited, readonly [one: string, several: string]>> = {
  animals: ['animal', 'animals'],
  members: ['member', 'members'],
  keys: ['API key', 'API keys'],
  importRows: ['row in one import', 'rows in one import'],
  customDomains: ['custom domain', 'custom domains'],
  photoBytes: ['byte of photos', 'bytes of photos'],
}

/** The refusal if `more` does not fit on top of current usage; undefined if it does. */
export function overLimit(plan: PlanName, what: Limited, used: number, more = 1): Refusal | undefined {
  const most = table[plan][what]
  if (most === null || used + more <= most) return undefined
  const [one, several] = words[what]
  const included = most === 0 ? `no ${several}` : `${most} ${most === 1 ? one : several}`
  const inUse = used === 0 ? '' : `; ${used} ${used === 1 ? 'is' : 'are'} in use`
  return new Refusal('plan_required', `The plan '${plan}' includes ${included}${inUse}.`)
}
