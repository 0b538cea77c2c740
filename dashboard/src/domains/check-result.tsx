// The result of checking a name before it is added: the kind of name, its DNS provider,
// and the records it will need.

import type { DomainCheck, DomainKind } from '@petstore-platform/contract/platform/domain-shapes'
import * as texts from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { Badge } from '../ui/badge.tsx'
import { Records } from './records.tsx'

const { adding: words } = texts.domains
const kinds: Readonly<Record<DomainKind, { label: string; text: string }>> = words.kinds

export function CheckResult({ check }: { check: DomainCheck }) {
  const { hostname, displayName, kind, provider, isReady, needs, rootCause, also, records, propagation } = check
  const noticed = [...(rootCause ? [rootCause] : []), ...also]
  return (
    <div className="stack check">
      <div className="row">
        <h3>{displayName}</h3>
        <Badge tone="plain">{kinds[kind].label}</Badge>
      </div>
      <p className="quiet">
        {kinds[kind].text} {provider ? words.provider(provider.name) : words.noProvider}{' '}
        {provider?.dnsPage && (
          <a href={provider.dnsPage} target="_blank" rel="noreferrer" className="out">
            {texts.domains.dnsPage(provider.name)}
          </a>
        )}
      </p>
      {isReady ? (
        <p className="note good">{words.ready}</p>
      ) : (
        <div>
          <h3>{words.needs}</h3>
          <ol className="needs">
            {needs.map((need) => (
              <li key={need}>{need}</li>
            ))}
          </ol>
        </div>
      )}
      {noticed.length > 0 && (
        <div>
          <h3>{words.noticed}</h3>
          <ul className="needs">
            {noticed.map(({ code, advice }) => (
              <li key={`${code} ${advice}`}>
                <Advice text={advice} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <details className="fold">
        <summary>{words.records}</summary>
        <Records hostname={hostname} records={records} provider={provider} propagation={propagation} />
      </details>
    </div>
  )
}
