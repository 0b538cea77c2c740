// Cards of animals, and the pictures on them. An animal has no photo yet, so a portrait of its kind stands in: a file
// of the site with a fixed size, on a ground that stays the animal's own. It says nothing about the animal that the
// text does not, so screen readers skip it.

import type { ShownAnimal } from '../deployments/content.ts'
import { html, type Html, type Part } from '../foundation/html.ts'
import { hrefOf, type Span } from './addresses.ts'
import { shortened, type RenderedSite } from './layout.ts'
import { portraitOf } from '@petstore/contract/portraits'
import type { SiteFile } from './site-files.ts'

/** Newest first; where the neighbouring pages begin, if there are any. */
export type Listing = {
  animals: readonly ShownAnimal[]
  newer: Span | 'start'
  older: Span
  /** How many can be reserved in each category that has any; undefined if they are too many to be counted. */
  counts?: ReadonlyMap<bigint, number> | undefined
}

const GROUNDS = 6n

export const portraitFor = (site: RenderedSite, { id, categoryId }: ShownAnimal): SiteFile =>
  `portraits/${portraitOf(site.nameOf(categoryId), id)}.svg`

/** `isLater`: it is loaded when the visitor comes near it. */
export const picture = (site: RenderedSite, animal: ShownAnimal, isLater = false): Html =>
  html`<img
    class="t${((animal.id % GROUNDS) + GROUNDS) % GROUNDS}"
    src="${hrefOf({ kind: 'file', file: portraitFor(site, animal) })}"
    alt=""
    width="240"
    height="240"
    ${isLater && html` loading="lazy"`}
  />`

/** Pictures in the first row or two of any screen. */
const EAGER = 4

export function grid(site: RenderedSite, animals: readonly ShownAnimal[], isOfOneKind: boolean, eager = EAGER): Html {
  return html`<ul class="grid">
    ${animals.map((animal, index) => card(site, animal, isOfOneKind, index >= eager))}
  </ul>`
}

function card(site: RenderedSite, animal: ShownAnimal, isOfOneKind: boolean, isLater: boolean): Html {
  const kind = isOfOneKind ? undefined : site.nameOf(animal.categoryId)
  const state = animal.status !== 'available' && html`<em>${site.words.status[animal.status]}</em>`
  return html`<li>
    <a class="card" href="${hrefOf({ kind: 'animal', id: animal.id })}"
      >${picture(site, animal, isLater)}${state}<b><bdi>${shortened(animal.name, 60)}</bdi></b
      >${kind !== undefined && html`<span><bdi>${shortened(kind, 40)}</bdi></span>`}</a
    >
  </li> `
}

export function pagesOf({ words }: RenderedSite, { newer, older }: Listing, href: (span: Span) => string): Part {
  if (newer === undefined && older === undefined) return undefined
  return html`<nav class="pages" aria-label="${words.pages}">
    ${
      newer !== undefined &&
      html`<a class="btn" rel="prev" href="${href(newer === 'start' ? undefined : newer)}">← ${words.newer}</a>`
    }${older !== undefined && html`<a class="btn" rel="next" href="${href(older)}">${words.older} →</a>`}
  </nav>`
}

const HERO_PICTURES = 3

/** The newest animals with different portraits: the same face three times would look like a mistake. */
export function heroPictures(site: RenderedSite, animals: readonly ShownAnimal[]): Html | undefined {
  const different = new Map(animals.toReversed().map((animal) => [portraitFor(site, animal), animal]))
  const chosen = animals.filter((animal) => different.get(portraitFor(site, animal)) === animal).slice(0, HERO_PICTURES)
  if (chosen.length === 0) return undefined
  return html`<div class="pics n${chosen.length}">${chosen.map((animal) => picture(site, animal))}</div>`
}
