// The picture of an animal that has no photo: a portrait of its kind, on a ground that its identifier chooses.

import { choiceOf, portraitOf, type PortraitName } from '@petstore-platform/contract/portraits'
import './portrait.css'

/** The files of the published sites: an animal looks the same to its owner and to visitors. */
const drawings = import.meta.glob<string>('../../../server/assets/portraits/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})
const drawingOf = (name: PortraitName) => drawings[`../../../server/assets/portraits/${name}.svg`]
const GROUNDS = 6

type PortraitProps = {
  /** The name of its category; undefined while it is not known. */
  category: string | undefined
  id: bigint
  /** The drawing that its owner has chosen instead. */
  chosen?: PortraitName | null | undefined
  /** In pixels; a style sheet may set another. */
  size: number
}

/** It says nothing that the name beside it does not. */
export const Portrait = ({ category, id, chosen, size }: PortraitProps) => (
  <img
    className={`portrait ground-${choiceOf(id, GROUNDS)}`}
    src={drawingOf(chosen ?? portraitOf(category, id))}
    alt=""
    width={size}
    height={size}
    loading="lazy"
    decoding="async"
    draggable={false}
  />
)
