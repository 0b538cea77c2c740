// The page behind a shared link, for a person who manages the DNS of a domain, has no
// account and does not know Petstore: the instructions, the current records, and what
// happens next. It updates automatically.

import type { DnsInstructions } from '@petstore/contract/platform/domain-sharing'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isRefused, query } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import { NextCheck } from './next-check.tsx'
import { Records } from './records.tsx'
import { StatusBadge } from './status-view.tsx'
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
    <Page title={words.title(displayName)} lead={words.lead(projectName, displayName)}>
      <Section title={words.what} actions={<StatusBadge status={status} />}>
        <div className="stack" aria-live="polite">
          {isRight && !rootCause ? (
            <div className="note good stack">
              <strong>{words.done}</strong>
              <span>{words.doneText}</span>
            </div>
          ) : (
            <>
              {rootCause && <TroubleBox trouble={rootCause} />}
              {!isRight && <span>{isTheirs ? words.steps : words.stepsElse}</span>}
            </>
          )}
          {provider && <span className="quiet">{words.provider(provider.name)}</span>}
        </div>
      </Section>
      <Section title={words.records}>
        <Records hostname={hostname} records={records} provider={provider} propagation={propagation} />
      </Section>
      <Section title={words.next}>
        <span>{words.nextText}</span>
        <NextCheck evidenceAt={instructions.evidenceAt} nextCheckAt={instructions.nextCheckAt} until={null} />
        <span className="quiet small">{words.until(timeWords(instructions.expiresAt))}</span>
      </Section>
    </Page>
  )
}
