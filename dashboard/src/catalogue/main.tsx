// The entry point of the catalogue. Its entries are in the page itself, as inert data, so
// it needs no server.

import { MantineProvider } from '@mantine/core'
import '@mantine/core/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { theme } from '../theme.ts'
import '../ui/page.css'
import { CataloguePage } from './catalogue-page.tsx'
import type { CatalogueEntry } from './entries.ts'

const root = document.getElementById('root')
const data = document.getElementById('entries')
if (!root || !data) throw new Error('catalogue.html has no #root, or no #entries')
const { title, entries } = JSON.parse(data.textContent) as { title: string; entries: readonly CatalogueEntry[] }
document.title = title
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <CataloguePage title={title} entries={entries} />
    </MantineProvider>
  </StrictMode>,
)
