// The photos of an animal: added, put in order, described, rotated and deleted. Loaded after the page.

import { ImagePlus } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { FileInput, PhotoButtons } from './photo-buttons.tsx'
import { PhotoDialog } from './photo-dialog.tsx'
import { PhotoProblems } from './photo-problems.tsx'
import { FixedTile, PHOTO_KEYS, PhotoTile, UploadTile } from './photo-tiles.tsx'
import { reordered } from './photo-order.ts'
import { PhotosFrame } from './photos-frame.tsx'
import { usePhotoFiles } from './use-photo-files.ts'
import { usePhotoMoves } from './use-photo-moves.ts'
import { MOST_PHOTOS, usePhotoUploads } from './use-photo-uploads.ts'
import { usePhotos, type Photo } from './use-photos.ts'

const words = texts.photos

export type PhotoSectionProps = {
  petId: bigint
  photos: readonly Photo[]
  /** Shown as long as there are no photos. */
  standIn: ReactNode
}

export function PhotoSection(props: PhotoSectionProps) {
  const { mayEdit } = useProject()
  return mayEdit ? <PhotoEditor {...props} /> : <PhotoGallery {...props} />
}

function PhotoGallery({ photos, standIn }: PhotoSectionProps) {
  return (
    <PhotosFrame count={photos.length} standIn={photos.length === 0 && standIn}>
      {photos.length === 0 ? (
        <p className="quiet plain">{words.emptyViewer}</p>
      ) : (
        <ul className="photos">
          {photos.map((photo, place) => (
            <FixedTile key={photo.id} photo={photo} place={place} count={photos.length} />
          ))}
        </ul>
      )}
    </PhotosFrame>
  )
}

/** What a dialog is about, and what opened it. */
type Opened = { photo: Photo; openedBy: Element | null }

function PhotoEditor({ petId, photos, standIn }: PhotoSectionProps) {
  const [said, setSaid] = useState('')
  const store = usePhotos(petId, photos)
  const uploads = usePhotoUploads(petId, photos, store, setSaid)
  const list = useRef<HTMLUListElement>(null)
  const moves = usePhotoMoves({
    list,
    ids: photos.map(({ id }) => id),
    onOrder(ids) {
      uploads.keepOrder()
      void store.order(ids, uploads.isRunning)
    },
    say: setSaid,
  })
  const onFiles = uploads.add
  const { isOver, target } = usePhotoFiles(onFiles)
  const [described, setDescribed] = useState<Opened>()
  const [deleted, setDeleted] = useState<Opened>()
  const isFull = uploads.capacity <= 0
  const shown = reordered(photos, moves.shown)
  const underWay = uploads.list.filter(({ step }) => step !== 'failed')
  const isEmpty = photos.length === 0 && underWay.length === 0
  const count = photos.length
  return (
    <PhotosFrame
      count={count}
      standIn={isEmpty && standIn}
      actions={<PhotoButtons isFilled={isEmpty} isFull={isFull} onFiles={onFiles} />}
      isOver={isOver}
      {...target}
    >
      {isEmpty ? (
        <AddTile isEmpty onFiles={onFiles} />
      ) : (
        <>
          <ul ref={list} className="photos" data-moving={moves.moving?.by}>
            {shown.map((photo, place) => (
              <PhotoTile
                key={photo.id}
                photo={photo}
                preview={uploads.previewOf(photo)}
                place={place}
                count={count}
                isMoving={moves.moving?.id === photo.id}
                move={moves.propsOf(photo.id)}
                onDetails={(openedBy) => !moves.wasDrag() && setDescribed({ photo, openedBy })}
                onDelete={(openedBy) => setDeleted({ photo, openedBy })}
                onPlace={(to) => moves.place(photo.id, to)}
                onTurn={(degrees) => void store.change(photo.id, { turn: turned(photo, degrees) })}
              />
            ))}
            {underWay.map((upload) => (
              <UploadTile key={upload.id} upload={upload} onCancel={() => uploads.cancel(upload.id)} />
            ))}
            {!isFull && (
              <li className="photo">
                <AddTile onFiles={onFiles} />
              </li>
            )}
          </ul>
          <Hints isFull={isFull} isOrderable={count > 1} />
        </>
      )}
      <Ghost moving={moves.moving} list={list.current} />
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {uploads.leftOut > 0 && (
        <p className="note warn plain" role="alert">
          {words.leftOut(uploads.leftOut, MOST_PHOTOS)}
        </p>
      )}
      <PhotoProblems
        uploads={uploads.list}
        photos={photos}
        onRetry={uploads.retry}
        onCancel={uploads.cancel}
        onDelete={(photo, openedBy) => setDeleted({ photo, openedBy })}
      />
      <PhotoDialog
        photo={described?.photo}
        openedBy={described?.openedBy}
        onClose={() => setDescribed(undefined)}
        onSave={({ id }, change) => void store.change(id, change)}
      />
      <Confirm
        title={words.deleteTitle}
        isOpen={deleted !== undefined}
        openedBy={deleted?.openedBy}
        onClose={() => setDeleted(undefined)}
        action={words.deleteDo}
        onConfirm={() => {
          if (deleted) void store.remove(deleted.photo.id)
          setDeleted(undefined)
        }}
      >
        <p>{words.deleteText}</p>
      </Confirm>
      <Confirm
        title={words.leave}
        isOpen={uploads.leaving.status === 'blocked'}
        onClose={() => uploads.leaving.reset?.()}
        action={words.leaveDo}
        onConfirm={() => uploads.leaving.proceed?.()}
      >
        <p>{words.leaveText}</p>
      </Confirm>
    </PhotosFrame>
  )
}

const turned = ({ turn }: Photo, degrees: 90 | 270) => ((turn + degrees) % 360) as Photo['turn']

/** For a mouse: people who use keys or a screen reader have the button above. */
function AddTile({ isEmpty = false, onFiles }: { isEmpty?: boolean; onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput input={input} isCamera={false} onFiles={onFiles} />
      <button
        type="button"
        className={isEmpty ? 'photo-add photo-add-first' : 'photo-add'}
        tabIndex={-1}
        aria-hidden
        onClick={() => input.current?.click()}
      >
        <Icon of={ImagePlus} size={24} />
        {isEmpty ? (
          <>
            <strong>{words.empty}</strong>
            <span className="quiet small">{words.emptyText}</span>
          </>
        ) : (
          <>
            <span className="photo-by-mouse">{words.drop}</span>
            <span className="photo-by-touch">{words.add}</span>
          </>
        )}
      </button>
    </>
  )
}

function Hints({ isFull, isOrderable }: { isFull: boolean; isOrderable: boolean }) {
  return (
    <>
      {isFull && <p className="quiet small plain">{words.full(MOST_PHOTOS)}</p>}
      {isOrderable && (
        <p className="quiet small plain" aria-hidden>
          <span className="photo-by-mouse">{words.howToOrder}</span>
          <span className="photo-by-touch">{words.howToOrderByTouch}</span>
        </p>
      )}
      <p id={PHOTO_KEYS} hidden>
        {words.keys}
      </p>
    </>
  )
}

type GhostProps = { moving: ReturnType<typeof usePhotoMoves>['moving']; list: HTMLElement | null }

/** What the pointer carries. */
function Ghost({ moving, list }: GhostProps) {
  if (!moving?.at) return null
  const src = list?.querySelector<HTMLImageElement>(`[data-photo="${CSS.escape(moving.id)}"] .photo-picture`)?.src
  const { x, y } = moving.at
  return src ? <img className="photo-ghost" src={src} alt="" style={{ translate: `${x}px ${y}px` }} /> : null
}
