// The pages with lists: all animals, narrowed down or not, and those of one category.

import { sexes, sizes } from '@petstore-platform/contract/platform/profiles'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { allAnimals, categoryAt, type Address, type Place, type Span } from './addresses.ts'
import { grid, pagesOf, type Count, type Listing } from './cards.ts'
import {
  isFiltered,
  isPlain,
  noFilters,
  ages,
  companies,
  companyFields,
  SEARCH_LENGTH_MAX,
  sorts,
  type Filters,
} from './filters.ts'
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

// The form with which visitors narrow a list down. It is sent with GET, so that every choice has an address of its own,
// and it needs no script.

type Choice = readonly [value: string, text: Part, lang?: Part]

/** A store may have a thousand; the others are chosen on their own pages. */
const KINDS_MAX = 100

/** Closed, so that the animals are in view; what is chosen stands below it. */
function filterForm(site: RenderedSite, filters: Filters): Html {
  const { words } = site
  const kinds = site.categories
    .filter(({ id }, index) => index < KINDS_MAX || id === filters.kind)
    .map(({ id, name }): Choice => [String(id), shortened(name, 40), site.ownLang])
  return html`<details class="sift">
    <summary class="chip">${words.filters}</summary>
    <form class="panel" method="get" action="${site.href(allAnimals)}">
      <div class="fields">
        <div class="field">
          <label for="f-q">${words.search}</label>
          <input id="f-q" name="q" type="search" value="${filters.q}" maxlength="${SEARCH_LENGTH_MAX}" />
        </div>
        ${
          kinds.length > 0 &&
          select('kind', words.kind, filters.kind === undefined ? '' : String(filters.kind), [
            ['', words.anything],
            ...kinds,
          ])
        }
        ${select('sex', words.facts.sex, filters.sex, [['', words.anything], ...sexes.map((one): Choice => [one, words.sexes[one]])])}
        ${select('age', words.facts.born, filters.age, [['', words.anything], ...ages.map((one): Choice => [one, words.ages[one]])])}
        ${select('size', words.facts.size, filters.size, [['', words.anything], ...sizes.map((one): Choice => [one, words.sizes[one]])])}
        ${select(
          'sort',
          words.sort,
          filters.sort,
          sorts.map((one): Choice => [one === 'newest' ? '' : one, words.sorts[one]]),
        )}
      </div>
      <fieldset>
        <legend>${words.goodWith}</legend>
        ${companies.map(
          (one) =>
            html`<label class="tick"
              ><input type="checkbox" name="with" value="${one}" ${filters.with.includes(one) && html` checked`} />${
                words.answers[companyFields[one]][0]
              }</label
            >`,
        )}
      </fieldset>
      <p class="acts"><button class="btn main">${words.show}</button></p>
    </form>
  </details>`
}

/** What is chosen, each as a link to the list without it. */
function chosenFilters(site: RenderedSite, filters: Filters): Part {
  const { words } = site
  const { kind, sex, age, size, q, sort } = filters
  const chosen: (readonly [text: string | undefined, without: Partial<Filters>, lang?: Part])[] = [
    [q === '' ? undefined : `“${q}”`, { q: '' }],
    [kind === undefined ? undefined : site.nameOf(kind), { kind: undefined }, site.ownLang],
    [sex && words.sexes[sex], { sex: undefined }],
    [age && words.ages[age], { age: undefined }],
    [size && words.sizes[size], { size: undefined }],
    ...filters.with.map(
      (one) => [words.answers[companyFields[one]][0], { with: filters.with.filter((other) => other !== one) }] as const,
    ),
    [sort === 'newest' ? undefined : words.sorts[sort], { sort: 'newest' }],
  ]
  const shown = chosen.filter(([text]) => text !== undefined)
  if (shown.length === 0) return undefined
  return html`<ul class="chosen" aria-label="${words.chosen}">
    ${shown.map(
      ([text, without, lang]) =>
        html`<li>
          <a class="chip" href="${site.href({ kind: 'animals', filters: { ...filters, ...without }, span: undefined })}"
            ><bdi${lang}>${shortened(text ?? '', 40)}</bdi
            ><svg class="i" viewBox="0 0 24 24" role="img" aria-label="${words.leaveOut}">
              <path d="M6 6l12 12M18 6 6 18" /></svg
          ></a>
        </li>`,
    )}
    <li><a class="all" href="${site.href(allAnimals)}">${words.clear}</a></li>
  </ul>`
}

const select = (name: string, label: string, chosen: string | undefined, choices: readonly Choice[]): Html =>
  html`<div class="field">
    <label for="f-${name}">${label}</label>
    <select id="f-${name}" name="${name}">
      ${choices.map(
        ([value, text, lang]) =>
          html`<option value="${value}" ${lang} ${value === chosen && html` selected`}>${text}</option>`,
      )}
    </select>
  </div>`
