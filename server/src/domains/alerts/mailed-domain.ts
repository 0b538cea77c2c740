// What a mail says of a domain: the words and the records of its page.

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
