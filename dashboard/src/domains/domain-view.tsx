// The view of one domain, rendered from the domain alone: nothing here sends requests.
// Components that do (Verify, the history, served headers) are inserted by the page.

import type { Domain } from '@petstore/contract/platform/domain-shapes'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Certificate } from './certificate.tsx'
import { Evidence } from './evidence.tsx'
import { Help, IssuingClock, LateCertificate } from './help.tsx'
import { NextCheck } from './next-check.tsx'
import { Progress } from './progress.tsx'
import { Records } from './records.tsx'
import { sentenceOf, StatusBadges } from './status-view.tsx'
import { AlsoNoticed, TroubleBox } from './trouble.tsx'
import './domains.css'

type DomainViewProps = {
  domain: Domain
  /** The button Verify or Re-verify, with what it found. */
  verify?: ReactNode
  /** The way to the plan, where the domain is paused. */
  wayOut?: ReactNode
  servedHeaders?: ReactNode
  history?: ReactNode
}

export function DomainView({ domain, verify, wayOut, servedHeaders, history }: DomainViewProps) {
  const { status, axes, redirect, rootCause, also, evidence, evidenceAt, nextCheckAt, until } = domain
  return (
    <>
      <Section
        title={texts.domains.progress.title}
        actions={
          <span aria-live="polite">
            <StatusBadges domain={domain} />
          </span>
        }
      >
        <p className="quiet">{sentenceOf(domain)}</p>
        <Progress status={status} axes={axes} redirect={redirect} />
        {rootCause && (
          <div aria-live="polite">
            <TroubleBox trouble={rootCause} isCalm={status === 'pending_dns'} {...titleOf(domain)}>
              {status === 'paused' && wayOut}
              <IssuingClock domain={domain} />
            </TroubleBox>
          </div>
        )}
        <LateCertificate domain={domain} />
        <NextCheck
          evidenceAt={evidenceAt}
          nextCheckAt={nextCheckAt}
          // The cause states it already, if known.
          until={rootCause?.until ? null : until}
        />
        {verify}
        <AlsoNoticed troubles={also} />
      </Section>
      <RecordsSection domain={domain} />
      <Help domain={domain} servedHeaders={servedHeaders} />
      <Certificate certificate={domain.certificate} />
      <Evidence evidence={evidence} evidenceAt={evidenceAt} />
      {history}
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

function RecordsSection({ domain }: { domain: Domain }) {
  const { hostname, records, provider, propagation } = domain
  const { records: words } = texts.domains
  const shown = <Records hostname={hostname} records={records} provider={provider} propagation={propagation} />
  const isRight = records.length > 0 && records.every(({ state }) => state === 'right')
  // What is not seen everywhere yet stays in view, with the time that it takes.
  const isFolded = isRight && propagation === null
  return (
    <Section title={words.title}>
      <p className="quiet">{isRight ? words.allRight : words.lead(provider?.name ?? null)}</p>
      {isFolded ? (
        <details className="fold">
          <summary>{words.show}</summary>
          {shown}
        </details>
      ) : (
        shown
      )}
    </Section>
  )
}
