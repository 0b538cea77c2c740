// The kinds of animals above a list, as links to their pages, each with the number of animals that its list
// shows, available and reserved ones.
// Kinds without any are left out if the numbers are known.

import { html, type Html } from '../../foundation/html.ts'
import { allAnimals, categoryAt } from './addresses.ts'
import type { Count, Listing } from './cards.ts'
import { owned, shortened, type Category, type RenderedSite } from './layout.ts'

const CHIPS = 8
const KINDS_MAX = 60

/** A few at first, more behind a disclosure, and never so many that the animals get lost. The site map has all. */
export function kindsNav(
  site: RenderedSite,
  counts: Listing['counts'],
  current: bigint | 'all' | undefined,
): Html | undefined {
  const { words } = site
  const shown = site.categories.filter(({ id }) => !counts || id === current || counts.has(id))
  if (shown.length === 0) return undefined
  const number = (count: Count | undefined) =>
    count !== undefined && html` <small>${count.available + count.pending}</small>`
  const chip = ({ id, name }: Category) =>
    html`<li>
      <a class="chip" href="${site.href(categoryAt({ id, name }))}" ${id === current && html` aria-current="page"`}
        >${owned(site, shortened(name, 40))}${number(counts && (counts.get(id) ?? NONE))}</a
      >
    </li>`
  const all = html`<li>
    <a class="chip" href="${site.href(allAnimals)}" ${current === 'all' && html` aria-current="page"`}
      >${words.everyone}${number(totalOf(counts))}</a
    >
  </li>`
  const rest = shown.slice(CHIPS, KINDS_MAX)
  return html`<nav class="kinds" aria-label="${words.categories}">
    <ul>
      ${all}${shown.slice(0, CHIPS).map(chip)}
    </ul>
    ${
      rest.length > 0 &&
      html`<details>
        <summary class="chip">${words.more}</summary>
        <ul>
          ${rest.map(chip)}
        </ul>
      </details>`
    }
  </nav>`
}

export const NONE: Count = { available: 0, pending: 0 }

export const totalOf = (counts: Listing['counts']): Count | undefined =>
  counts &&
  [...counts.values()].reduce(
    (sum, { available, pending }) => ({ available: sum.available + available, pending: sum.pending + pending }),
    NONE,
  )
