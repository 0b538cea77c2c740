// The printable pages, of one animal or of several: a sheet for the door of a kennel or the window of a shop, with a large
// picture, the facts, the beginning of the story, and the address of its page as a QR code and in words. They have a style
// sheet of their own besides that of the site; on a screen they look like the sheets.

import type { Answer, PublicProfile } from '@petstore-platform/contract/platform/profiles'
import { encode } from 'uqr'
import type { PresentedAnimal } from '../publishing/content.ts'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { allAnimals, animalAt, type Address } from './addresses.ts'
import { checks, companyAnswers, facts, factsOf, healthAnswers } from './animal-page.ts'
import { picture } from './cards.ts'
import { arrow, brand, contactLines, owned, page, shortened, type RenderedSite } from './layout.ts'
import { plainText } from './markdown.ts'
import { altOf, photoImage, withCover } from './photos.ts'
import { beginningOf, linesLeft } from './print-story.ts'

const NAME_MAX = 60

export function printPage(site: RenderedSite, animal: PresentedAnimal): Html {
  const shownName = shortened(animal.name, NAME_MAX)
  return page(site, {
    title: shownName,
    main: html`${bar(site, animalAt(animal), owned(site, shownName), site.words.printHint)}${sheetOf(site, animal)}`,
    canonical: animalAt(animal),
    isPart: true,
    sheet: 'styles/print.css',
  })
}

/** Of several animals. It is for the owner, so search engines do not list it. */
export const sheetsPage = (site: RenderedSite, sheets: readonly Html[]): Html =>
  page(site, {
    title: site.words.print,
    main: html`${bar(site, allAnimals, site.words.everyone, site.words.printHintMany)}${sheets}`,
    sheet: 'styles/print.css',
  })

const bar = (site: RenderedSite, back: Address, label: Part, hint: string): Html =>
  html`<div class="sheet-bar">
    <a class="back" href="${site.href(back)}">${arrow}${label}</a>
    <p>${hint}</p>
  </div>`

export function sheetOf(site: RenderedSite, animal: PresentedAnimal): Html {
  const { words } = site
  const { name, status, profile } = animal
  const shownName = shortened(name, NAME_MAX)
  return html`<article class="sheet">
    <div class="sheet-top">
      ${brand(site)}${status !== 'available' && html`<p class="state">${words.status[status]}</p>`}
    </div>
    <div class="sheet-photo">${pictureOf(site, animal)}</div>
    <h1>${owned(site, shownName)}</h1>
    ${profile && profile.headline.trim() !== '' && html`<p class="lead">${owned(site, profile.headline)}</p>`}
    ${profile && written(site, shownName, profile)} ${end(site, animal)}
  </article>`
}

function pictureOf(site: RenderedSite, animal: PresentedAnimal): Html {
  const { photos = [] } = animal
  const [cover] = photos
  return cover
    ? photoImage(cover, { place: 'sheet', loading: 'first', alt: altOf(site, animal, cover, [1, photos.length]) })
    : picture(site, withCover(animal), 'sheet')
}

/** The facts, and as much of the story as fits. */
function written(site: RenderedSite, name: string, profile: PublicProfile): Part {
  const note = profile.goodWithNote.trim()
  const company = linesOf(
    companyAnswers.map((name) => profile[name]),
    note !== '',
  )
  const health = linesOf([...healthAnswers].map((name) => profile[name]))
  const lines = linesLeft({
    name,
    headline: profile.headline.trim(),
    facts: factsOf(site, profile).map(({ value }) => value),
    checks: company + health,
    note,
  })
  const story = beginningOf(plainText(profile.story), lines)
  return html`<div class="sheet-facts">
      ${facts(site, profile)}${company + health > 0 && html`<div>${checks(site, profile)}</div>`}
    </div>
    ${story.length > 0 && html`<div class="sheet-story">${story.map((paragraph) => html`<p>${owned(site, paragraph)}</p>`)}</div>`}`
}

/** The answers that are known, below their heading. */
function linesOf(answers: readonly Answer[], hasNote = false): number {
  const known = answers.filter((answer) => answer !== 'unknown').length
  return known > 0 || hasNote ? known + 1 : 0
}

/** The way to the page of the animal, and to its owner. */
function end(site: RenderedSite, animal: PresentedAnimal): Html {
  const { words, origin, content } = site
  const address = `${origin}${site.href(animalAt(animal))}`
  return html`<div class="sheet-end">
    ${qrCode(address, address)}
    <div>
      <p class="sheet-way">${words.scan} <b>${address.replace(/^https?:\/\//, '')}</b></p>
      <p>
        <b>${owned(site, content.settings.title)}</b>
      </p>
      ${contactLines(site)}
    </div>
  </div>`
}

// An address as a QR code: one path in an SVG element, so that it needs no file and no script.

/** Modules of white around it, without which some cameras do not find it. */
const QUIET_ZONE = 4

/** Always dark on white: cameras expect it. Level M survives a fold or a stain. */
function qrCode(address: string, label: string): Html {
  const { data, size } = encode(address, { ecc: 'M', border: QUIET_ZONE })
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${data.map(rowPath).join('')}" />
  </svg>`
}

/** The dark modules of a row that stand side by side are one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  const dark = row.map((isDark) => (isDark ? '#' : ' ')).join('')
  return [...dark.matchAll(/#+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('')
}
