// The catalogue of all domain states, one below the other, rendered by the components
// that people see. No page links here: it is built for tests alone, which check each
// entry separately.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { DomainView } from '../domains/domain-view.tsx'
import { StatusBadges } from '../domains/status-view.tsx'
import { TroubleBox } from '../domains/trouble.tsx'
import type { CatalogueEntry } from './entries.ts'

export const CataloguePage = ({ title, entries }: { title: string; entries: readonly CatalogueEntry[] }) => (
  <main className="stack">
    <h1>{title}</h1>
    {entries.map((entry) => (
      <article key={entry.name} className="stack" data-entry={entry.name}>
        {'domain' in entry ? <Shown domain={entry.domain} /> : <TroubleBox trouble={entry.trouble} />}
      </article>
    ))}
  </main>
)

/** With the status, which stands beside the title of the page. */
const Shown = ({ domain }: { domain: Domain }) => (
  <>
    <StatusBadges domain={domain} />
    <DomainView domain={domain} />
  </>
)
