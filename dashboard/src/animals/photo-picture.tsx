// One photo: from the server once it is ready, before that from this device. The next picture replaces the one that is
// shown only when it is loaded, so nothing flickers; until then a rotation is shown by turning the picture.

import { ImageOff, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import { Icon } from '../ui/icon.tsx'
import { focalClass, photoAddress } from '../ui/photo-address.ts'
import type { Photo } from './use-photos.ts'

type PictureProps = {
  photo: Photo
  /** Its address on this device. */
  preview: string | undefined
  /** In pixels of the screen. */
  size: number
  /** What it shows; empty where words beside it say so. */
  alt?: string
}

export function PhotoPicture({ photo, preview, size, alt = '' }: PictureProps) {
  const { slug } = useProject()
  const { state, turn, focal } = photo
  const src = state === 'ready' ? photoAddress(slug, photo, size * devicePixelRatio) : undefined
  const [shown, setShown] = useState(firstOf(preview, src, turn))
  const [isBroken, setIsBroken] = useState(false)
  const isNew = src !== undefined && src !== shown?.src
  const left = shown === undefined ? 0 : (turn - shown.turn + 360) % 360
  return (
    <>
      {shown && !isBroken ? (
        <img
          className={`photo-picture ${focalClass(focal)}${left === 0 ? '' : ` turned-${left}`}`}
          src={shown.src}
          alt={alt}
          draggable={false}
          decoding="async"
          // A kind of file that this browser does not show.
          onError={() => setIsBroken(true)}
        />
      ) : (
        <span className="photo-picture photo-none">
          <Icon of={state === 'failed' || isBroken ? ImageOff : LoaderCircle} size={24} />
        </span>
      )}
      {isNew && (
        <img
          className="photo-next"
          src={src}
          alt=""
          onLoad={() => {
            setShown({ src, turn })
            setIsBroken(false)
          }}
        />
      )}
    </>
  )
}

/** The upload itself is not rotated yet. */
function firstOf(preview: string | undefined, src: string | undefined, turn: number) {
  if (preview !== undefined) return { src: preview, turn: 0 }
  return src === undefined ? undefined : { src, turn }
}
