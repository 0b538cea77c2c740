// The privacy page: complete in every language, with the owner's contact as it is published, and every number in it is a
// period of the code.

import { languages } from '@petstore-platform/contract/platform/site'
import { VISITOR_DATA_DAYS } from '@petstore-platform/contract/platform/orders'
import { expect, test } from 'vitest'
import { DAY_SECONDS } from '../../orders/caps.ts'
import { REPORT_DAYS } from '../../plans/retention.ts'
import { animalPage } from './animal-page.ts'
import { faultsOfPage } from './check.ts'
import { noFilters } from './filters.ts'
import { emptyForm, readForm } from './form.ts'
import { animalsPage, categoryPage } from './list-page.ts'
import { privacyPage } from './privacy-page.ts'
import { homePage, missingPage, thanksPage } from './render.ts'
import { sitemap } from './sitemap.ts'
import { HOSTILE, animals, contentWith, hostileContent, siteWith } from '../../../../testbed/samples/sites.ts'
import { privacyTexts, type PrivacyTexts } from '../strings/strings-privacy.ts'
import { wordsOf } from '../strings/strings.ts'
import { elementsOf } from './well-formed.ts'

const origin = 'https://willow.petstore.example'
const contact = { email: 'hello@willow.example', phone: 'by phone', address: 'Willow Street' }
const siteIn = (language: (typeof languages)[number]) =>
  siteWith(contentWith({ language, contact }), origin, { isMailing: true, isReportable: true })
const site = siteIn('en')

const mainOf = ({ text }: { text: string }) =>
  /<main[^>]*>([^]*)<\/main>/.exec(text)?.[1]?.replace(/<[^>]*>/g, ' ') ?? ''
const numbersIn = (text: string) => text.replaceAll('&#39;', '’').match(/\d+/g) ?? []
const escaped = (text: string) => text.replaceAll("'", '&#39;')

/** Every text, with a period where it has one. */
const textsOf = ({ kept, reported, ...texts }: PrivacyTexts, hours: number): string[] => [
  kept(VISITOR_DATA_DAYS),
  reported(REPORT_DAYS),
  ...Object.values(texts).flatMap((text) => (typeof text === 'function' ? [text(hours)] : text)),
]

test.each(languages)('in %s, every text is on the page, and every number is a period of the code', (language) => {
  const page = privacyPage(siteIn(language))
  const hours = DAY_SECONDS / 3600
  for (const text of textsOf(privacyTexts[language], hours).filter((one) => one !== privacyTexts[language].noContact))
    expect(page.text).toContain(escaped(text))
  expect(numbersIn(mainOf(page))).toEqual([hours, VISITOR_DATA_DAYS, REPORT_DAYS, hours].map(String))
  expect(faultsOfPage(siteIn(language), { name: 'x', text: page.text })).toEqual([])
  expect(page.text).toContain(`<html lang="${language}"`)
})

test.each(languages)('in %s, another period gives another number', (language) => {
  const shown = (unconfirmed: number) =>
    numbersIn(mainOf(privacyPage(siteIn(language), { unconfirmed, counted: 5 * 3600, keptDays: 30 })))
  expect(shown(3 * 3600)).toEqual(['3', '30', String(REPORT_DAYS), '5'])
  // Rounded up: "up to" must not say less than what is done.
  expect(shown(2 * 3600 + 1)).toEqual(['3', '30', String(REPORT_DAYS), '5'])
})

test('a number in a text is noticed (negative control)', () => {
  const words = { ...site.words, privacyPage: { ...privacyTexts.en, why: 'We delete it after 7 days.' } }
  expect(numbersIn(mainOf(privacyPage({ ...site, words })))).toEqual(['7', '24', '90', String(REPORT_DAYS), '24'])
})

test('the page names every field of the form, and nothing else is sent with it', () => {
  const form = elementsOf(
    animalPage(site, { id: 7n, name: 'Rex', categoryId: 1n, status: 'available' }, { form: emptyForm('t') }).text,
  )
  const fields = form.filter(({ name }) => name === 'input' || name === 'textarea')
  const sent = fields.map(({ attributes }) => attributes.get('name') ?? '')
  expect(sent.toSorted()).toEqual(['answer-0', 'contact', 'message', 'name', 'phone', 'questions', 'token', 'website'])
  // The last three say what was asked and prove that a person has sent the form, and are not stored.
  const read = ['answers', 'contact', 'message', 'name', 'phone', 'questions', 'token', 'trap']
  expect(Object.keys(readForm('')).toSorted()).toEqual(read)
  const { name, email, phone, optional, message } = wordsOf.en
  for (const label of [name, email, `${phone} (${optional})`, message, privacyTexts.en.answers])
    expect(mainOf(privacyPage(site))).toContain(label)
  const silent = siteWith(contentWith({ contact, questions: [] }), origin)
  expect(mainOf(privacyPage(silent))).toContain(wordsOf.en.reach)
  expect(mainOf(privacyPage(silent))).not.toContain(privacyTexts.en.answers)
})

test('the page names the owner with the contact as it is published, or says that there is none', () => {
  const text = privacyPage(site).text
  expect(text).toContain('<b><bdi>Willow Street Shelter</bdi></b>')
  for (const line of Object.values(contact)) expect(mainOf({ text })).toContain(line)
  expect(text).not.toContain(privacyTexts.en.noContact)
  expect(privacyPage(siteWith(contentWith(), origin)).text).toContain(privacyTexts.en.noContact)
})

test('texts of the owner stay text', () => {
  const hostile = siteWith(hostileContent, origin)
  const { text } = privacyPage(hostile)
  expect(text).not.toContain(HOSTILE)
  expect(text).not.toContain('<script>')
  expect(faultsOfPage(hostile, { name: 'x', text })).toEqual([])
})

test('search engines may list the page, under one address, which is in the site map', () => {
  const { text } = privacyPage(site)
  expect(text).toContain(`<link rel="canonical" href="${origin}/privacy" />`)
  expect(text).not.toContain('noindex')
  expect(sitemap(site, []).text).toContain(`<loc>${origin}/privacy</loc>`)
})

test('every page links to it at its end, and so does the form', () => {
  const [rex] = animals(1)
  if (!rex) throw new Error('no animal')
  const listing = { animals: [rex], newer: undefined, older: undefined }
  const pages = [
    homePage(site, listing),
    animalsPage(site, { filters: noFilters, span: undefined }, listing),
    categoryPage(site, { id: 1n, name: 'Dogs' }, listing),
    animalPage(site, rex, { form: emptyForm('t') }),
    animalPage(site, { ...rex, status: 'sold' }, {}),
    thanksPage(site, rex),
    missingPage(site),
    privacyPage(site),
  ]
  const linksIn = (text = '') =>
    elementsOf(text).filter(({ name, attributes }) => name === 'a' && attributes.get('href') === '/privacy')
  const footerOf = (text: string) => /<footer[^]*<\/footer>/.exec(text)?.[0]
  for (const { text } of pages) expect(linksIn(footerOf(text))).toHaveLength(1)
  const form = /<form[^]*<\/form>/.exec(pages[3]?.text ?? '')?.[0]
  expect(linksIn(form)).toHaveLength(1)
  expect(linksIn('<footer><a href="/animals">Animals</a></footer>')).toHaveLength(0)
})
