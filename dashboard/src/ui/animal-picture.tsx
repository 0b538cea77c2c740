// The picture of an animal: its cover, or a portrait of its kind.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { ComponentProps } from 'react'
import { focalClass, photoSources } from './photo-address.ts'
import { Portrait } from './portrait.tsx'
import './focal.css'

type PictureProps = ComponentProps<typeof Portrait> & { project: string; cover: PublicPhoto | null }

/** It says nothing that the name beside it does not. */
export const AnimalPicture = ({ project, cover, ...portrait }: PictureProps) =>
  cover ? (
    <img
      className={`portrait ${focalClass(cover.focal)}`}
      {...photoSources(project, cover, portrait.size)}
      alt=""
      width={portrait.size}
      height={portrait.size}
      loading="lazy"
      decoding="async"
      draggable={false}
    />
  ) : (
    <Portrait {...portrait} />
  )
