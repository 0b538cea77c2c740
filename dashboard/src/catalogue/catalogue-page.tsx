// Everything that can be said of a domain, one below the other, drawn by the very parts
// that people see. Nobody is ever sent here: it is built for tests alone, which look at
// each entry for itself.

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
