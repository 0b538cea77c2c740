// The page behind a shared link, for a person who manages the DNS of a domain, has no
// account and does not know Petstore: the instructions, the current records, and what
// happens next. It updates automatically.

import type { DnsInstructions } from '@petstore-platform/contract/platform/domain-sharing'
import { Clock, Globe } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isRefused, query } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import { NextCheck } from './next-check.tsx'
import { Records, recordsTitle } from './records.tsx'
import { isUndetermined, StatusBadge } from './status-view.tsx'
import { TroubleBox } from './trouble.tsx'
import './redirects.css'

const { shared: words } = texts.redirects
const ASK_MS = 10_000

export function SharedPage() {
  const { secret } = useParams({ from: '/dns/$secret' })
  const instructions = useQuery({
    ...query('getDnsInstructions', { secret }),
    refetchInterval: ({ state }) => (isRefused(state.error, 'not_found') ? false : ASK_MS),
  })
  return (
    <OpenPage>
      {isRefused(instructions.error, 'not_found') ? (
        <Page title={words.ended}>
          <p className="note">{words.endedText}</p>
        </Page>
      ) : (
        <div className="shared">
          <Loaded from={instructions}>{(data) => <Instructions instructions={data} />}</Loaded>
        </div>
      )}
    </OpenPage>
  )
}

function Instructions({ instructions }: { instructions: DnsInstructions }) {
  const { hostname, displayName, projectName, status, rootCause, records, provider, propagation } = instructions
  const isRight = records.length > 0 && records.every(({ state, required }) => state === 'right' || !required)
  // Where others must act first, the records may be right, or not yet seen.
  const isTheirs = rootCause === null || rootCause.actor === 'owner'
  return (
    <Page
      title={words.title(displayName)}
      status={<StatusBadge status={status} />}
      lead={words.lead(projectName, displayName)}
    >
      <div className="beside">
        <div className="card stack loose">
          <section className="stack" aria-label={words.what} aria-live="polite">
            {isRight && !rootCause ? (
              <div className="note good stack tight">
                <strong>{words.done}</strong>
                <span>{words.doneText}</span>
              </div>
            ) : (
              <>
                {rootCause && <TroubleBox trouble={rootCause} isUnknown={isUndetermined(instructions)} />}
                {!isRight && <p className="plain">{isTheirs ? words.steps : words.stepsElse}</p>}
              </>
            )}
          </section>
          <section className="stack" aria-label={words.records}>
            <h2>{recordsTitle(records, provider)}</h2>
            <Records hostname={hostname} records={records} provider={provider} propagation={propagation} />
          </section>
        </div>
        <Section title={words.next}>
          <p className="plain">{words.nextText}</p>
          <ul className="facts">
            <li>
              <span className="pulse" aria-hidden />
              <NextCheck evidenceAt={instructions.evidenceAt} nextCheckAt={instructions.nextCheckAt} until={null} />
            </li>
            {provider && (
              <li>
                <Icon of={Globe} size={18} />
                <span>{words.provider(provider.name)}</span>
              </li>
            )}
            <li>
              <Icon of={Clock} size={18} />
              <span>{words.until(timeWords(instructions.expiresAt))}</span>
            </li>
          </ul>
        </Section>
      </div>
    </Page>
  )
}
