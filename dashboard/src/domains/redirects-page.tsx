// The redirects page of a project: the primary domain, and the redirects between its
// domains; as a diagram, and as an editor below it.

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { RedirectConflict } from './redirect-conflict.tsx'
import { RedirectEditor } from './redirect-editor.tsx'
import { RedirectPicture } from './redirect-diagram.tsx'
import { statusViews } from './status-view.tsx'
import { useEditing, useStored, type StoredRedirects } from './use-redirects.ts'
import './redirects.css'

const words = texts.redirects

export function RedirectsPage() {
  const { slug } = useProject()
  const stored = useStored(slug)
  return (
    <Page
      title={words.title}
      lead={words.lead}
      back={
        <ToDomains className="crumb">
          <Icon of={ArrowLeft} size={16} />
          {words.all}
        </ToDomains>
      }
    >
      <Loaded from={stored}>
        {(data) =>
          data.domains.length === 0 ? (
            <Empty of="domains" title={words.empty}>
              <p className="quiet">{words.emptyText}</p>
              <ToDomains>{words.toDomains}</ToDomains>
            </Empty>
          ) : (
            <Redirects stored={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

function ToDomains({ className, children }: { className?: string; children: ReactNode }) {
  const { slug } = useProject()
  return (
    <Link to="/projects/$project/settings/domains" params={{ project: slug }} className={className}>
      {children}
    </Link>
  )
}

function Redirects({ stored }: { stored: StoredRedirects }) {
  const { slug, defaultSiteUrl } = useProject()
  const editing = useEditing(slug, stored)
  const { domains } = stored
  const find = (hostname: string) => domains.find((domain) => domain.hostname === hostname)
  const nameOf = (hostname: string) => find(hostname)?.displayName ?? hostname
  const isServed = (hostname: string) => statusViews[find(hostname)?.status ?? 'pending_dns'].isServed
  return (
    <>
      {editing.conflict && (
        <RedirectConflict
          merge={editing.conflict}
          nameOf={nameOf}
          isSaving={editing.isSaving}
          onKeep={editing.keepMine}
          onTake={editing.discard}
        />
      )}
      <Section title={words.picture.title}>
        <RedirectPicture
          plan={editing.plan}
          defaultHost={new URL(defaultSiteUrl).hostname}
          nameOf={nameOf}
          isServed={isServed}
          isChanged={editing.isChanged}
        />
      </Section>
      <Section title={words.editor.title}>
        {domains.length === 1 && <p className="note">{words.oneOnly}</p>}
        <RedirectEditor domains={domains} editing={editing} />
      </Section>
    </>
  )
}
