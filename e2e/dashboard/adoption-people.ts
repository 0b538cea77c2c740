// The visitors of the journey to a first adoption: on phones, without a script.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { questionsIn } from '@petstore-platform/contract/platform/usual-questions'
import { wordsFor } from '../../server/src/sites/strings/strings.ts'
import { openMail, type AdoptionEnvironment } from './adoption-environment.ts'
import { phone } from './browser-environment.ts'
import { press } from './text-patterns.ts'

export const site = wordsFor('en', 'shelter')
const { requests: words } = site
const [household = '', hasLived = ''] = questionsIn(null, 'shelter', 'en').map(({ text }) => text)

type Person = { name: string; email: string; phone: string; household: string }
export const people = {
  ana: {
    name: 'Ana Lopez',
    email: 'ana@visitor.example',
    phone: '+44 20 7946 0958',
    household: 'Two adults, and a garden.',
  },
  ben: { name: 'Ben Miller', email: 'ben@visitor.example', phone: '020 7946 0999', household: 'Just me.' },
} as const satisfies Record<string, Person>
/** `animal`: the address of its page; `page` shows how the request is going. */
export type SiteVisitor = Person & { animal: string; page: Page }

/** From the home page of a site to the page of a request; the menu, a photo and the form are used on the way. */
export async function asksFor(
  environment: AdoptionEnvironment,
  slug: string,
  animal: string,
  person: Person,
): Promise<SiteVisitor> {
  const { dashboard } = environment
  const { name, email } = person
  const context = await dashboard.browser.newContext({ viewport: phone, javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  const picture = (what: string) => environment.picture(`${name} ${what}`, page)
  await page.goto(dashboard.siteUrlOf(slug))
  await picture('visits the site')
  await page.getByRole('navigation', { name: site.menu }).getByRole('link', { name: site.everyone }).click()
  await page.waitForURL(/\/animals$/)
  await picture('sees all animals')
  await page.getByRole('main').getByRole('link', { name: animal }).first().click()
  await page.getByRole('heading', { level: 1, name: animal }).waitFor()
  await picture(`meets ${animal}`)
  const address = page.url()
  await page.locator('.reel a').click()
  await page.waitForURL(/\/photos\//)
  expect(await page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(640)
  await picture('enlarges a photo')
  await page.goBack()

  await page.locator('.stick').click()
  await page.getByLabel(site.name).fill(name)
  await page.getByLabel(site.email, { exact: true }).fill(email)
  await page.getByLabel(site.phone).fill(person.phone)
  await page.getByLabel(household).fill(person.household)
  await page.getByLabel(hasLived).selectOption({ label: words.yes })
  await picture('fills in the form')
  await press(page, site.send)
  await page.getByRole('heading', { name: words.mailedTitle }).waitFor()
  await picture('is to confirm')
  await openMail(environment, page, { to: email, subject: `confirm your request for ${animal}` })
  await page.getByRole('link').first().click()
  await press(page, words.confirm)
  await page.getByText(words.stages.new).waitFor()
  return { ...person, animal: address, page }
}
