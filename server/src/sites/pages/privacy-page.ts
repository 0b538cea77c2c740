// The privacy page of a site: what a request stores, for how long, and who receives it. It is the same for all sites but
// for the name and the contact of the owner; the fields are those of the form, and the periods those of the code.

import { VISITOR_DATA_DAYS } from '@petstore-platform/contract/platform/orders'
import { html, type Html } from '../../foundation/html.ts'
import { DAY_SECONDS } from '../../orders/caps.ts'
import { REPORT_DAYS } from '../../plans/retention.ts'
import { privacyAddress } from './addresses.ts'
import { questionsOf } from './form-questions.ts'
import { contactLines, owned, page, type RenderedSite } from './layout.ts'

/**
 * In seconds: how long a request waits for its confirmation, and how long internet addresses are counted. In days: how
 * long the data of a request is kept after its end.
 */
export type Periods = { unconfirmed: number; counted: number; keptDays: number }

const HOUR = 60 * 60
const periods: Periods = { unconfirmed: DAY_SECONDS, counted: DAY_SECONDS, keptDays: VISITOR_DATA_DAYS }

export function privacyPage(site: RenderedSite, given: Partial<Periods> = {}): Html {
  const { unconfirmed, counted, keptDays } = { ...periods, ...given }
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
          <li>${site.isMailing ? words.email : words.reach}</li>
          ${site.isMailing && html`<li>${words.phone} (${words.optional})</li>`}
          <li>${words.message} (${words.optional})</li>
          ${questionsOf(site).length > 0 && html`<li>${texts.answers}</li>`}
          <li>${texts.also}</li>
        </ul>
        <p>${texts.why}</p>
        <p>${texts.mails}</p>`,
    )}
    ${section(
      texts.time,
      html`${site.isMailing && html`<p>${texts.unconfirmed(Math.ceil(unconfirmed / HOUR))}</p>`}
        <p>${texts.kept(keptDays)}</p>
        ${site.isMailing && html`<p>${texts.own}</p>`}`,
    )}
    ${section(
      texts.receivers,
      html`<p>${texts.people}</p>
        ${site.isReportable && html`<p>${texts.reported(REPORT_DAYS)}</p>`}
        <p>${texts.links}</p>`,
    )}
    ${section(
      texts.visit,
      html`<p>${texts.nothing}</p>
        <p>${texts.log}</p>
        <p>${texts.counted(Math.ceil(counted / HOUR))}</p>`,
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
