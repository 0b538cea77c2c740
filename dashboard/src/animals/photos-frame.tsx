// The card of the photos, and its outline until the photo section is loaded: of the same height, so that nothing moves.

import { Button } from '@mantine/core'
import { ImagePlus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { PHOTOS_MAX } from '@petstore-platform/contract/platform/photos'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import './photos.css'

const words = texts.photos
const MOST: typeof PHOTOS_MAX = 20

type FrameProps = Omit<ComponentProps<'section'>, 'className'> & {
  count: number
  actions?: ReactNode
  /** Shown beside the rest as long as there are no photos. */
  standIn?: ReactNode
  /** Files are held over it. */
  isOver?: boolean
}

export const PhotosFrame = ({ count, actions, standIn, isOver = false, children, ...target }: FrameProps) => (
  <section className="card stack photo-card" aria-label={words.title} data-over={isOver || undefined} {...target}>
    <div className="row apart">
      <div className="row tight">
        <h2>{words.title}</h2>
        {count > 0 && <span className="quiet">{words.counted(count, MOST)}</span>}
      </div>
      {actions && <div className="row tight">{actions}</div>}
    </div>
    {standIn ? (
      <div className="photo-first">
        {standIn}
        <div className="stack">{children}</div>
      </div>
    ) : (
      children
    )}
    {isOver && (
      <div className="photo-drop" aria-hidden>
        <Icon of={ImagePlus} size={24} />
        {words.dropHere}
      </div>
    )}
  </section>
)

export function PhotosOutline({ count, standIn }: { count: number; standIn: ReactNode }) {
  const { mayEdit } = useProject()
  const places = mayEdit ? count + 1 : count
  return (
    <PhotosFrame
      count={count}
      standIn={count === 0 && standIn}
      actions={
        mayEdit && (
          <Button disabled leftSection={<Icon of={ImagePlus} size={18} />}>
            {words.add}
          </Button>
        )
      }
    >
      {count === 0 ? (
        <div className="photo-add photo-add-first" />
      ) : (
        <ul className="photos" aria-hidden>
          {Array.from({ length: places }, (_, place) => (
            <li key={place} className="photo" />
          ))}
        </ul>
      )}
      {mayEdit && count > 1 && <p className="small plain">{'\u00a0'}</p>}
    </PhotosFrame>
  )
}
