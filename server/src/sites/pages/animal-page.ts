// The page of an animal: who it is, what its owner wrote about it, and the form. An animal without a profile has a
// picture, a name and the form.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { fieldsWith, type ProfileFieldsWith } from '@petstore-platform/contract/platform/profile-fields'
import type { Answer, PublicProfile } from '@petstore-platform/contract/platform/profiles'
import { html, type Html, type Part } from '../../foundation/html.ts'
import type { PresentedAnimal, ShownAnimal } from '../publishing/content.ts'
import type { AnswerField, FactField, Mistake } from '../strings/words.ts'
import { allAnimals, animalAt, categoryAt, printAt } from './addresses.ts'
import { grid, picture } from './cards.ts'
import { ageOf, breedOf, descriptionOf, feeOf, isBreedOwn, monthOf, weightOf } from './facts.ts'
import { reserveForm, type ReserveForm } from './form.ts'
import { arrow, owned, page, shortened, type RenderedSite } from './layout.ts'
import { markdown } from './markdown.ts'
import { altOf, withCover, langOfAlt, largestAt, photoImage } from './photos.ts'
import { animalData } from './structured-data.ts'

/** How many others an animal's page shows. */
export const OTHERS = 4
const DESCRIPTION_MAX = 200

/** What an animal's page shows besides the animal. */
export type AnimalView = {
  /** If it can be asked for. */
  form?: ReserveForm
  /** If it has just become unavailable. */
  notice?: Mistake
  /** Others that can be reserved. */
  others?: readonly ShownAnimal[]
}

export function animalPage(site: RenderedSite, animal: PresentedAnimal, view: AnimalView): Html {
  const { words } = site
  const { form, others = [] } = view
  const { categoryId, name, status, profile, photos = [] } = animal
  const isFree = status === 'available'
  const kind = site.nameOf(categoryId)
  const written = profile && writtenParts(site, animal, profile)
  const panel =
    status === 'sold'
      ? html`<div class="panel"><p>${words.unavailable.sold}</p></div>`
      : html`${status === 'pending' && html`<div class="panel"><p>${words.unavailable.pending}</p></div>`}${
          form && reserveForm(site, animal, form)
        }`
  // What there is to read stands beside the form; without it, the form stands beside the picture.
  const main = html`<div class="wrap">
      <a class="back" href="${site.href(allAnimals)}">${arrow}${words.back}</a>
      <article class="animal">
        <div class="big">${photos.length > 0 ? gallery(site, animal, photos) : picture(site, animal, 'gallery')}</div>
        <div class="side">${front(site, animal, view)}${!written && panel}</div>
        ${written && html`<div class="words">${written}</div>`}${written && html`<div class="asked">${panel}</div>`}
      </article>
    </div>
    ${
      others.length > 0 &&
      html`<section class="wrap list" aria-labelledby="others">
        <h2 id="others">${words.others}</h2>
        ${grid(site, others, false, 'later')}
      </section>`
    }
    ${isFree && form && sticky(site, animal)}`
  const described = shortened(descriptionOf(site, profile, kind), DESCRIPTION_MAX)
  return page(site, {
    title: shortened(name, 80),
    main,
    address: animalAt(animal),
    canonical: isFree ? animalAt(animal) : undefined,
    description: described === '' ? undefined : described,
    data: isFree ? animalData(site, animal, described) : undefined,
    image: photos[0] && { ...photos[0], alt: altOf(site, animal, photos[0], [1, photos.length]) },
  })
}

/** Beside the picture: name, facts, and the ways to the form and to friends. */
function front(site: RenderedSite, animal: PresentedAnimal, { form, notice }: AnimalView): Html {
  const { words } = site
  const { categoryId, name, status, profile } = animal
  const kind = site.nameOf(categoryId)
  const [before, asked, after] = words.ask(shortened(name, 24))
  return html`${
      kind !== undefined &&
      html`<p class="over">
        <a href="${site.href(categoryAt({ id: categoryId, name: kind }))}">${owned(site, kind)}</a>
      </p>`
    }
    <h1>${owned(site, name)}</h1>
    ${profile && profile.headline.trim() !== '' && html`<p class="lead">${owned(site, profile.headline)}</p>`}
    ${status !== 'available' && html`<p class="state">${words.status[status]}</p>`}
    ${notice !== undefined && html`<p class="notice" role="alert">${words.wrong[notice]}</p>`}
    ${profile && facts(site, profile)}${profile && checks(site, profile)}
    ${
      profile &&
      status === 'available' &&
      html`<div class="acts">
        ${form && html`<a class="btn main" href="#ask"><span>${before}${owned(site, asked)}${after}</span></a>`}
        ${share(site, animal)}
      </div>`
    }${!profile && status === 'available' && html`<p class="quiet">${printLink(site, animal)}</p>`}`
}

const printLink = (site: RenderedSite, animal: PresentedAnimal): Html =>
  html`<a href="${site.href(printAt(animal))}" rel="nofollow">${site.words.print}</a>`

/** `isOwn`: in the words of the owner. */
type Fact = { label: string; value: string; isOwn: boolean }

/** In the order of the page; what it does not name follows. */
const factFields: ReadonlySet<FactField> = new Set([
  ...(['breed', 'sex', 'born', 'size', 'weightGrams', 'coat', 'color'] as const),
  ...fieldsWith({ shown: ['card', 'page'], group: ['facts'] }).filter(
    // Said with the breed.
    (name) => name !== 'secondBreed' && name !== 'isMixed',
  ),
  ...(['location', 'inCareSince', 'fee'] as const),
  ...fieldsWith({ shown: ['card', 'page'], group: ['terms'] }),
])

type Worded = Exclude<FactField, Exclude<ProfileFieldsWith<{ type: 'line' }>, 'breed'>>
/** Of fields that are not shown as they were written; undefined if there is nothing to show. */
const worded: { [Name in Worded]: (site: RenderedSite, profile: PublicProfile) => string | undefined } = {
  breed: breedOf,
  sex: ({ words }, { sex }) => (sex === null ? undefined : words.sexes[sex]),
  born: (site, { born }) => ageOf(site, born),
  size: ({ words }, { size }) => (size === null ? undefined : words.sizes[size]),
  weightGrams: (site, { weightGrams }) => (weightGrams === null ? undefined : weightOf(site, weightGrams)),
  coat: ({ words }, { coat }) => (coat === null ? undefined : words.coats[coat]),
  inCareSince: (site, { inCareSince }) =>
    inCareSince === null || inCareSince > site.today ? undefined : site.words.since(monthOf(site, inCareSince)),
  fee: (site, { fee }) => feeOf(site, fee),
}
const isWorded = (name: FactField): name is Worded => Object.hasOwn(worded, name)

/** Everything that is known, in words. */
export const factsOf = (site: RenderedSite, profile: PublicProfile): Fact[] =>
  [...factFields].flatMap((name) => {
    const value = isWorded(name) ? worded[name](site, profile) : profile[name]
    if (value === undefined || value.trim() === '') return []
    const isOwn = name === 'breed' ? isBreedOwn(profile) : !isWorded(name)
    return [{ label: site.words.facts[name], value, isOwn }]
  })

export const facts = (site: RenderedSite, profile: PublicProfile): Html =>
  html`<dl class="facts">
    ${factsOf(site, profile).map(
      ({ label, value, isOwn }) =>
        html`<div>
          <dt>${label}</dt>
          <dd><bdi${isOwn && site.ownLang}>${value}</bdi></dd>
        </div>`,
    )}
  </dl>`

export const companyAnswers = fieldsWith({ type: ['answer'], group: ['company'] })
export const healthAnswers = new Set(['isVaccinated' as const, ...fieldsWith({ type: ['answer'], group: ['health'] })])

export function checks(site: RenderedSite, profile: PublicProfile): Part {
  const { words } = site
  const note = profile.goodWithNote.trim()
  const asked = (names: Iterable<AnswerField>) => ticks([...names].map((name) => [words.answers[name], profile[name]]))
  const company = asked(companyAnswers)
  const health = asked(healthAnswers)
  return html`${
    (company || note !== '') &&
    html`<h2 class="label">${words.goodWith}</h2>
      ${company}${note !== '' && html`<p class="quiet">${owned(site, note)}</p>`}`
  }${
    health &&
    html`<h2 class="label">${words.health}</h2>
      ${health}`
  }`
}

/** Yes and no, each in words; what is not known is left out. */
function ticks(asked: readonly (readonly [words: readonly [yes: string, no: string], answer: Answer])[]): Part {
  const known = asked.filter(([, answer]) => answer !== 'unknown')
  if (known.length === 0) return undefined
  return html`<ul class="ticks">
    ${known.map(([[yes, no], answer]) => (answer === 'yes' ? html`<li>${yes}</li>` : html`<li class="no">${no}</li>`))}
  </ul>`
}

const belowStory = fieldsWith({ type: ['text'], shown: ['page'] }).filter((name) => name !== 'story')

/** The character, the story and what is written below it; undefined if nothing of it is written. */
function writtenParts(site: RenderedSite, { name }: PresentedAnimal, profile: PublicProfile): Html | undefined {
  const { words } = site
  const { traits, story } = profile
  const texts = belowStory.filter((field) => profile[field].trim() !== '')
  if (traits.length === 0 && story.trim() === '' && texts.length === 0) return undefined
  const [before, shown, after] = words.story(shortened(name, 60))
  return html`<section aria-labelledby="story">
    <h2 id="story">${before}${owned(site, shown)}${after}</h2>
    ${
      traits.length > 0 &&
      html`<ul class="traits" aria-label="${words.traits}">
        ${traits.map((trait) => html`<li>${owned(site, trait)}</li>`)}
      </ul>`
    }
    ${story.trim() !== '' && html`<div class="prose" ${site.ownLang}>${markdown(story)}</div>`}
    ${texts.map(
      (field) =>
        html`<div class="needs">
          <h3>${words.texts[field]}</h3>
          <p${site.ownLang}>${profile[field].trim()}</p>
        </div>`,
    )}
  </section>`
}

/** Plain links: nothing is loaded from these services, and they learn only of visitors who follow one. */
function share(site: RenderedSite, animal: PresentedAnimal): Html {
  const url = encodeURIComponent(`${site.origin}${site.href(animalAt(animal))}`)
  const name = encodeURIComponent(shortened(animal.name, 80).toWellFormed())
  return html`<p class="share">
    ${site.words.share}
    <a href="https://wa.me/?text=${name}%20${url}" rel="nofollow">WhatsApp</a>
    <a href="https://www.facebook.com/sharer/sharer.php?u=${url}" rel="nofollow">Facebook</a>
    <a href="mailto:?subject=${name}&amp;body=${url}">${site.words.email}</a>
    ${printLink(site, animal)}
  </p>`
}

/** On a phone, the way to the form is always in reach. */
function sticky(site: RenderedSite, animal: PresentedAnimal): Html {
  const [before, name, after] = site.words.ask(shortened(animal.name, 24))
  return html`<a class="stick" href="#ask"
    >${picture(site, withCover(animal), 'thumb', 'later')}<span class="btn main"
      ><span>${before}${owned(site, name)}${after}</span></span
    ></a
  >`
}

// The photos of an animal on its page: a strip that snaps to each photo, and below it thumbnails, which are links to the
// photos. It needs no script: it is swiped, or led by the links, and each photo leads to its
// largest file, which browsers show uncropped and enlarge. Where a browser can, the thumbnail of the photo in view is
// marked.

function gallery(site: RenderedSite, animal: PresentedAnimal, photos: readonly PublicPhoto[]): Html {
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
