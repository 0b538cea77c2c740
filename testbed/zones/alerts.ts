// The mails that a fixture of the corpus would cause if its zones stayed as they are: its judgement
// goes through the lifecycle of a domain, check by check, for longer than any rule of alerts waits.

import { mailedDomain } from '../../server/src/domains/alerts/mailed-domain.ts'
import { domainMails } from '../../server/src/domains/alerts/mails.ts'
import { causes } from '../../server/src/domains/causes/causes.ts'
import { decideMails, noAttention, type DomainMail } from '../../server/src/domains/lifecycle/attention.ts'
import { nothingReported } from '../../server/src/domains/lifecycle/history-events.ts'
import { factsOf } from '../../server/src/domains/lifecycle/facts.ts'
import { initialState, next } from '../../server/src/domains/lifecycle/lifecycle.ts'
import type { Decision } from '../../server/src/domains/lifecycle/ownership-decision.ts'
import type { LifecycleState } from '../../server/src/domains/lifecycle/states.ts'
import { domainJson } from '../../server/src/domains/views/domain-json.ts'
import { MINUTE } from '../../server/src/foundation/time.ts'
import { oneLine } from '../../server/src/mail/mail.ts'
import { mailText } from '../../server/src/mail/render.ts'
import { TOKEN } from './fixture.ts'
import type { Result } from './run.ts'

const CHECKS_EVERY = 5 * MINUTE
const CHECKS = 16

export type FixtureAlerts = {
  mails: readonly DomainMail[]
  /** The alert as text, and what the page says; both null if there is no alert. */
  text: string | null
  page: string | null
}

export function alertsOf({ fixture, judgement, evidence }: Result): FixtureAlerts {
  const { planAllows = true } = fixture.known ?? {}
  const facts = factsOf(judgement, decisionOf(fixture, judgement.proof), planAllows)
  let life = startOf(fixture, evidence.at)
  let attention = noAttention
  const mails: DomainMail[] = []
  for (let check = 0; check < CHECKS; check++) {
    const now = evidence.at + check * CHECKS_EVERY
    const after = next(life, facts, now).life
    const decided = decideMails(
      { before: life, after, attention, isCheck: true, lastMailedAt: null, failing: null },
      now,
    )
    mails.push(...decided.mails)
    ;[life, attention] = [after, decided.attention]
  }
  const alert = mails.find(({ kind }) => kind === 'domain_alert')
  if (!alert?.cause) return { mails, text: null, page: null }
  const { hostname } = fixture
  const row = { ...life, ...attention, ...nothingReported, ...stored, hostname }
  const mail = domainMails.domain_alert({
    language: 'en',
    project: 'Happy Paws',
    projectUrl: 'https://petstore.test/projects/happy-paws',
    domains: [mailedDomain(row, judgement)],
    isOwners: causes[alert.cause].actor === 'owner',
    canTurnOff: false,
  })
  const beside = { isPrimary: false, redirect: null, verifiedAt: null }
  const shown = JSON.parse(domainJson(row, { judgement, evidence, certificate: null }, beside)) as Shown
  return { mails, text: mailText(mail), page: oneLine(shown.rootCause?.advice ?? '') }
}

type Shown = { rootCause: { advice: string } | null }

const stored = {
  generation: null,
  token: TOKEN,
  tokenGeneration: 0n,
  wasTokenSeen: false,
  staleTokens: [],
  fullyCheckedAt: null,
}

/** As if a member had chosen Verify. */
function decisionOf({ known = {} }: Result['fixture'], proof: 'cname' | 'txt' | null): Decision {
  if (known.isProven === true) return 'has'
  if (known.isHeldByOther === true) return proof === 'txt' ? 'moves' : 'another'
  return proof === null ? 'unproven' : 'takes'
}

function startOf({ known = {} }: Result['fixture'], at: number): LifecycleState {
  const added = initialState('dom_1', at)
  if (known.isLive !== true) return added
  return { ...added, ownership: 'proven', proof: 'cname', routing: 'pointing', certificate: 'deployed', liveAt: at }
}
