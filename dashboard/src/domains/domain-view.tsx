// The view of one domain, rendered from the domain alone: nothing here sends requests.
// Components that do (Verify, the history, served headers) are inserted by the page.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Certificate } from './certificate.tsx'
import { Evidence } from './evidence.tsx'
import { RecordsFold } from './folds.tsx'
import { Help, IssuingClock, LateCertificate } from './help.tsx'
import { Hero } from './hero.tsx'
import { NextSteps } from './next-steps.tsx'
import { Progress } from './progress.tsx'
import { Records, recordsTitle } from './records.tsx'
import { isUndetermined, statusViews } from './status-view.tsx'
import { AlsoNoticed, TroubleBox } from './trouble.tsx'
import './domains.css'

type DomainViewProps = {
  domain: Domain
  /** The button Verify or Re-verify, with what it found. */
  verify?: ReactNode
  /** The way to the plan, where the domain is paused. */
  wayOut?: ReactNode
  /** Where the site is until the domain is live. */
  meanwhile?: ReactNode
  servedHeaders?: ReactNode
  history?: ReactNode
}

export function DomainView({ domain, verify, wayOut, meanwhile, servedHeaders, history }: DomainViewProps) {
  const { status, axes, redirect, rootCause, also, evidence, evidenceAt, records, certificate } = domain
  const isLive = status === 'live' && rootCause === null
  const isRight = records.length > 0 && records.every(({ state }) => state === 'right')
  // What is not seen everywhere yet stays in view, with the time that it takes.
  const isFolded = isRight && domain.propagation === null
  const next = <NextSteps domain={domain} verify={verify} />
  return (
    <>
      {isLive && <Hero domain={domain} />}
      <section className="card" aria-label={texts.domains.progress.title}>
        <Progress status={status} axes={axes} redirect={redirect} />
      </section>
      <LateCertificate domain={domain} />
      {rootCause === null && isFolded ? (
        <div className="domain-columns">
          {certificate && <Certificate certificate={certificate} />}
          {next}
        </div>
      ) : (
        <div className="beside">
          <div className="card stack loose">
            {rootCause && (
              <div aria-live="polite">
                <TroubleBox
                  trouble={rootCause}
                  isCalm={status === 'pending_dns'}
                  isUnknown={isUndetermined(domain)}
                  {...titleOf(domain)}
                >
                  {status === 'paused' && wayOut}
                  <IssuingClock domain={domain} />
                </TroubleBox>
              </div>
            )}
            {isFolded ? (
              <p className="quiet plain">{texts.domains.records.allRight}</p>
            ) : (
              <RecordsPart domain={domain} />
            )}
          </div>
          <div className="stack">
            {next}
            {!statusViews[status].isServed && meanwhile}
            {certificate && <Certificate certificate={certificate} />}
          </div>
        </div>
      )}
      <div className="card folds">
        {history}
        {also.length > 0 && <AlsoNoticed troubles={also} />}
        {isFolded && <RecordsFold domain={domain} isSaid={rootCause === null} />}
        <Help domain={domain} servedHeaders={servedHeaders} />
        <Evidence evidence={evidence} evidenceAt={evidenceAt} />
      </div>
    </>
  )
}

/** The procedure's own text, where it is more specific than the severity. */
function titleOf({ status, verifiedAt, rootCause }: Domain): { title?: string } {
  const { failed, needsYou, running } = texts.domains.trouble
  if (rootCause?.code.startsWith('step.')) return { title: running }
  if (status === 'action_required') return { title: verifiedAt === null ? failed : needsYou }
  return status === 'pending_dns' ? { title: needsYou } : {}
}

const RecordsPart = ({ domain: { hostname, records, provider, propagation } }: { domain: Domain }) => (
  <section className="stack" aria-label={texts.domains.records.title}>
    <h2>{recordsTitle(records, provider)}</h2>
    <Records hostname={hostname} records={records} provider={provider} propagation={propagation} />
  </section>
)
