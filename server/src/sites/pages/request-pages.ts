// The pages of one visitor's request, which only the visitor has the address of: where it is confirmed, and where it
// stands. Both change something only by a form: programs that scan mail open every link. They name the animal and the
// visit, and nothing of what the visitor typed.

import { openStages, type OrderStage } from '@petstore-platform/contract/platform/orders'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { mailLocalTime } from '../../mail/mail-time.ts'
import { localTime, type VisitTime } from '../../orders/visit-time.ts'
import { allAnimals, type RequestAddress } from './addresses.ts'
import { contactWays, owned, page, type RenderedSite } from './layout.ts'
import type { RequestMistake } from '../strings/strings-requests.ts'

/** What a form of the status page asks for. */
export const requestActions = ['withdraw', 'erase'] as const
export type RequestAction = (typeof requestActions)[number]

/** `mistake`: why it could not be confirmed. */
export function confirmationPage(
  site: RenderedSite,
  secret: string,
  { animal, mistake }: { animal: string; mistake?: RequestMistake | 'taken' },
): Html {
  const { requests, wrong } = site.words
  const ways = mistake === undefined ? [] : contactWays(site)
  return framed(
    site,
    { title: requests.confirmTitle(animal), address: { kind: 'confirmation', secret } },
    mistake === undefined
      ? html`<p>${requests.confirmText}</p>
          <form method="post" action="${site.href({ kind: 'confirmation', secret })}">
            <button class="btn main">${requests.confirm}</button>
          </form>`
      : html`<div class="notice" role="alert">
            <p>${wrong[mistake]}</p>
            ${ways.length > 0 && html`<p>${requests.call}</p>`}${ways}
          </div>
          <p class="acts"><a class="btn" href="${site.href(allAnimals)}">${site.words.back}</a></p>`,
  )
}

export type ShownRequest = {
  animal: string
  stage: OrderStage
  visit: (VisitTime & { place: string }) | null
}

export function statusPage(site: RenderedSite, secret: string, { animal, stage, visit }: ShownRequest): Html {
  const { requests } = site.words
  const address: RequestAddress = { kind: 'status', secret }
  const isOpen = openStages.some((open) => open === stage)
  return framed(
    site,
    { title: requests.statusTitle(animal), address },
    html`<p class="lead" role="status">${requests.stages[stage]}</p>
      ${isOpen && visit !== null && visitOf(site, visit)}
      <p class="quiet">${requests.keepLink}</p>
      ${
        isOpen &&
        change(site, address, 'withdraw', {
          title: requests.withdraw,
          text: requests.withdrawText,
          button: requests.withdrawDo,
        })
      }
      ${change(site, address, 'erase', { title: requests.erase, text: requests.eraseText, button: requests.eraseDo })}`,
  )
}

const visitOf = (site: RenderedSite, { place, ...time }: NonNullable<ShownRequest['visit']>): Html =>
  html`<h2 class="label">${site.words.requests.visit}</h2>
    <p><time datetime="${time.at.toISOString()}">${mailLocalTime(site.language, localTime(time))}</time></p>
    ${place.trim() !== '' && html`<p>${owned(site, place)}</p>`}`

/** One click opens it, the next one does it. */
const change = (
  site: RenderedSite,
  address: RequestAddress,
  action: RequestAction,
  { title, text, button }: { title: string; text: string; button: string },
): Html =>
  html`<details class="sift">
    <summary class="chip">${title}</summary>
    <form class="panel" method="post" action="${site.href(address)}">
      <p>${text}</p>
      <button class="btn" name="action" value="${action}">${button}</button>
    </form>
  </details>`

/** After the visitor has deleted everything: the page of the request is gone. */
export const erasedPage = (site: RenderedSite): Html =>
  word(site, site.words.requests.erasedTitle, site.words.requests.erasedText)

/** Of an address that no longer leads to a request. */
export const goneRequestPage = (site: RenderedSite): Html =>
  word(site, site.words.requests.goneTitle, site.words.requests.goneText)

type Head = { title: readonly [before: string, animal: string, after: string]; address: RequestAddress }

function framed(site: RenderedSite, { title: [before, animal, after], address }: Head, content: Part): Html {
  const main = html`<div class="wrap first words">
    <h1>${before}${owned(site, animal)}${after}</h1>
    ${content}
  </div>`
  return page(site, { title: `${before}${animal}${after}`, main, address })
}

const word = (site: RenderedSite, title: string, text: string): Html =>
  page(site, {
    title,
    main: html`<div class="wrap word">
      <h1>${title}</h1>
      <p class="quiet">${text}</p>
      <a class="btn main" href="${site.href(allAnimals)}">${site.words.back}</a>
    </div>`,
  })
