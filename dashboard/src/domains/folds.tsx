// What is there for those who want to know more, folded away below each other.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { ChevronDown, List, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Records } from './records.tsx'

type FoldProps = { of: LucideIcon; title: string; note?: string; isOpen?: boolean; children: ReactNode }

/** A region with a heading, which opens and closes. */
export const Fold = ({ of, title, note, isOpen = false, children }: FoldProps) => (
  <section aria-label={title}>
    <details className="more" open={isOpen}>
      <summary>
        <Icon of={of} />
        <span className="fold-title">
          <h2>{title}</h2>
          {note !== undefined && <span className="quiet small">{note}</span>}
        </span>
        <Icon of={ChevronDown} className="fold-sign" />
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  </section>
)

const { records: words } = texts.domains

/** Of records that are all correct. `isSaid`: nothing else on the page says so. */
export const RecordsFold = ({ domain, isSaid }: { domain: Domain; isSaid: boolean }) => (
  <Fold of={List} title={words.title} {...(isSaid && { note: words.allRight })}>
    <Records
      hostname={domain.hostname}
      records={domain.records}
      provider={domain.provider}
      propagation={domain.propagation}
    />
  </Fold>
)
