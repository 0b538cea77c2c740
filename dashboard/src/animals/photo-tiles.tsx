// The tiles of the photo section: a photo that is on the server, and one that is on its way there.

import { Progress } from '@mantine/core'
import { LoaderCircle, Star, TriangleAlert, X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon, IconButton } from '../ui/icon.tsx'
import { PhotoMenu, type PhotoActs } from './photo-menu.tsx'
import { PhotoPicture } from './photo-picture.tsx'
import type { PhotoUpload } from '../ui/photo-uploads.ts'
import type { usePhotoMoves } from './use-photo-moves.ts'
import type { PhotoSource } from './use-photo-uploads.ts'
import type { Photo } from './use-photos.ts'

const words = texts.photos
export const PHOTO_KEYS = 'photo-keys'
/** Of a tile, and of the cover, in pixels of the page. */
const SIZE = 160
const COVER_SIZE = 320

type TileProps = Omit<PhotoActs, 'onDetails' | 'onDelete'> & {
  photo: Photo
  preview: string | undefined
  place: number
  count: number
  isMoving: boolean
  move: ReturnType<ReturnType<typeof usePhotoMoves>['propsOf']>
  /** `openedBy`: where the focus returns to. */
  onDetails: (openedBy: Element | null) => void
  onDelete: (openedBy: Element | null) => void
}

export function PhotoTile({ photo, preview, place, count, isMoving, move, onDetails, onDelete, ...acts }: TileProps) {
  const menu = useRef<HTMLButtonElement>(null)
  const { id, state, alt } = photo
  return (
    <li className="photo" data-photo={id} data-state={state} data-moving={isMoving || undefined}>
      <button
        type="button"
        className="photo-pick"
        aria-label={words.name(place, count, alt)}
        aria-describedby={PHOTO_KEYS}
        aria-pressed={isMoving}
        onClick={({ currentTarget }) => state === 'ready' && onDetails(currentTarget)}
        {...move}
      >
        <PhotoPicture photo={photo} preview={preview} size={place === 0 ? COVER_SIZE : SIZE} />
        <State of={photo} />
      </button>
      {place === 0 && <CoverMark />}
      <PhotoMenu
        button={menu}
        place={place}
        count={count}
        isReady={state === 'ready'}
        onDetails={() => onDetails(menu.current)}
        onDelete={() => onDelete(menu.current)}
        {...acts}
      />
    </li>
  )
}

/** For members who may only look. */
export const FixedTile = ({ photo, place, count }: Pick<TileProps, 'photo' | 'place' | 'count'>) => (
  <li className="photo" data-photo={photo.id}>
    <PhotoPicture
      photo={photo}
      preview={undefined}
      size={place === 0 ? COVER_SIZE : SIZE}
      alt={words.name(place, count, photo.alt)}
    />
    {place === 0 && <CoverMark />}
  </li>
)

const CoverMark = () => (
  <span className="photo-cover">
    <Icon of={Star} size={14} />
    {words.cover}
  </span>
)

function State({ of: { state } }: { of: Photo }) {
  if (state === 'ready') return null
  return (
    <Veil>
      <Icon of={state === 'failed' ? TriangleAlert : LoaderCircle} className={state === 'failed' ? '' : 'photo-busy'} />
      {state === 'failed' ? words.failed : words.processing}
    </Veil>
  )
}

const Veil = ({ children }: { children: ReactNode }) => <span className="photo-veil">{children}</span>

type UploadTileProps = { upload: PhotoUpload<PhotoSource>; onCancel: () => void }

export function UploadTile({ upload, onCancel }: UploadTileProps) {
  const { source } = upload
  const name = source.file.name || words.pasted
  return (
    <li className="photo" data-upload={upload.step}>
      <img className="photo-picture focal" src={source.url} alt="" draggable={false} />
      <Veil>
        {upload.step === 'sending' ? (
          <>
            {words.sending(upload.share)}
            <Progress value={upload.share * 100} aria-label={words.sendingOf(name)} />
          </>
        ) : upload.step === 'pausing' ? (
          words.pausing
        ) : (
          words.waiting
        )}
      </Veil>
      <IconButton of={X} className="photo-more" aria-label={words.cancelOf(name)} onClick={onCancel} />
    </li>
  )
}
