// What happens without the owner, and the button for those who do not want to wait.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { NextCheck } from './next-check.tsx'
import { isUndetermined, sentenceOf, statusViews } from './status-view.tsx'

const { next: words, certificate: ofCertificate } = texts.domains

export const NextSteps = ({ domain, verify }: { domain: Domain; verify?: ReactNode }) => (
  <Section title={statusViews[domain.status].isServed ? words.served : words.title}>
    <p className="plain">{isUndetermined(domain) ? words.unknown : sentenceOf(domain)}</p>
    <ul className="facts">
      <li>
        <span className="pulse" aria-hidden />
        <NextCheck
          evidenceAt={domain.evidenceAt}
          nextCheckAt={domain.nextCheckAt}
          // The cause states it already, if known.
          until={domain.rootCause?.until ? null : domain.until}
        />
      </li>
      {domain.certificate === null && (
        <li>
          <Icon of={ShieldCheck} size={18} />
          <span>{ofCertificate.none}</span>
        </li>
      )}
    </ul>
    {verify}
  </Section>
)

/** The default address serves the site, whatever becomes of a domain. */
export const KeepsWorking = ({ url }: { url: string }) => (
  <Section title={words.keepsWorking}>
    <p className="quiet small plain">
      {words.keepsWorkingText} <a href={url}>{new URL(url).host}</a>.
    </p>
  </Section>
)
