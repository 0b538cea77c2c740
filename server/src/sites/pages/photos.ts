// Photos on pages: the widths that exist, of which a browser loads the one that fits, a size that is reserved before it
// arrives, and the point that stays visible where it is cropped. Inline styles are forbidden, so that point is a pair of
// classes; the centre needs none.

import { centre, type PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { PresentedAnimal, ShownAnimal } from '../publishing/content.ts'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { hrefOf } from './addresses.ts'
import { breedOf } from './facts.ts'
import { shortened, type RenderedSite } from './layout.ts'

/**
 * The width of each place, as the style sheet has it; both looks have the same grids. On a phone a little less: browsers
 * take the next larger variant, and three times the bytes for a few pixels more would not be seen.
 */
const sizes = {
  card: '(min-width:72rem) 17rem,(min-width:54rem) 31vw,40vw',
  hero: '(min-width:72rem) 20rem,(min-width:52rem) 27vw,40vw',
  'hero aside': '(min-width:52rem) 11rem,27vw',
  gallery: '(min-width:75rem) 35rem,(min-width:52rem) 48vw,91vw',
  thumb: '7rem',
  round: '11rem',
  // Paper has more pixels than a screen.
  sheet: '1600px',
} as const

export type PhotoPlace = keyof typeof sizes

/** `first`: the largest of the page, which visitors wait for. `later`: loaded when the visitor comes near it. */
export type Loading = 'first' | 'now' | 'later'

export function photoImage(
  photo: PublicPhoto,
  { place, loading, alt, lang, id }: { place: PhotoPlace; loading: Loading; alt: string; lang?: Part; id?: string },
): Html {
  const [smallest = 0] = photo.widths
  const srcset = photo.widths.map((width) => `${fileAt(photo, width)} ${width}w`).join(', ')
  return html`<img${id !== undefined && html` id="${id}"`}
    class="${classOf(photo)}"
    src="${fileAt(photo, smallest)}"
    ${photo.widths.length > 1 && html` srcset="${srcset}" sizes="${sizes[place]}"`}
    alt="${alt}"
    ${lang}
    width="${photo.width}"
    height="${photo.height}"
    ${loadingOf(loading)}
  />`
}

const loadingOf = (loading: Loading): Part =>
  loading === 'later' ? html` loading="lazy"` : loading === 'first' && html` fetchpriority="high"`

/** The largest file of a photo for pages. */
export const largestAt = (photo: PublicPhoto): string => fileAt(photo, photo.widths.at(-1) ?? 0)

const fileAt = ({ digest, recipe }: PublicPhoto, width: number) =>
  hrefOf({ kind: 'photo', digest, file: { recipe, width } })

function classOf({ focal: { x, y } }: PublicPhoto): string {
  return ['ph', x !== centre.x && `fx${x}`, y !== centre.y && `fy${y}`].filter(Boolean).join(' ')
}

/** The language of what a photo shows, if that is in the words of its owner. */
export const langOfAlt = ({ ownLang }: RenderedSite, { alt }: PublicPhoto): Part => alt.trim() !== '' && ownLang

/** What a photo shows: in the words of its owner, or otherwise in those of the profile. */
export function altOf(
  site: RenderedSite,
  { name, categoryId, profile }: ShownAnimal | PresentedAnimal,
  { alt }: PublicPhoto,
  [number, count]: readonly [number: number, count: number],
): string {
  if (alt.trim() !== '') return alt
  const breed = profile ? breedOf(site, profile) : ''
  const kind = breed.trim() === '' ? (site.nameOf(categoryId) ?? '') : breed
  const parts = [shortened(name, 60), shortened(kind, 60), site.words.photo(number, count)]
  return parts.filter((part) => part !== '').join(', ')
}

/** The cover of an animal that is presented with all of its photos. */
export const withCover = ({ photos, ...animal }: PresentedAnimal): ShownAnimal => ({ ...animal, cover: photos?.[0] })
