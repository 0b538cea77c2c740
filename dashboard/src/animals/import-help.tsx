// The format of a CSV file: its columns, an example, and the numbers of the categories.

import { Button } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { downloadFile } from '../ui/download.ts'
import { Section } from '../ui/page.tsx'
import type { Categories } from './categories.ts'

const words = texts.animals.imports

export const ImportHelp = ({ categories }: { categories: Categories }) => (
  <Section
    title={words.helpTitle}
    actions={
      <Button variant="default" onClick={() => downloadExample(categories)}>
        {words.example}
      </Button>
    }
  >
    <p className="import-text">{words.columns}</p>
    <dl className="import-columns">
      <dt>
        <code>name</code>
      </dt>
      <dd>{words.columnName}</dd>
      <dt>
        <code>categoryId</code>
      </dt>
      <dd>{words.columnCategory}</dd>
      <dt>
        <code>status</code>
      </dt>
      <dd>{words.columnStatus}</dd>
    </dl>
    <h3>{words.numbers}</h3>
    {categories.list.length === 0 ? (
      <p className="quiet import-text">{words.noNumbers}</p>
    ) : (
      <div className="import-numbers" role="region" aria-label={words.numbers} tabIndex={0}>
        <ul>
          {categories.list.map(({ id, name }) => (
            <li key={String(id)}>
              <code>{String(id)}</code> <span>{name}</span>
            </li>
          ))}
        </ul>
      </div>
    )}
  </Section>
)

/** Generated here, with categories that the project has. */
function downloadExample({ list }: Categories): void {
  const [first = 1n, second = first] = list.map(({ id }) => id)
  const lines = ['name,categoryId,status', `Rex,${first},available`, `"Mia, the quiet one",${second},sold`, '']
  downloadFile(words.exampleFile, new Blob([lines.join('\r\n')], { type: 'text/csv' }))
}
