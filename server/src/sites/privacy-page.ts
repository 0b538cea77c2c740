// The privacy page of a site: what a request stores, for how long, and who receives it. It is the same for all sites but
// for the name and the contact of the owner; the fields are those of the form, and the periods those of the code.

import { html, type Html } from '../foundation/html.ts'
import { ORDER_HOLD } from '../orders/lifecycle.ts'
import { privacyAddress } from './addresses.ts'
import { contactLines, owned, page, type RenderedSite } from './layout.ts'

/** In seconds. */
export type Periods = { hold: number }

const DAY = 24 * 60 * 60

export function privacyPage(site: RenderedSite, { hold }: Periods = { hold: ORDER_HOLD }): Html {
  const { words } = site
  const { privacyPage: texts } = words
  const [before, after] = texts.runBy
  const contact = contactLines(site)
  const main = html`<div class="wrap first">
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${section(
      texts.who,
      html`<p>
          ${before}<b>${owned(site, site.content.settings.title)}</b>${after} ${contact.length === 0 && texts.noContact}
        </p>
        ${contact}
        <p>${texts.operator}</p>`,
    )}
    ${section(
      texts.request,
      html`<p>${texts.stores}</p>
        <ul>
          <li>${words.name}</li>
          <li>${words.reach}</li>
          <li>${words.message} (${words.optional})</li>
          <li>${texts.also}</li>
        </ul>
        <p>${texts.why}</p>
        <p>${texts.mails}</p>`,
    )}
    ${section(
      texts.time,
      html`<p>${texts.held(Math.ceil(hold / DAY))}</p>
        <p>${texts.kept}</p>`,
    )}
    ${section(
      texts.receivers,
      html`<p>${texts.people}</p>
        <p>${texts.links}</p>`,
    )}
    ${section(
      texts.visit,
      html`<p>${texts.nothing}</p>
        <p>${texts.log}</p>
        <p>${texts.counted}</p>`,
    )}
    ${section(
      texts.rights,
      html`<p>${texts.ask}</p>
        <p>${texts.complain}</p>`,
    )}
  </div>`
  return page(site, { title: texts.title, main, canonical: privacyAddress, description: texts.lead })
}

const section = (title: string, content: Html): Html =>
  html`<section class="list words prose">
    <h2>${title}</h2>
    ${content}
  </section>`
