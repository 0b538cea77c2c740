// Authority troubles explain why there is no certificate, in a form that owners can act on:
// from the refusal of the authority, or from our own check before an order. Our observation
// of the name usually explains it better than the authority's message does; then that is
// reported and this is not (`explains.ts`). The authority's message is escaped and truncated.

import { causes, type CauseCode } from '../causes/causes.ts'
import { plainText, type CertificateTrouble } from '../observing/evidence.ts'
import { trouble, type Trouble } from './trouble.ts'
import type { Scene } from './scene.ts'
import { timeOfDay } from './format.ts'

export function authorityTroubles({ known, wanted, apex, now }: Scene): Trouble[] {
  const { certificate, isLive } = known
  if (!certificate || !isCode(certificate.code)) return []
  const { hostname: host, authorities } = wanted
  const authority = authorities.find(({ domain }) => domain === certificate.authority) ?? authorities[0]
  const found = authorityTrouble(certificate, { host, apex, ca: authority?.name ?? 'The certificate authority', now })
  // Visitors notice nothing yet; the owner learns why, and how much time is left.
  if (!isLive || certificate.validUntil === null) return [found]
  const date = dayOf(certificate.validUntil)
  return [trouble('renew.failing', { date, cause: found.advice.replace(/\.$/, '') })]
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

type Said = Pick<CertificateTrouble, 'code' | 'detail' | 'until'>
export type AuthorityFacts = { host: string; apex: string; ca: string; now: number }

export function authorityTrouble({ code, detail, until }: Said, about: AuthorityFacts): Trouble {
  if (!isCode(code)) throw new Error(`${code} is not in the list of causes`)
  const { severity, actor } = causes[code]
  const message = escaped(detail)
  if (!code.startsWith('ca.')) {
    const advice = `We could not fetch our own test file from http://${about.host}/: ${message} Once that is fixed, choose Re-verify.`
    return { code, severity, actor, advice, until: null }
  }
  const time = until === null ? 'the next change of your DNS' : timeOfDay(until, about.now)
  return trouble(code, { ...about, time, detail: message }, severity === 'waits' ? { until } : {})
}

const isCode = (code: string): code is CauseCode => Object.hasOwn(causes, code)

const DETAIL_MAX = 200

const escaped = (text: string) => plainText(text, DETAIL_MAX)
