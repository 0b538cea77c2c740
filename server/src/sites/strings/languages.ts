// The languages of a site: its main one, in which its owner writes and whose addresses have no code, and those that the
// owner has added. Every page exists in each of them, with the same texts of the owner and with our words in that
// language.

import type { Language, SiteSettings } from '@petstore-platform/contract/platform/site'
import { html, type Part } from '../../foundation/html.ts'
import { hrefOf, type Address } from '../pages/addresses.ts'

type Chosen = Pick<SiteSettings, 'language' | 'languages'>

/** In its own language, so that the visitors who look for it can read it. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' }

const locales: Readonly<Record<Language, string>> = { en: 'en_GB', de: 'de_DE', fr: 'fr_FR', es: 'es_ES' }

/** As services that show shared links name a language; they know none without a country. */
export const localeOf = (language: Language): string => locales[language]

/** The main one first. */
export const languagesOf = ({ language, languages }: Chosen): readonly Language[] => [language, ...languages]

/** The address of a page in one of the site's languages. */
export const hrefIn = (chosen: Chosen, language: Language, address: Address): string =>
  hrefOf(address, language === chosen.language ? undefined : language)

/** For visitors who read none of the site's languages. */
export const DEFAULT_LANGUAGE = 'x-default'

/**
 * For search engines: each language with the address of a page in it, the same on all of these pages. A site in one
 * language has none.
 */
export function alternatesOf(chosen: Chosen, address: Address): (readonly [language: string, href: string])[] {
  if (chosen.languages.length === 0) return []
  const each = languagesOf(chosen).map((language) => [language, hrefIn(chosen, language, address)] as const)
  return [...each, [DEFAULT_LANGUAGE, hrefIn(chosen, chosen.language, address)]]
}

/** Links to the same page in every language, each by its own name. */
export function languageMenu(
  chosen: Chosen,
  { current, address, label }: { current: Language; address: Address; label: string },
): Part {
  if (chosen.languages.length === 0) return undefined
  return html`<nav class="wrap" aria-label="${label}">
    <ul class="acts">
      ${languagesOf(chosen).map(
        (language) =>
          html`<li>
            <a
              class="chip"
              href="${hrefIn(chosen, language, address)}"
              hreflang="${language}"
              lang="${language}"
              ${language === current && html` aria-current="page"`}
              >${names[language]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}
