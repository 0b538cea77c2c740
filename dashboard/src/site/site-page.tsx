// The site of a project: its content on the left, the preview on the right, and above
// both the published version. All input is saved to the draft automatically.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { CategoryFields } from './category-fields.tsx'
import { Clash, Taken } from './edit-conflict.tsx'
import { ContactFields } from './contact-fields.tsx'
import type { Site } from './fields.ts'
import { AppearanceFields } from './appearance-fields.tsx'
import { Preview } from './preview.tsx'
import { Publishing } from './publishing.tsx'
import { SaveNote } from './save-note.tsx'
import { useKeeper } from './use-draft-autosave.ts'
import { WordFields } from './text-fields.tsx'
import './site.css'

export function SitePage() {
  const { slug } = useProject()
  const site = useQuery(query('getSite', { project: slug }))
  return (
    <Page
      title={texts.site.title}
      lead={texts.site.lead}
      actions={
        <Link to="/projects/$project/site/history" className="site-link" params={{ project: slug }}>
          {texts.site.toHistory}
        </Link>
      }
    >
      <Loaded from={site}>{(data) => <Editor key={slug} site={data} updatedAt={site.dataUpdatedAt} />}</Loaded>
    </Page>
  )
}

function Editor({ site, updatedAt }: { site: Site; updatedAt: number }) {
  const { slug, mayEdit } = useProject()
  const { keeper, kept, leaving } = useKeeper(slug, site, updatedAt)
  const { base, mine } = kept.draft
  const clash = useRef<HTMLDivElement>(null)
  const preview = useRef<HTMLElement>(null)
  const form = { fields: mine, faults: kept.faults, edit: keeper.edit, isFixed: !mayEdit }
  return (
    <>
      {!mayEdit && <p className="note site-line">{texts.site.viewer}</p>}
      <Publishing draft={kept.draft} onSave={keeper.save} />
      {mayEdit && (
        <SaveNote kept={kept} onDecide={() => clash.current?.focus()} onLook={() => preview.current?.focus()} />
      )}
      <div ref={clash} tabIndex={-1} className="stack site-others">
        <Clash draft={kept.draft} onKeep={keeper.keepMine} onTake={keeper.takeTheirs} />
        <Taken fields={kept.draft.taken} onRead={keeper.read} />
      </div>
      <div className="site-editor">
        <div className="stack">
          <WordFields {...form} />
          <AppearanceFields {...form} logo={base.logo} onSite={keeper.receive} />
          <CategoryFields {...form} />
          <ContactFields {...form} />
        </div>
        <Preview version={base.version} place={preview} />
      </div>
      <Confirm
        title={texts.site.leave}
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        does={texts.site.leaveDo}
        onConfirm={() => leaving.proceed?.()}
      >
        <p>{texts.site.leaveText}</p>
      </Confirm>
    </>
  )
}
