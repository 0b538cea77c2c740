// Renders the pages of a site from published content and the current animals. Pure: the
// same content and the same animals give the same bytes. Lists, the pages of animals and the site map are in
// files of their own.

import type { PresentedAnimal } from '../publishing/content.ts'
import { html, type Html } from '../../foundation/html.ts'
import { allAnimals, home } from './addresses.ts'
import { heroPictures, picture, type Listing } from './cards.ts'
import { paletteOf } from '../looks/color.ts'
import { kindsNav, totalOf } from './kinds.ts'
import { hasAbout, hasContact, initialOf, owned, page, scene, type RenderedSite } from './layout.ts'
import { cards, headingOf } from './list-page.ts'
import { markdown } from './markdown.ts'
import { withCover } from './photos.ts'
import { ownerData } from './structured-data.ts'

export const PAGE_SIZE = 48

export function homePage(site: RenderedSite, listing: Listing): Html {
  const { words } = site
  const main = html`${hero(site, listing)}
    <section class="wrap list" id="animals" aria-labelledby="waiting">
      ${headingOf(
        'h2',
        words.newest,
        site,
        totalOf(listing.counts),
        listing.animals.length > 0 && html`<a class="find" href="${site.href(allAnimals)}">${words.filters}</a>`,
      )}${kindsNav(site, listing.counts, undefined)}
      ${cards(site, { ...listing, isCut: false }, { isOfOneKind: false, lead: 'now' })}
      ${
        listing.older !== undefined &&
        html`<p class="more"><a class="btn" href="${site.href(allAnimals)}">${words.seeAll}</a></p>`
      }
    </section>
    ${about(site)}`
  return page(site, {
    title: site.content.settings.title,
    main,
    isHome: true,
    canonical: home,
    data: ownerData(site),
    image: listing.animals.find(({ cover }) => cover)?.cover,
  })
}

/** Longer ones are in the footer alone. */
const ADDRESS_SHOWN_MAX = 60

function hero(site: RenderedSite, { animals }: Listing): Html {
  const { words } = site
  const { title, tagline, contact } = site.content.settings
  const isNear = contact.address !== '' && contact.address.length <= ADDRESS_SHOWN_MAX
  const more = hasAbout(site)
    ? html`<a class="btn" href="#about">${words.about}</a>`
    : hasContact(site) && html`<a class="btn" href="#contact-us">${words.contact}</a>`
  return html`<div class="wrap">
    <div class="hero">
      <div>
        ${isNear && html`<p class="over">${owned(site, contact.address)}</p>`}
        <h1>${owned(site, title)}</h1>
        ${tagline !== '' && html`<p class="lead">${owned(site, tagline)}</p>`}
        ${animals.length > 0 && html`<p class="acts"><a class="btn main" href="#animals">${words.meet}</a>${more}</p>`}
      </div>
      ${heroPictures(site, animals)}
    </div>
  </div>`
}

const about = (site: RenderedSite): Html | false =>
  hasAbout(site) &&
  html`<section class="band" id="about" aria-labelledby="about-us">
    <div class="wrap">
      <h2 id="about-us">${site.words.about}</h2>
      <div class="prose" ${site.ownLang}>${markdown(site.content.settings.about)}</div>
    </div>
  </section>`

/** After the form: where a link is mailed, it says so. Reveals nothing about the visitor: others may open its address. */
export function thanksPage(site: RenderedSite, animal: PresentedAnimal | undefined): Html {
  const { words } = site
  const { requests } = words
  const title = site.isMailing ? requests.mailedTitle : words.thanks
  const said = animal && (site.isMailing ? requests.mailed : words.thanksFor)(animal.name)
  const main = html`<div class="wrap word">
    ${animal && html`<div class="round">${picture(site, withCover(animal), 'round')}</div>`}
    <h1>${title}</h1>
    ${said && html`<p>${said[0]}<strong>${owned(site, said[1])}</strong>${said[2]}</p>`}
    <p class="quiet">${site.isMailing ? requests.mailedHint : words.next}</p>
    <a class="btn main" href="${site.href(home)}">${words.back}</a>
  </div>`
  return page(site, { title, main, address: { kind: 'thanks', id: animal?.id } })
}

export function missingPage(site: RenderedSite): Html {
  const { words } = site
  const main = html`<div class="wrap word">
    ${scene('scenes/glass.svg')}
    <h1>${words.missing}</h1>
    <p class="quiet">${words.missingHint}</p>
    <a class="btn main" href="${site.href(home)}">${words.back}</a>
  </div>`
  return page(site, { title: words.missing, main })
}

export function favicon({ content: { settings } }: RenderedSite): Html {
  const { accent, onAccent } = paletteOf(settings.themeColor, settings.look, 'light')
  const initial = initialOf(settings.title, settings.language)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
    <rect width="64" height="64" rx="${settings.look === 'meadow' ? 18 : 2}" fill="${accent}" />
    <text
      x="32"
      y="45"
      text-anchor="middle"
      font-family="system-ui,sans-serif"
      font-weight="800"
      font-size="38"
      fill="${onAccent}"
    >
      ${initial}
    </text>
  </svg> `
}
