// The stored fields of a key: everything but the key. Deprecated calls are explained,
// since the owner of a shop has to pass the information on to a developer.

import { Button } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Time } from '../ui/time.tsx'
import { displayOf, scopeViews, keyStatusViews, type Key, type KeyStatus } from './views.ts'

const words = texts.keys
const { facts } = words

type CardProps = {
  of: Key
  standing: KeyStatus
  /** Whether the person who created it has left the project. */
  isOfFormerMember: boolean
  onReplace?: (key: Key) => void
  onRevoke?: (key: Key) => void
}

export function KeyCard({ of: key, standing, isOfFormerMember, onReplace, onRevoke }: CardProps) {
  const { mayEdit } = useProject()
  const { label, tone } = keyStatusViews[standing]
  const display = displayOf(key)
  return (
    <li className="card stack key">
      <div className="key-head">
        <Glyph of={KeyRound} tone={standing === 'accepted' ? 'good' : 'plain'} />
        <div className="grow">
          <div className="row tight">
            <h2>{key.label}</h2>
            <Badge tone={tone}>{label}</Badge>
            {isOfFormerMember && <Badge tone="warn">{words.formerMember}</Badge>}
            {key.deprecatedCalls > 0 && <Badge tone="warn">{words.deprecated(key.deprecatedCalls)}</Badge>}
          </div>
          <span className="mono quiet small">{display}</span>
        </div>
        {mayEdit && (onReplace || onRevoke) && (
          <div className="row tight key-acts">
            {onReplace && (
              <Button
                size="xs"
                variant="default"
                onClick={() => onReplace(key)}
                aria-label={words.replaceOf(key.label, display)}
              >
                {words.replace}
              </Button>
            )}
            {onRevoke && (
              <Button
                size="xs"
                variant="default"
                data-tone="danger"
                onClick={() => onRevoke(key)}
                aria-label={words.revokeOf(key.label, display)}
              >
                {words.revoke}
              </Button>
            )}
          </div>
        )}
      </div>
      <dl className="key-facts">
        <Fact name={facts.may}>{key.scopes.map((scope) => scopeViews[scope].label).join(', ')}</Fact>
        <Fact name={facts.made}>
          <Time at={key.createdAt} />
        </Fact>
        <Fact name={facts.used}>
          <Time at={key.lastUsedAt} />
        </Fact>
        <Fact name={standing === 'accepted' ? facts.until : facts.ended}>
          <End of={key} />
        </Fact>
      </dl>
      {key.deprecatedCalls > 0 && standing === 'accepted' && (
        <p className="note warn small key-text key-note">
          {words.deprecatedText}{' '}
          <a href="/docs/deprecations" target="_blank" rel="noopener">
            {words.deprecatedMore} <span className="visually-hidden">{words.newTab}</span>
          </a>
        </p>
      )}
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function End({ of: { revokedAt, expiresAt } }: { of: Key }) {
  const end = revokedAt ?? expiresAt
  return end === null ? words.endless : <Time at={end} />
}
