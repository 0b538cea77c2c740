// Around every step of an import: the heading, the steps, and the way back. An address whose step is not open now, as
// after a reload in another window, leads to the one that is.

import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { takeLostFocus } from '../ui/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { ImportSteps } from './import-steps.tsx'
import { addressOf, type ImportStep } from './steps.ts'
import { importViews, stepOf, type FoundImport } from './views.ts'
import './imports.css'

const words = texts.imports
const ASK_AGAIN_MS = 500
/** Photos come one by one, from other servers. */
const PHOTOS_MS = 2000

type FrameProps = { at: ImportStep; importId?: string; open?: readonly ImportStep[]; children: ReactNode }

export function ImportFrame({ at, importId, open, children }: FrameProps) {
  const { slug, mayEdit } = useProject()
  // The button that led here is gone with its page.
  useEffect(() => takeLostFocus(document.getElementById('content')), [at])
  return (
    <Page
      title={words.title}
      windowTitle={`${words.steps[at]} · ${words.title}`}
      lead={words.lead}
      back={
        <Link to="/projects/$project/animals" params={{ project: slug }} className="crumb">
          <Icon of={ArrowLeft} size={16} />
          {words.back}
        </Link>
      }
    >
      <div className="card">
        <ImportSteps at={at} {...(importId !== undefined && { importId })} {...(open && { open })} />
      </div>
      {mayEdit ? children : <div className="note">{texts.common.needsAdmin}</div>}
    </Page>
  )
}

type StepProps = { at: Exclude<ImportStep, 'choose'>; children: (found: FoundImport) => ReactNode }

/** A step of an import that exists. */
export function ImportStepPage({ at, children }: StepProps) {
  const { slug } = useProject()
  const { import: importId } = useParams({ strict: false }) as { import: string }
  const found = useQuery({
    ...query('getImport', { project: slug, importId }),
    refetchInterval: ({ state: { data } }) => (data ? pauseOf(data) : false),
  })
  const open = found.data && importViews[found.data.state].open
  if (found.data && open && !open.includes(at))
    return <Navigate to={addressOf[stepOf(found.data.state)]} params={{ project: slug, import: importId }} replace />
  return (
    <ImportFrame at={at} importId={importId} {...(open && { open })}>
      <Loaded from={found}>{children}</Loaded>
    </ImportFrame>
  )
}

function pauseOf({ state, photos }: FoundImport): number | false {
  if (importViews[state].isGoing) return ASK_AGAIN_MS
  return (photos?.pending ?? 0) > 0 && PHOTOS_MS
}
