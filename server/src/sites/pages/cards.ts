// Cards of animals, and the pictures on them. Where an animal has no photo, a portrait stands in, of its kind or as its
// owner chose: a file of the site with a fixed size, on a ground that stays the animal's own. It says nothing about the
// animal that the text beside it does not, so screen readers skip it, like a photo that its owner has not described.

import { portraitOf } from '@petstore-platform/contract/portraits'
import type { ShownAnimal } from '../publishing/content.ts'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { animalAt, hrefOf, type Place, type Span } from './addresses.ts'
import { lineOf } from './facts.ts'
import { owned, shortened, type RenderedSite } from './layout.ts'
import { langOfAlt, photoImage, type Loading, type PhotoPlace } from './photos.ts'
import type { SiteFile } from './site-files.ts'
import type { Counted } from '../strings/words.ts'

export type Count = Record<Counted, number>

/** In order; where the neighbouring pages begin, if there are any. */
export type Listing = {
  animals: readonly ShownAnimal[]
  newer: Span | 'start'
  older: Span | Place
  /** The list ends before all animals were looked at: `older` continues. */
  isCut?: boolean
  /** How many a list shows of each category that has any; undefined if they are too many to be counted. */
  counts?: ReadonlyMap<bigint, Count> | undefined
}

const GROUNDS = 6n

export const portraitFor = (site: RenderedSite, { id, categoryId, profile }: ShownAnimal): SiteFile =>
  `portraits/${profile?.portrait ?? portraitOf(site.nameOf(categoryId), id)}.svg`

/** Beside the animal's name: a photo as its owner describes it, or a portrait. */
export const picture = (site: RenderedSite, animal: ShownAnimal, place: PhotoPlace, loading: Loading = 'now'): Html =>
  animal.cover
    ? photoImage(animal.cover, { place, loading, alt: animal.cover.alt.trim(), lang: langOfAlt(site, animal.cover) })
    : html`<img
        class="t${((animal.id % GROUNDS) + GROUNDS) % GROUNDS}"
        src="${hrefOf({ kind: 'file', file: portraitFor(site, animal) })}"
        alt=""
        width="240"
        height="240"
        ${loading === 'later' && html` loading="lazy"`}
      />`

/** Pictures in the first row or two of any screen. */
const EAGER = 4

/** `lead`: how the first picture is loaded. Below the first screen, none is loaded at once. */
export function grid(
  site: RenderedSite,
  animals: readonly ShownAnimal[],
  isOfOneKind: boolean,
  lead: Loading = 'first',
): Html {
  const loadingOf = (index: number) => (lead === 'later' || index >= EAGER ? 'later' : index === 0 ? lead : 'now')
  return html`<ul class="grid">
    ${animals.map((animal, index) => card(site, animal, isOfOneKind, loadingOf(index)))}
  </ul>`
}

function card(site: RenderedSite, animal: ShownAnimal, isOfOneKind: boolean, loading: Loading): Html {
  const line = lineText(site, animal.profile, isOfOneKind ? undefined : site.nameOf(animal.categoryId))
  const state = animal.status !== 'available' && html`<em>${site.words.status[animal.status]}</em>`
  const asked = animal.asked !== undefined && html`<span>${site.words.asked(animal.asked)}</span>`
  return html`<li>
    <a class="card" href="${site.href(animalAt(animal))}"
      >${picture(site, animal, 'card', loading)}${state}<b>${owned(site, shortened(animal.name, 60))}</b>${line && html`<span>${line}</span>`}${asked}</a
    >
  </li> `
}

/** Breed or kind, and age. */
function lineText(site: RenderedSite, profile: ShownAnimal['profile'], kindName: string | undefined): Part {
  const { kind, isOwn, age } = lineOf(site, profile, kindName)
  if (kind === '') return age
  const text = shortened(kind, 60)
  return html`${isOwn ? owned(site, text) : text}${age !== '' && ` · ${age}`}`
}

/** The neighbouring pages, named by the order of the list. */
export function pagesOf(
  { words }: RenderedSite,
  { newer, older, isCut = false }: Listing,
  { href, isByWaiting = false }: { href: (span: Span | Place) => string; isByWaiting?: boolean },
): Part {
  if (newer === undefined && older === undefined) return undefined
  const back = isByWaiting ? words.toStart : words.newer
  const onward = isCut ? words.goOn : isByWaiting ? words.onward : words.older
  return html`<nav class="pages" aria-label="${words.pages}">
    ${
      newer !== undefined &&
      html`<a class="btn" rel="prev" href="${href(newer === 'start' ? undefined : newer)}">← ${back}</a>`
    }${older !== undefined && html`<a class="btn" rel="next" href="${href(older)}">${onward} →</a>`}
  </nav>`
}

const HERO_PICTURES = 3

/** The first animals with a photo, then others with different portraits: the same face twice would look like a mistake. */
export function heroPictures(site: RenderedSite, animals: readonly ShownAnimal[]): Html | undefined {
  const chosen = new Map<string, ShownAnimal>()
  const photographed = animals.filter(({ cover }) => cover)
  for (const animal of [...photographed, ...animals.filter(({ cover }) => !cover)]) {
    const face = animal.cover?.digest ?? portraitFor(site, animal)
    if (!chosen.has(face)) chosen.set(face, animal)
    if (chosen.size === HERO_PICTURES) break
  }
  if (chosen.size === 0) return undefined
  const pictures = Array.from(chosen.values(), (animal, index) =>
    index === 0 ? picture(site, animal, 'hero', 'first') : picture(site, animal, 'hero aside'),
  )
  return html`<div class="pics n${chosen.size}">${pictures}</div>`
}
