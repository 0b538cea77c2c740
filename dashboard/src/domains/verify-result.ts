// Verify in words, on the page of a domain and in the menus of the list: the name of the button, and what a check found.

import type { Domain, DomainSummary, ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { domains } from '../texts/en/domains.ts'
import { isUndetermined } from './status-view.tsx'

const { verify: words } = domains
const found: Readonly<Record<ShownStatus, string>> = words.found

/** The first success makes it Re-verify. */
export const verifyLabel = ({ verifiedAt }: Pick<DomainSummary, 'verifiedAt'>): string =>
  verifiedAt === null ? words.first : words.again

/** An owner who has done their part does not get a failure message. */
export function resultWords(domain: Domain): string {
  const { ownership, routing } = domain.axes
  if (isUndetermined(domain)) return words.unknown
  const isDone = ownership === 'proven' && routing === 'pointing'
  return domain.status === 'action_required' && isDone ? words.verifiedBut : found[domain.status]
}
