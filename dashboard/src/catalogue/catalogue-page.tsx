// The catalogue of all domain states, one below the other, rendered by the components
// that people see. No page links here: it is built for tests alone, which check each
// entry separately.

import { DomainView } from '../domains/domain-view.tsx'
import { TroubleBox } from '../domains/trouble.tsx'
import type { CatalogueEntry } from './entries.ts'

export const CataloguePage = ({ title, entries }: { title: string; entries: readonly CatalogueEntry[] }) => (
  <main className="stack">
    <h1>{title}</h1>
    {entries.map((entry) => (
      <article key={entry.name} className="stack" data-entry={entry.name}>
        {'domain' in entry ? <DomainView domain={entry.domain} /> : <TroubleBox trouble={entry.trouble} />}
      </article>
    ))}
  </main>
)
