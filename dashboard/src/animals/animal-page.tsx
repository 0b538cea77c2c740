// The page of one animal: what visitors read about it, what members keep to themselves,
// and beside it how visitors see it. All input is saved automatically and is on the site
// at once.

import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { query, queryClient } from '../api.ts'
import { retryWhenOnline } from '../lazy-load.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded, NotThere } from '../ui/states.tsx'
import { notify } from '../ui/toasts.ts'
import { AnimalMenu } from './animal-menu.tsx'
import { useCategories } from './categories.ts'
import { CompletenessCard } from './completeness-card.tsx'
import { CopyNote } from './copy-note.tsx'
import { coverOf } from './cover-of.ts'
import { DrawingChoice } from './drawing-choice.tsx'
import { PhotosOutline } from './photos-frame.tsx'
import { PortraitDialog } from './portrait-dialog.tsx'
import { ProfileConflict } from './profile-conflict.tsx'
import { FactFields } from './profile-facts.tsx'
import type { AnimalDetails } from './profile-fields.ts'
import { HeadFields } from './profile-head.tsx'
import { CompanyFields, HealthFields, SiteFields, StoryFields, TeamFields, TermFields } from './profile-sections.tsx'
import { SaveBar } from './save-bar.tsx'
import { TraitField } from './trait-field.tsx'
import { useDuplicate } from './use-duplicate.ts'
import { useProfile } from './use-profile.ts'
import { usePublishedUrl } from './use-published-url.ts'
import { useSetStatus } from './use-set-status.tsx'
import { statusLabel, statusViews } from './views.ts'
import { VisitorCard } from './visitor-card.tsx'
import './animals.css'
import './profile.css'

const words = texts.profiles

const loadPhotos = retryWhenOnline(async () => ({ default: (await import('./photo-section.tsx')).PhotoSection }))
const PhotoSection = lazy(loadPhotos)

export function AnimalPage() {
  const { animal } = useParams({ from: '/projects/$project/animals/$animal' })
  // An address that people have edited.
  return /^\d{1,19}$/.test(animal) ? <KnownPage key={animal} id={BigInt(animal)} /> : <NotThere />
}

function KnownPage({ id }: { id: bigint }) {
  const { slug } = useProject()
  const animal = useQuery(query('getAnimal', { project: slug, petId: id }))
  return (
    <Loaded from={animal}>
      {(data) => <Editor animal={data as AnimalDetails} updatedAt={animal.dataUpdatedAt} />}
    </Loaded>
  )
}

function Editor({ animal, updatedAt }: { animal: AnimalDetails; updatedAt: number }) {
  const { slug, kind, mayEdit } = useProject()
  const navigate = useNavigate()
  const categories = useCategories(slug)
  const { autosave, kept, leaving, setCurrency } = useProfile(slug, animal, updatedAt)
  const { setStatus, dialog: takerDialog } = useSetStatus(animal)
  const duplicate = useDuplicate()
  const conflict = useRef<HTMLDivElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const { mine } = kept.draft
  const form = { fields: mine, faults: kept.faults, edit: autosave.edit, isFixed: !mayEdit }
  const publishedUrl = usePublishedUrl()
  // Visitors cannot see it while it is hidden.
  const isShown = publishedUrl !== undefined && !kept.draft.base.isHidden
  const siteUrl = isShown ? new URL(`/animals/${animal.id}`, publishedUrl).href : undefined
  const printUrl = siteUrl && `${siteUrl}/print`
  const category = categories.nameOf(mine.categoryId)
  const cover = coverOf(animal.photos)
  // The dialog stays when the section of photos, which loads later, takes the place of its outline.
  const [isChoosing, setIsChoosing] = useState(false)
  const standIn = <DrawingChoice id={animal.id} category={category} {...form} onOpen={() => setIsChoosing(true)} />
  const name = mine.name.trim() || words.noName
  const onDeleted = () => {
    void renew(queryClient, ['getOverview', 'listAnimals'])
    // What was typed about it since then has no place any more.
    void navigate({ to: '/projects/$project/animals', params: { project: slug }, ignoreBlocker: true })
  }
  /** With all that was typed: the copy is made of what the server has. */
  const onDuplicate = async () => {
    if (await autosave.save()) duplicate(animal.id)
    else notify({ title: texts.common.notDone, message: words.notDuplicated, isBad: true })
  }
  return (
    <Page
      title={name}
      back={
        <Link className="crumb" to="/projects/$project/animals" params={{ project: slug }}>
          <Icon of={ArrowLeft} size={16} />
          {words.back}
        </Link>
      }
      status={<Marks status={animal.status} kind={kind} isHidden={mine.isHidden} isFeatured={mine.isFeatured} />}
      actions={
        mayEdit && (
          <AnimalMenu
            animal={{ id: animal.id, name }}
            printUrl={printUrl}
            onDuplicate={() => void onDuplicate()}
            onDeleted={onDeleted}
          />
        )
      }
    >
      <SaveBar
        kept={kept}
        siteUrl={siteUrl}
        onDecide={() => conflict.current?.focus()}
        onCorrect={() => page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()}
      />
      <CopyNote isHidden={mine.isHidden} />
      <div ref={conflict} tabIndex={-1} className="stack edit-conflict-place">
        <ProfileConflict draft={kept.draft} autosave={autosave} categories={categories} />
      </div>
      <div ref={page} className="beside profile-page">
        <div className="stack loose profile-main">
          <Suspense fallback={<PhotosOutline count={animal.photos.length} standIn={standIn} />}>
            <PhotoSection petId={animal.id} photos={animal.photos} standIn={standIn} />
          </Suspense>
          <PortraitDialog
            isOpen={isChoosing}
            onClose={() => setIsChoosing(false)}
            id={animal.id}
            category={category}
            chosen={mine.portrait}
            onChoose={(portrait) => form.edit({ portrait })}
          />
          <HeadFields status={animal.status} categories={categories} onStatus={setStatus} {...form} />
          <StoryFields {...form} />
          <FactFields {...form} />
          <CompanyFields {...form} />
          <HealthFields {...form} />
          <TraitField {...form} />
          <TermFields onCurrency={setCurrency} {...form} />
          <TeamFields {...form} />
        </div>
        <div className="stack loose profile-side">
          <SiteFields printUrl={printUrl} {...form} />
          <CompletenessCard answers={{ ...mine, hasPhoto: cover !== null }} isFixed={!mayEdit} />
          <VisitorCard id={animal.id} status={animal.status} fields={mine} category={category} cover={cover} />
        </div>
      </div>
      {takerDialog}
      <Confirm
        title={words.leave}
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        action={words.leaveDo}
        onConfirm={() => leaving.proceed?.()}
      >
        <p>{words.leaveText}</p>
      </Confirm>
    </Page>
  )
}

type MarkProps = { status: AnimalDetails['status']; kind: ProjectKind; isHidden: boolean; isFeatured: boolean }

const Marks = ({ status, kind, isHidden, isFeatured }: MarkProps) => (
  <span className="row tight" aria-live="polite">
    <Badge tone={statusViews[status].tone}>{statusLabel(status, kind)}</Badge>
    {isHidden && <Badge tone="plain">{texts.animals.hidden}</Badge>}
    {isFeatured && <Badge tone="plum">{texts.animals.featured}</Badge>}
  </span>
)
