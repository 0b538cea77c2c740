// The form with which visitors narrow a list down. It is sent with GET, so that every choice has an address of its own,
// and it needs no script.

import { sexes, sizes } from '@petstore-platform/contract/platform/profiles'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { allAnimals } from './addresses.ts'
import { ages, companies, companyFields, SEARCH_LENGTH_MAX, sorts, type Filters } from './filters.ts'
import { shortened, type RenderedSite } from './layout.ts'

type Choice = readonly [value: string, text: Part, lang?: Part]

/** A store may have a thousand; the others are chosen on their own pages. */
const KINDS_MAX = 100

/** Closed, so that the animals are in view; what is chosen stands below it. */
export function filterForm(site: RenderedSite, filters: Filters): Html {
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
export function chosenFilters(site: RenderedSite, filters: Filters): Part {
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
