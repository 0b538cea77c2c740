// The pages with lists: all animals, narrowed down or not, and those of one category.

import { html, type Html, type Part } from '../../foundation/html.ts'
import { allAnimals, categoryAt, type Address, type Place, type Span } from './addresses.ts'
import { grid, pagesOf, type Count, type Listing } from './cards.ts'
import { chosenFilters, filterForm } from './filter-form.ts'
import { isFiltered, isPlain, noFilters, type Filters } from './filters.ts'
import { kindsNav, NONE, totalOf } from './kinds.ts'
import type { Loading } from './photos.ts'
import { hasContact, owned, page, scene, shortened, type RenderedSite } from './layout.ts'

export function animalsPage(
  site: RenderedSite,
  { filters, span }: { filters: Filters; span: Span | Place },
  listing: Listing,
): Html {
  const { words } = site
  const at = (to: Span | Place): Address => ({ kind: 'animals', filters, span: to })
  const href = (to: Span | Place) => site.href(at(to))
  const isSifted = isFiltered(filters)
  const total = totalOf(isSifted ? undefined : listing.counts)
  // Reserved animals are not in the order of waiting.
  const count = total && filters.sort === 'longest' ? { ...total, pending: 0 } : total
  const main = html`<section class="wrap list first" id="animals" aria-labelledby="waiting">
    ${headingOf('h1', words.everyone, site, count)}
    ${kindsNav(site, listing.counts, isPlain(filters) ? 'all' : undefined)}${filterForm(site, filters)}${chosenFilters(site, filters)}
    ${cards(site, listing, { isOfOneKind: filters.kind !== undefined, isSifted })}
    ${pagesOf(site, listing, { href, isByWaiting: filters.sort === 'longest' })}
  </section>`
  const isPart = !isPlain(filters)
  return page(site, {
    title: words.everyone,
    main,
    address: at(span),
    canonical: isPart ? allAnimals : at(span),
    isPart,
  })
}

export function categoryPage(
  site: RenderedSite,
  { id, name, span }: { id: bigint; name: string; span?: Span },
  listing: Listing,
): Html {
  const href = (to: Span | Place) => site.href(categoryAt({ id, name }, isSpan(to) ? to : undefined))
  const count = listing.counts && (listing.counts.get(id) ?? NONE)
  const main = html`<section class="wrap list first" id="animals" aria-labelledby="waiting">
    ${headingOf('h1', owned(site, name), site, count)}
    ${kindsNav(site, listing.counts, id)}${filterForm(site, { ...noFilters, kind: id })}
    ${cards(site, listing, { isOfOneKind: true })} ${pagesOf(site, listing, { href })}
  </section>`
  return page(site, { title: shortened(name, 80), main, canonical: categoryAt({ id, name }, span) })
}

const isSpan = (span: Span | Place): span is Span => span === undefined || !('since' in span)

/** With the number of animals that the list shows, and `more` at the end of the line. */
export function headingOf(
  level: 'h1' | 'h2',
  title: Part,
  { words }: RenderedSite,
  count: Count | undefined,
  more?: Part,
): Html {
  const counted = (['available', 'pending'] as const)
    .flatMap((status) => (count && count[status] > 0 ? words.counted[status](count[status]) : []))
    .join(', ')
  const heading = level === 'h1' ? html`<h1 id="waiting">${title}</h1>` : html`<h2 id="waiting">${title}</h2>`
  return html`<div class="line">${heading}${counted !== '' && html`<span>${counted}</span>`}${more}</div>`
}

/** The animals, or a sentence and a way on. */
export function cards(
  site: RenderedSite,
  { animals, isCut = false }: Listing,
  { isOfOneKind, isSifted = false, lead }: { isOfOneKind: boolean; isSifted?: boolean; lead?: Loading },
): Html {
  const { words } = site
  if (animals.length > 0)
    return html`${grid(site, animals, isOfOneKind, lead)}${isCut && html`<p class="quiet">${words.scanned}</p>`}`
  const sentence = isCut ? words.scanned : isSifted ? words.noMatch : words.noAnimals
  return html`<div class="empty">
    ${scene(isSifted ? 'scenes/glass.svg' : 'scenes/box.svg')}
    <p>${sentence}</p>
    ${
      isSifted
        ? html`<a class="btn" href="${site.href(allAnimals)}">${words.clear}</a>`
        : hasContact(site) && html`<a class="btn" href="#contact-us">${words.contact}</a>`
    }
  </div>`
}
