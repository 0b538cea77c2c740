// The first adoption of a store, on phones: from a person who has never heard of Petstore to an animal that has found a
// home. The owner uses the dashboard, two visitors the published site without a script, and all of them their mail.
// Everything happens on a screen; only the minute in which a move can be undone is cut short.
//
//   SHOTS=<folder>            a screenshot of each step, and of each mail
//   SCREENSHOTS=docs/images   the picture of a mail in docs/operations.md

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { orderTexts } from '../../server/src/orders/mail-texts.ts'
import { calendarOf } from '../../testbed/harness/calendar.ts'
import { asksFor, people, site, type SiteVisitor } from './adoption-people.ts'
import { openMail, reply, startAdoption, takeMailPicture, type AdoptionEnvironment } from './adoption-environment.ts'
import { overflowOf, phone, type Opened } from './browser-environment.ts'
import { isBelow } from './page-checks.ts'
import { takePictures } from './pictures.ts'
import { stepsOf } from './steps.ts'
import { ANY, alertOf, press, saying } from './text-patterns.ts'

const { account, animals, common, front, orders, photos, profiles, projects, stages, start, storeKind } = texts
const { fields } = profiles
const { requests: words } = site
const mails = orderTexts.en.visitor

const STORE = 'Willow Street Animals'
const OWNER = 'robin@willow-street.example'
const [email, address] = ['hello@willow-street.example', '12 Willow Street, Fieldwick']
const contact = { email, phone: '+44 20 7946 0123', address }
const SENTENCE = 'Juno moves in with people who have a garden. We would love to show you Pepper.'

let owner: Opened
/** The one that the step is about. */
let page: Page
let slug: string
let ana: SiteVisitor
let ben: SiteVisitor
let environment: AdoptionEnvironment
const { step, picture: keep } = stepsOf('adoption', () => page)

beforeAll(async () => void (environment = await startAdoption(picture)))
afterAll(() => environment?.stop())

/** The pages of the dashboard fit the window; those that run no script have no frames to wait for. */
async function picture(name: string, of: Page = page): Promise<void> {
  await keep(name, of)
  if (of.url().startsWith(environment.dashboard.origin)) expect(await overflowOf(of)).toEqual([])
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const part = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = () => page.getByRole('dialog')
/** In the bar within reach of the thumb. */
const goTo = (name: string) =>
  page.getByRole('navigation', { name: common.nav.main }).getByRole('link', { name }).click()
const isSaved = (words: (time: string) => string) => saying(page.getByRole('status'), words(ANY)).waitFor()

/** As the list says it: the next step is a button, later ones are links; each leads to its field. */
async function setUp(title: string, focused: string, fill: () => Promise<void>): Promise<void> {
  await goTo(common.nav.start)
  await part(start.steps.title).getByRole('listitem').filter({ hasText: title }).getByRole('link').click()
  await page.locator(`#${focused}:focus`).waitFor()
  await fill()
  await isSaved(texts.site.savedAt)
  await picture(title)
}

step('The first page says what Petstore is, and leads to an account', async () => {
  owner = await environment.dashboard.open('/', { size: phone })
  page = owner.page
  await heading(front.title).waitFor()
  await page.getByText(front.lead).waitFor()
  await picture('the first page')
  await page.getByRole('link', { name: front.signUp }).click()
  await field(account.email).fill(OWNER)
  await button(account.signUp.mails).click()
  await heading(account.signUp.mailed.title).waitFor()
})

step('The mailed link leads to an account, and the account to a store', async () => {
  await openMail(environment, page, { to: OWNER, subject: 'Confirm your email address' })
  await page.getByRole('link').first().click()
  await field(account.signUp.name).fill('Robin')
  await page.getByLabel(account.password, { exact: true }).fill('a good long password')
  await picture('a new account')
  await button(account.signUp.action).click()
  await heading(projects.welcome.title).waitFor()
  await field(projects.create.name).fill(STORE)
  await page.getByText(storeKind.kinds.shelter.name).click()
  await page.getByRole('status').getByText(projects.create.isFree).waitFor()
  await picture('a new store')
  await button(projects.create.action).click()
  await heading(start.greeting.to('', 'Robin')).waitFor()
  slug = new URL(page.url()).pathname.split('/')[2] ?? ''
  await part(start.steps.title).waitFor()
})

step('The set-up list leads to the contact details, the opening hours and the look', async () => {
  const { fields: names } = texts.site
  const about = 'We are a small shelter by the river.\n\n- Tuesday to Saturday, 2 to 6 pm'
  await setUp(start.steps.contact.title, 'site-email', async () => {
    for (const name of ['email', 'phone', 'address'] as const) await field(names[name]).fill(contact[name])
  })
  await setUp(start.steps.about.title, 'site-about', () => field(names.about).fill(about))
  await setUp(start.steps.look.title, 'site-look', () => button('Plum').click())
  await goTo(common.nav.start)
  await part(start.steps.title).getByText(start.steps.done(3, 8)).waitFor()
})

step('An animal is added with a photo, and described', async () => {
  await goTo(common.addAnimal)
  await dialog().getByRole('textbox', { name: animals.name, exact: true }).fill('Juno')
  await dialog().getByRole('textbox', { name: animals.dialog.newCategoryName }).fill('Dogs')
  await press(dialog(), animals.dialog.add)
  await heading('Juno').waitFor()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(photos.add).click()])
  await chooser.setFiles(await takePictures(environment.dashboard.browser, ['dog-1']))
  await page.locator('[data-photo][data-state=ready]').waitFor({ timeout: 60_000 })
  await field(fields.headline).fill('Walks like a lady, sleeps like a log')
  await field(fields.story).fill('Juno came in **October**, when her family moved abroad.')
  await field(fields.breed).fill('Border collie')
  await page.getByRole('checkbox', { name: fields.isMixed }).check()
  await page.getByRole('combobox', { name: fields.sex, exact: true }).selectOption(profiles.sexes.female)
  await field(fields.born).fill('2 years')
  const children = page.getByRole('radiogroup', { name: fields.goodWithChildren })
  await children.getByText(profiles.answers.yes, { exact: true }).click()
  await button('calm').click()
  await field(profiles.fee('shelter')).fill('240')
  await isSaved(profiles.savedAt)
})

step('The site is published', async () => {
  await goTo(common.nav.start)
  await picture('the next step is to publish')
  await part(start.steps.title).getByRole('link', { name: start.steps.publish.action }).click()
  await button(texts.site.deploy).click()
  await page.getByText(texts.site.visitorsSee(1)).waitFor({ timeout: 60_000 })
  // In the same order as before the pages of animals, whose style sheet stays.
  expect(await isBelow(button(texts.site.deploy), page.getByText(texts.site.toHistory))).toBe(true)
})

step('Ana and Ben find Juno on their phones, and ask for her', async () => {
  ana = await asksFor(environment, slug, 'Juno', people.ana)
  ben = await asksFor(environment, slug, 'Juno', people.ben)
  page = ben.page
})

step('The mail to the owner has the answers and the number, and leads to the request', async () => {
  page = owner.page
  const { text } = await openMail(environment, page, { to: OWNER, subject: 'New request for Juno', says: ana.email })
  for (const said of [ana.name, ana.phone, ana.household]) expect(text).toContain(said)
  await takeMailPicture(page)
  await page.getByRole('link', { name: orderTexts.en.button }).click()
  await heading(orders.pageTitle(ana.name, 'Juno')).waitFor()
  await page.getByText(orders.place(1, 2, 'Juno')).waitFor()
  await page.getByText(ana.household).waitFor()
  await picture('the request')
  await button(orders.moves.contacted).click()
  await alertOf(page, orders.moved.contacted(ana.name)).waitFor()
  await ana.page.reload()
  await ana.page.getByText(words.stages.talking).waitFor()
})

step('A visit is arranged at the address of the store, in the future', async () => {
  await button(orders.moves.visit_set).click()
  const at = dialog().getByLabel(orders.visit.at)
  await at.fill('2020-05-03T14:30')
  await press(dialog(), orders.visit.action)
  await dialog().getByText(orders.visit.isPast).waitFor()
  await picture('a visit in the past is refused')
  expect(await dialog().getByLabel(orders.visit.place).inputValue()).toBe(address)
  await at.fill('2031-05-03T14:30')
  await press(dialog(), orders.visit.action)
  await part(orders.visit.title).getByText('3 May 2031').waitFor()
})

step('Ana is invited by the store, with a file for her calendar, and her answer reaches the store', async () => {
  page = ana.page
  const mail = await openMail(environment, page, { to: ana.email, says: mails.visit('Juno', STORE), subject: STORE })
  for (const said of ['3 May 2031', address, mails.reply(STORE)]) expect(mail.text).toContain(said)
  const { method, event } = calendarOf(mail.source)
  expect(method).toBe('PUBLISH')
  expect(event).toMatchObject({ DTSTART: '20310503T143000Z', LOCATION: address, CN: STORE })
  expect(mail.from).toEqual({ name: STORE, address: 'no-reply@petstore.example' })
  expect(mail.answersGoTo).toBe(email)
  await reply(environment, mail, { from: ana.email, text: 'We will be there.' })
  await openMail(environment, page, { to: email, subject: `Re: ${STORE}`, says: 'We will be there.' })
  await page.goBack()
  await page.getByRole('link', { name: mails.status }).click()
  await page.getByText(words.stages.visit).waitFor()
})

step('Ben is declined with a sentence, and reads it', async () => {
  page = owner.page
  await goTo(common.nav.orders)
  await page.getByRole('link', { name: ben.name }).click()
  await button(orders.moves.declined).click()
  await dialog().getByRole('radio', { name: orders.decline.reasons.other_visitor }).check()
  await dialog().getByLabel(orders.decline.text(ben.name)).fill(SENTENCE)
  const decline = dialog().getByRole('button', { name: orders.decline.action })
  // The buttons of a dialog are at the bottom, where the notice about the visit would be, as long as it is shown.
  const notice = alertOf(page, orders.moved.visit_set(ana.name))
  const ends = () => notice.evaluateAll((shown) => shown.map((one) => one.getBoundingClientRect().bottom))
  const top = async () => (await decline.boundingBox())?.y ?? 0
  await expect.poll(async () => Math.max(0, ...(await ends())) <= (await top())).toBe(true)
  await picture('a sentence to Ben')
  await decline.click()
  await alertOf(page, orders.moved.declined(ben.name)).waitFor()
  await picture('Ben is declined')
  page = ben.page
  const { text } = await openMail(environment, page, { to: ben.email, subject: STORE, says: SENTENCE })
  expect(text).toContain(mails.because.other_visitor('Juno', STORE))
  await page.getByText(SENTENCE, { exact: true }).waitFor()
  await page.getByRole('link', { name: mails.status }).click()
  await page.getByText(words.stages.declined).waitFor()
})

step('Juno moves in with Ana, whose mail says so', async () => {
  page = owner.page
  await goTo(common.nav.orders)
  await page.getByRole('link', { name: ana.name }).click()
  await page.getByText(orders.notifies(ana.name)).waitFor()
  await button(orders.moves.handed_over.shelter).click()
  await alertOf(page, orders.moved.handed_over(ana.name, 'Juno')).waitFor()
  await heading(orders.pageTitle(ana.name, 'Juno')).locator('..').getByText(stages.completed.shelter).waitFor()
  await picture('adopted')
  page = ana.page
  await openMail(environment, page, { to: ana.email, subject: STORE, says: mails.completed('Juno') })
  await page.getByRole('link', { name: mails.status }).click()
  await page.getByText(words.stages.completed).waitFor()
})

step('The site takes no more requests for Juno, and the owner finds nothing left to do', async () => {
  page = ben.page
  await page.goto(environment.dashboard.siteUrlOf(slug))
  await page.getByText(site.noAnimals).waitFor()
  await picture('the site without Juno')
  await page.goto(ana.animal)
  await page.getByText(site.unavailable.sold).waitFor()
  expect(await page.locator('form').count()).toBe(0)
  page = owner.page
  await goTo(common.nav.start)
  await page.getByText(start.todo.none, { exact: true }).waitFor()
  await picture('the home page')
  await goTo(common.nav.more)
  await picture('everything else')
  await page.getByRole('link', { name: common.nav.activity }).click()
  await heading(texts.activity.title).waitFor()
  expect(owner.complaints).toEqual([])
})
