// Five hundred texts that try to become markup or script, and every page of a site and every mail with such a text wherever
// people write one. A browser is not needed: `well-formed.ts` reads markup more strictly than any, and what it accepts is
// examined for everything that a browser would execute.

import { fieldsWith } from '@petstore-platform/contract/platform/profile-fields'
import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { languages } from '@petstore-platform/contract/platform/site'
import { isMailKind, mailKinds } from '../../server/src/program/mail-kinds.ts'
import { mailHtml } from '../../server/src/mail/render.ts'
import { mailSamples } from '../samples/mails.ts'
import { animalPage } from '../../server/src/sites/pages/animal-page.ts'
import { noFilters } from '../../server/src/sites/pages/filters.ts'
import { emptyForm } from '../../server/src/sites/pages/form.ts'
import { animalsPage, categoryPage } from '../../server/src/sites/pages/list-page.ts'
import { printPage } from '../../server/src/sites/pages/print-page.ts'
import { privacyPage } from '../../server/src/sites/pages/privacy-page.ts'
import { favicon, homePage, missingPage, thanksPage } from '../../server/src/sites/pages/render.ts'
import { sitemap } from '../../server/src/sites/pages/sitemap.ts'
import { confirmationPage, statusPage } from '../../server/src/sites/pages/request-pages.ts'
import { contentWith, siteWith } from '../samples/sites.ts'
import { elementsOf, faultsOfHtml } from '../../server/src/sites/pages/well-formed.ts'

/** What ends the place where a text is inserted. */
const openings = ['', '"', "'", '>', '">', "'>", '`', '-->', ']]>', '</title>', '</textarea>', '</style>', '</script>', '&quot;>', '&#34;&#62;', '\0">', '\u2028">', '\uFF02>', '\\">', '{{"'] // prettier-ignore
const scripts = ['<script>alert(1)</script>', '<SCRIPT SRC=//x.example></SCRIPT>', '<scr\0ipt>alert(1)</scr\0ipt>', '<img src=x onerror=alert(1)>', '<img/src="x"/onerror=alert(1)>', '<svg onload=alert(1)>', '<svg><script>alert(1)</script></svg>', '<body onload=alert(1)>', '<iframe src="javascript:alert(1)"></iframe>', '<iframe srcdoc="<script>alert(1)</script>">', '<object data="data:text/html,x">', '<embed src=javascript:alert(1)>', '<base href="https://x.example/">', '<link rel=stylesheet href=//x.example>', '<meta http-equiv=refresh content="0;url=javascript:alert(1)">', '<form action=javascript:alert(1)><button>', '<math href="javascript:alert(1)">x</math>', '<style>@import"//x.example"</style>', ' onmouseover=alert(1) x=', ' autofocus onfocus=alert(1) ', 'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '[x](javascript:alert(1))', '![x](x"onerror="alert(1))', '<a href="&#106;avascript:alert(1)">x</a>'] // prettier-ignore

export const hostileStrings = openings.flatMap((opening) => scripts.map((script) => `${opening}${script}`))

/** Every page and every mail with this text, by name. */
export function documentsWith(text: string, language: (typeof languages)[number]): [name: string, markup: string][] {
  const contact = { email: text, phone: text, address: text }
  const settings = { title: text, tagline: text, about: `${text}\n\n# ${text}\n\n- ${text}`, contact, language }
  const site = siteWith(contentWith(settings, { categories: [{ id: 1n, name: text }] }), 'https://x.example')
  const profile = {
    ...emptyProfile,
    ...Object.fromEntries(fieldsWith({ shown: ['card', 'page'], type: ['line', 'text'] }).map((name) => [name, text])),
    story: `${text}\n\n> ${text}`,
    traits: [text],
  }
  const animal = { id: 7n, name: text, categoryId: 1n, status: 'available' as const, profile }
  const listing = { animals: [animal], newer: undefined, older: undefined }
  const typed = { name: text, contact: text, phone: text, message: text }
  const visit = { at: new Date('2026-11-23T15:04:00Z'), offset: 60, place: text }
  const pages = {
    home: homePage(site, listing),
    animals: animalsPage(site, { filters: { ...noFilters, q: text }, span: undefined }, listing),
    category: categoryPage(site, { id: 1n, name: text }, listing),
    animal: animalPage(site, animal, { form: { ...emptyForm(text), typed } }),
    print: printPage(site, animal),
    thanks: thanksPage(site, animal),
    missing: missingPage(site),
    privacy: privacyPage(site),
    confirmation: confirmationPage(site, '0'.repeat(32), { animal: text }),
    status: statusPage(site, '0'.repeat(32), { animal: text, stage: 'visit', visit }),
    favicon: favicon(site),
    sitemap: sitemap(site, [animal]),
  }
  const mails = Object.keys(mailKinds).filter(isMailKind)
  return [
    ...Object.entries(pages).map(([name, page]): [string, string] => [name, page.text]),
    ...mails.map((kind): [string, string] => [`mail ${kind}`, mailHtml(mailSamples[kind](language, text))]),
  ]
}

const active = new Set(['iframe', 'object', 'embed', 'base', 'frame', 'applet', 'math', 'animate', 'foreignobject'])
const addresses = new Set(['href', 'src', 'action', 'formaction', 'srcset', 'data', 'poster', 'xlink:href'])

/** What a browser would execute or load because of a text; none if it stayed text. */
export function executedIn(markup: string): string[] {
  return [
    ...faultsOfHtml(markup.replaceAll('<!doctype html>', '')),
    ...elementsOf(markup).flatMap(({ name, attributes }) => [
      ...(active.has(name) ? [`<${name}>`] : []),
      ...(name === 'script' && attributes.get('type') !== 'application/ld+json' ? ['<script>'] : []),
      ...(name === 'meta' && attributes.get('http-equiv') === 'refresh' ? ['a refresh'] : []),
      ...[...attributes].flatMap(([key, value]) => [
        ...(key.startsWith('on') ? [`<${name} ${key}>`] : []),
        ...(addresses.has(key) && isExecutable(value) ? [`<${name} ${key}="${value}">`] : []),
      ]),
    ]),
  ]
}

/** Browsers skip spaces and control characters in a scheme. */
// oxlint-disable-next-line no-control-regex
const isExecutable = (address: string) => /^(javascript|data|vbscript):/i.test(address.replaceAll(/[\0-\x20]/g, ''))
