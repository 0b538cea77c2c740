// The side of the visitors, on a phone and without JavaScript: two people ask for the same animal and confirm by mail.
// One is invited to a visit, and withdraws; the animal finds a home, and the other one reads so in a kind mail. Nothing
// that a page of a request does needs a script, and its address is sent to no other page.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedStore } from '../../devserver/demo.ts'
import { startInbox, type Inbox } from '../../devserver/inbox.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { wordsOf } from '../../server/src/sites/strings/strings.ts'
import { mailFrom } from '../../testbed/harness/inbox.ts'
import { phone, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { press } from './text-patterns.ts'

const STORE = 'Willow Street Animal Shelter'
const { requests: words, ...site } = wordsOf.en

let inbox: Inbox
let dashboard: Dashboard
let owner: BrowserOwner

const verify = statement<never, [email: string]>(
  'verify-owner',
  'update accounts set verified_at = now() where email_key = $1',
)
/** Mails about a move wait for as long as it can be undone. */
const sendNow = statement<never, []>('send-now', `update due_directory set due_at = now() where kind = 'mail'`)

beforeAll(async () => {
  inbox = await startInbox(0)
  dashboard = await startDashboard({ SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'Petstore <no-reply@petstore.example>' })
  owner = await dashboard.makeOwner({ name: STORE })
  await dashboard.database.run(verify, owner.email)
  await owner.ask('PATCH', `/projects/${owner.slug}`, { kind: 'shelter' })
  await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 60_000, photosMax: 6 })
})
afterAll(async () => {
  await dashboard?.close()
  await inbox?.stop()
})

type Visitor = { email: string; page: Page; context: BrowserContext; referrers: string[] }

/** A phone that runs no scripts, and records what its requests say about where they come from. */
async function visitorWith(email: string): Promise<Visitor> {
  const context = await dashboard.browser.newContext({ viewport: phone, javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const referrers: string[] = []
  page.on('request', (request) => void referrers.push(request.headers()['referer'] ?? ''))
  return { email, page, context, referrers }
}

/** From the home page to the page that shows how the request is going. */
async function askFor(animal: string, name: string, { email, page }: Visitor): Promise<string> {
  await page.goto(dashboard.siteUrlOf(owner.slug))
  await page.getByRole('link', { name: animal }).first().click()
  await page.getByLabel(site.name).fill(name)
  await page.getByLabel(site.email, { exact: true }).fill(email)
  await page.getByLabel(site.phone).fill('+44 (20) 7946-0958')
  const shots = process.env['SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/visitors-form.png`, fullPage: true })
  await page.getByLabel('May you keep animals where you live?').selectOption({ label: words.yes })
  await press(page, site.send)
  await page.getByRole('heading', { name: words.mailedTitle }).waitFor()

  const { text } = await mailFrom(inbox.url, email, `${STORE}: confirm your request for ${animal}`)
  const [link = ''] = /http:\/\/\S+\/requests\/confirm\/[0-9a-f]{32}/.exec(text) ?? []
  await page.goto(link)
  await press(page, words.confirm)
  await page.getByText(words.stages.new).waitFor()
  return page.url()
}

type Listed = {
  id: number
  petId: number
  stage: string
  visitor: { name: string; phone: string }
  answers: object[]
}[]
const requests = async () => (await owner.ask('GET', `/projects/${owner.slug}/orders`)) as unknown as Listed

test('two ask for one animal, one is invited and withdraws, the other learns that it has a home', async () => {
  const [ben, ann] = [await visitorWith('ben@visitor.example'), await visitorWith('ann@visitor.example')]
  await askFor('Juno', 'Ben', ben)
  await askFor('Juno', 'Ann', ann)
  const placed = await requests()
  expect(placed.map(({ stage, visitor: { name } }) => `${name}: ${stage}`).toSorted()).toEqual(['Ann: new', 'Ben: new'])
  expect(placed.map(({ visitor }) => visitor.phone)).toEqual(['+44 (20) 7946-0958', '+44 (20) 7946-0958'])
  const answers = [{ question: 'May you keep animals where you live?', answer: 'Yes' }]
  expect(placed.map((request) => request.answers)).toEqual([answers, answers])

  const bens = placed.find(({ visitor: { name } }) => name === 'Ben')
  const visit = { at: '2031-05-03T14:30:00+02:00', place: 'At the gate' }
  await owner.ask('POST', `/projects/${owner.slug}/orders/${bens?.id}/move`, { fact: 'visit_set', visit })
  await ben.page.reload()
  await ben.page.getByText(words.stages.visit).waitFor()
  await ben.page.getByText('3 May 2031 at 14:30').waitFor()
  await ben.page.getByText('At the gate').waitFor()
  await dashboard.database.run(sendNow)
  const invited = await mailFrom(inbox.url, ben.email, `${STORE}: your request for Juno`)
  expect(invited.text).toContain(ben.page.url())

  // Without a script, the button is behind a summary that opens it.
  await ben.page.getByText(words.withdraw, { exact: true }).click()
  await press(ben.page, words.withdrawDo)
  await ben.page.getByText(words.stages.withdrawn).waitFor()

  await owner.ask('PUT', `/projects/${owner.slug}/animals/${bens?.petId}/status`, { status: 'sold' })
  await ann.page.reload()
  await ann.page.getByText(words.stages.closed).waitFor()
  await dashboard.database.run(sendNow)
  await expect
    .poll(async () => (await mailFrom(inbox.url, ann.email, `${STORE}: your request for Juno`)).text, {
      timeout: 60_000,
    })
    .toContain('Juno has found a home')
  expect((await requests()).map(({ stage, visitor: { name } }) => `${name}: ${stage}`).toSorted()).toEqual([
    'Ann: closed',
    'Ben: withdrawn',
  ])

  await ann.page.getByText(words.erase, { exact: true }).click()
  await press(ann.page, words.eraseDo)
  await ann.page.getByRole('heading', { name: words.erasedTitle }).waitFor()
  for (const { referrers, context } of [ben, ann]) {
    expect(referrers.length).toBeGreaterThan(5)
    expect(referrers.filter((referrer) => referrer.includes('/requests/'))).toEqual([])
    await context.close()
  }
})
