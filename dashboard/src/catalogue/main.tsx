// The entry point of the catalogue. Its entries are in the page itself, as inert data, so
// it needs no server.

import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { theme } from '../theme.ts'
import '../ui/styles.css'
import { CataloguePage } from './catalogue-page.tsx'
import type { Shown } from './entries.ts'
import { PartsPage } from './parts-page.tsx'

const root = document.getElementById('root')
const data = document.getElementById('entries')
if (!root || !data) throw new Error('catalogue.html has no #root, or no #entries')
const shown = JSON.parse(data.textContent) as Shown
document.title = shown.title
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {'parts' in shown ? (
        <PartsPage title={shown.title} />
      ) : (
        <CataloguePage title={shown.title} entries={shown.entries} />
      )}
    </MantineProvider>
  </StrictMode>,
)
