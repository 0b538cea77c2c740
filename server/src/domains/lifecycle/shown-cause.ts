// The root cause of a domain's status in the words that owners read, on the page and in mails alike.

import type { Trouble as ShownTrouble } from '@petstore-platform/contract/platform/domain-shapes'
import { causes } from '../causes/causes.ts'
import type { Judgement } from '../judging/judgement.ts'
import type { Trouble } from '../judging/trouble.ts'
import { isStep, steps, type Status } from './status.ts'

/** The root cause of the status: a trouble that was found, the step now running, or what we know apart from DNS. */
export function shownCauseOf(
  { hostname }: { hostname: string },
  status: Status,
  { troubles }: Pick<Judgement, 'troubles'>,
): ShownTrouble | null {
  if (!('code' in status)) {
    const warning = troubles.find(({ severity }) => severity === 'warns')
    return warning ? shownTroubleOf(warning) : null
  }
  const { code, until } = status
  if (isStep(code)) return { code, severity: 'waits', actor: 'platform', advice: steps[code], until: null }
  const found = troubles.find((trouble) => trouble.code === code)
  if (found) return shownTroubleOf(found)
  const { severity, actor, text } = causes[code]
  return {
    code,
    severity,
    actor,
    advice: text.replaceAll('{host}', hostname).replace(/\{\w+\}/g, '…'),
    until: timeOf(until),
  }
}

export const shownTroubleOf = ({ code, severity, actor, advice, until }: Trouble): ShownTrouble => ({
  code,
  severity,
  actor,
  advice,
  until: timeOf(until),
})

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
