// The format of a CSV file: its columns, an example, and the numbers of the categories.

import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { downloadFile } from '../ui/download.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import type { Categories } from './categories.ts'

const words = texts.animals.imports

export const ImportHelp = ({ categories }: { categories: Categories }) => (
  <Section title={words.helpTitle}>
    <p className="plain">{words.columns}</p>
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
    <div>
      <Button
        variant="default"
        leftSection={<Icon of={Download} size={18} />}
        onClick={() => downloadExample(categories)}
      >
        {words.example}
      </Button>
    </div>
    <h3>{words.numbers}</h3>
    {categories.list.length === 0 ? (
      <p className="quiet plain">{words.noNumbers}</p>
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
