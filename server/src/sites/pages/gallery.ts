// The photos of an animal on its page: a strip that snaps to each photo, and below it thumbnails, which are links to the
// photos. It needs no script: it is swiped, or led by the links, and each photo leads to its
// largest file, which browsers show uncropped and enlarge. Where a browser can, the thumbnail of the photo in view is
// marked.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { PresentedAnimal } from '../publishing/content.ts'
import { html, type Html } from '../../foundation/html.ts'
import { shortened, type RenderedSite } from './layout.ts'
import { altOf, langOfAlt, largestAt, photoImage } from './photos.ts'

export function gallery(site: RenderedSite, animal: PresentedAnimal, photos: readonly PublicPhoto[]): Html {
  const { words } = site
  const count = photos.length
  const large = photos.map((photo, index) => {
    const image = photoImage(photo, {
      place: 'gallery',
      loading: index === 0 ? 'first' : 'later',
      alt: altOf(site, animal, photo, [index + 1, count]),
      lang: langOfAlt(site, photo),
      id: `p${index + 1}`,
    })
    return html`<a href="${largestAt(photo)}">${image}</a>`
  })
  const [cover] = photos
  const shape = cover ? shapeOf(cover) : ''
  if (count === 1) return html`<div class="reel ${shape}">${large}</div>`
  return html`<div
      class="reel ${shape}"
      tabindex="0"
      role="group"
      aria-label="${words.photosOf(shortened(animal.name, 60))}"
    >
      ${large}
    </div>
    <ul class="thumbs">
      ${photos.map(
        (photo, index) =>
          html`<li>
            <a href="#p${index + 1}" aria-label="${capitalised(words.photo(index + 1, count))}"
              >${photoImage(photo, { place: 'thumb', loading: 'later', alt: '' })}</a
            >
          </li>`,
      )}
    </ul>`
}

/** The strip has one shape, near that of the cover, so that little of it is cropped. */
const shapeOf = ({ width, height }: PublicPhoto) =>
  width > height * 1.15 ? 'wide' : height > width * 1.15 ? 'tall' : ''

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
