// What a mail says of a domain: the words and the records of its page.

import { plainAddress } from '../judging/address-text.ts'
import type { Judgement } from '../judging/judgement.ts'
import { shownCauseOf } from '../lifecycle/shown-cause.ts'
import type { LifecycleState } from '../lifecycle/states.ts'
import { statusOf } from '../lifecycle/status.ts'
import { unicodeOf } from '../naming/names.ts'
import type { MailedDomain } from './mails.ts'

export function mailedDomain(
  row: LifecycleState & { hostname: string },
  judgement: Judgement | undefined,
): MailedDomain {
  const cause = shownCauseOf(row, statusOf(row), judgement ?? { troubles: [] })
  const open = (judgement?.records ?? []).filter(
    ({ isRequired, action }) => isRequired && action !== 'keep' && action !== 'wait',
  )
  return {
    hostname: row.hostname,
    name: unicodeOf(row.hostname),
    records: open.map(({ fullName, type, value }) => ({ name: fullName, type, value })),
    ...(cause && { advice: cause.advice }),
  }
}

// Which records a project must change when the addresses of the edges do.

export type AddressDomain = { hostname: string; judgement: Judgement }

/** Domains with address records that are not all among the new ones, with the records that replace them. */
export const changedRecords = (domains: readonly AddressDomain[], addresses: readonly string[]): MailedDomain[] =>
  domains
    .filter(({ judgement }) => !isReady(judgement, addresses))
    .map(({ hostname }) => ({
      hostname,
      name: unicodeOf(hostname),
      records: addresses.map((value) => ({ name: hostname, type: value.includes(':') ? 'AAAA' : 'A', value })),
    }))

function isReady({ records }: Judgement, addresses: readonly string[]): boolean {
  const wanted = new Set(addresses.map(plainAddress))
  const held = records.flatMap(({ have }) => have).flatMap((line) => /^(?:A|AAAA) (\S+)$/.exec(line)?.[1] ?? [])
  return held.length > 0 && held.every((address) => wanted.has(plainAddress(address)))
}
