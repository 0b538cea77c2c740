// The site of a project: its content on the left, the preview on the right, and above
// both the published version. All input is saved to the draft automatically.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { ShareSite } from '../ui/share-site.tsx'
import { Loaded } from '../ui/states.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { CategoryFields } from './category-fields.tsx'
import { ContactFields } from './contact-fields.tsx'
import { DraftConflict, MergedFields } from './edit-conflict.tsx'
import type { Site } from './fields.ts'
import { fieldId } from './form.ts'
import { firstWidth, Preview, WidthChoice } from './preview.tsx'
import { Publish, PublishedSite } from './publishing.tsx'
import { QuestionFields } from './question-fields.tsx'
import { SaveNote } from './save-note.tsx'
import { WordFields } from './text-fields.tsx'
import { useDraftAutosave } from './use-draft-autosave.ts'
import './site.css'

type Save = () => Promise<boolean>

export function SitePage() {
  const { slug, siteUrl, mayEdit } = useProject()
  const site = useQuery(query('getSite', { project: slug }))
  // The button is in the head of the page, which is there before the draft is.
  const save = useRef<Save>(undefined)
  return (
    <Page
      title={texts.site.title}
      lead={texts.site.lead}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon of={History} size={18} />}
            renderRoot={(props) => <Link to="/projects/$project/site/history" params={{ project: slug }} {...props} />}
          >
            {texts.site.toHistory}
          </Button>
          <ShareSite address={siteUrl} />
          {mayEdit && <Publish onSave={site.data && (async () => (await save.current?.()) ?? false)} />}
        </>
      }
    >
      <Loaded from={site}>
        {(data) => <Editor key={slug} site={data} updatedAt={site.dataUpdatedAt} save={save} />}
      </Loaded>
    </Page>
  )
}

/** From its top: it may be higher than the screen, which focus alone would show the nearest part of. */
function lookAt(place: HTMLElement | null): void {
  place?.focus({ preventScroll: true })
  place?.scrollIntoView({ block: 'start' })
}

/** Goes to the field that the address names, as a step of the first page does. */
function useNamedField(): void {
  const field = useLocation({ select: ({ hash }) => hash })
  useEffect(() => {
    const place = field === '' ? null : document.getElementById(fieldId(field))
    place?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  }, [field])
}

type EditorProps = { site: Site; updatedAt: number; save: { current: Save | undefined } }

function Editor({ site, updatedAt, save }: EditorProps) {
  const { slug, mayEdit } = useProject()
  const { autosave, kept, leaving } = useDraftAutosave(slug, site, updatedAt)
  const { base, mine } = kept.draft
  const [width, setWidth] = useState(firstWidth)
  const conflict = useRef<HTMLDivElement>(null)
  const preview = useRef<HTMLElement>(null)
  useEffect(() => void (save.current = autosave.save), [save, autosave])
  useNamedField()
  const form = { fields: mine, faults: kept.faults, edit: autosave.edit, isFixed: !mayEdit }
  return (
    <>
      {!mayEdit && <p className="note plain">{texts.site.viewer}</p>}
      <PublishedSite draft={kept.draft} />
      <div ref={conflict} tabIndex={-1} className="stack edit-conflict-place">
        <DraftConflict draft={kept.draft} onKeep={autosave.keepMine} onTake={autosave.takeTheirs} />
        <MergedFields fields={kept.draft.taken} onRead={autosave.read} />
      </div>
      <div className="site-editor">
        <div className="card flush site-form">
          <AppearanceFields {...form} logo={base.logo} onSite={autosave.receive} />
          <WordFields {...form} />
          <ContactFields {...form} />
          <QuestionFields {...form} />
          <CategoryFields {...form} />
        </div>
        <div className="site-side">
          <div className="site-side-head">
            {mayEdit && (
              <SaveNote kept={kept} onDecide={() => conflict.current?.focus()} onLook={() => lookAt(preview.current)} />
            )}
            <WidthChoice chosen={width} onChoose={setWidth} />
          </div>
          <Preview version={base.version} chosen={width} place={preview} />
        </div>
      </div>
      <Confirm
        title={texts.site.leave}
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        action={texts.site.leaveDo}
        onConfirm={() => leaving.proceed?.()}
      >
        <p>{texts.site.leaveText}</p>
      </Confirm>
    </>
  )
}
