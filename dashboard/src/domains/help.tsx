// Help where it is needed: while the certificate is being issued, when it is late, when a
// browser warns, and when a redirect surprises. All findings are the server's.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { LifeBuoy } from 'lucide-react'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { useNow } from '../ui/now.ts'
import { Fold } from './folds.tsx'
import { certificateMarks, ownershipMarks, routingMarks } from './progress.tsx'
import { statusViews } from './status-view.tsx'

const { help: words } = texts.domains
const LATE_MS = 30 * 60_000

const isOnItsWay = ({ status, verifiedAt }: Domain): boolean =>
  verifiedAt !== null && status !== 'paused' && status !== 'dormant'

/** The time since the certificate was requested. Hidden from screen readers: it changes every second. */
export function IssuingClock({ domain: { status, verifiedAt } }: { domain: Domain }) {
  const now = useNow()
  if (status !== 'issuing' || verifiedAt === null) return null
  const seconds = Math.floor(Math.max(0, now - Date.parse(verifiedAt)) / 1000)
  return (
    <p className="small" aria-live="off">
      <strong className="clock">{words.soFar(Math.floor(seconds / 60), seconds % 60)}</strong> {words.issuing}
    </p>
  )
}

/** Half an hour without a certificate: the recommended checks, done for the owner; Re-verify is below. */
export function LateCertificate({ domain }: { domain: Domain }) {
  const now = useNow()
  const { axes, rootCause, also, verifiedAt } = domain
  const mark = certificateMarks[axes.certificate]
  const isLate = isOnItsWay(domain) && now - Date.parse(verifiedAt ?? '') >= LATE_MS
  if (!isLate || mark === 'done' || mark === 'warn') return null
  const verifies = routingMarks[axes.routing] === 'done' && ownershipMarks[axes.ownership] === 'done'
  const caa = [...(rootCause ? [rootCause] : []), ...also].find(({ code }) => /^(caa\.|ca\.caa$)/.test(code))
  return (
    <div className="note warn stack tight late">
      <h2>{words.late}</h2>
      <p>{words.lateLead}</p>
      <ul>
        <li>
          {words.stillVerifies} <strong>{verifies ? words.stillYes : words.stillNo}</strong>
        </li>
        <li>
          {words.caa} <strong>{caa === undefined ? words.caaNo : words.caaYes}</strong>{' '}
          {caa && caa !== rootCause && <Advice text={caa.advice} />}
        </li>
      </ul>
      <p>{words.lateThen}</p>
    </div>
  )
}

/** Questions that come up with a domain, also before it is verified: owners try the address at once. */
export function Help({ domain, servedHeaders }: { domain: Domain; servedHeaders?: ReactNode }) {
  const { isServed } = statusViews[domain.status]
  const isCertified = certificateMarks[domain.axes.certificate] === 'done'
  return (
    <Fold of={LifeBuoy} title={words.title} note={words.about}>
      {words.warnings.map(({ title, soon, live }) => (
        <details key={title} className="fold">
          <summary>{title}</summary>
          <p>{isCertified && isServed ? live : soon}</p>
        </details>
      ))}
      {isServed && (
        <details className="fold">
          <summary>{words.redirectTitle}</summary>
          <p>{words.redirect}</p>
          {servedHeaders}
        </details>
      )}
    </Fold>
  )
}
