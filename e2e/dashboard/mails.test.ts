// Mails that a click of an owner or a visitor causes, in a real browser and read from the inbox of the development
// server: about the account, its security, and requests for animals. Invitations, members and plans are in
// notifications.test.ts.

import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { seedStore } from '../../devserver/demo.ts'
import { startInbox, type Inbox } from '../../devserver/inbox.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { wordsOf } from '../../server/src/sites/strings/strings.ts'
import { mailFrom } from '../../testbed/harness/inbox.ts'
import { startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { alertOf, press } from './text-patterns.ts'

const { account, keys, orders } = texts
const STORE = 'Willow Street Animal Shelter'

let inbox: Inbox
let dashboard: Dashboard
let owner: BrowserOwner

const verify = statement<never, [email: string]>(
  'verify-owner',
  'update accounts set verified_at = now() where email_key = $1',
)

beforeAll(async () => {
  inbox = await startInbox(0)
  dashboard = await startDashboard({ SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'Petstore <no-reply@petstore.example>' })
  owner = await dashboard.makeOwner({ name: STORE })
  await dashboard.database.run(verify, owner.email)
  await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 60_000, photosMax: 6 })
})
afterAll(async () => {
  await dashboard?.close()
  await inbox?.stop()
})

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true })
const mailsAreDue = statement<never, []>(
  'test-mails-are-due',
  `update due_directory set due_at = now() where kind = 'mail'`,
)

const mailed = (subject: string, email = owner.email) => mailFrom(inbox.url, email, subject)

test('sign_up and recovery, without being signed in', async () => {
  const { page, context, complaints } = await dashboard.open('/sign-up')
  const stranger = `${randomBytes(6).toString('hex')}@shop.example`
  await field(page, account.email).fill(stranger)
  await button(page, account.signUp.mails).click()
  await page.getByRole('heading', { name: account.signUp.mailed.title }).waitFor()
  await mailed('Confirm your email address', stranger)
  await page.goto(`${dashboard.origin}/recovery`)
  await field(page, account.email).fill(owner.email)
  await button(page, account.recovery.address.action).click()
  await mailed('Reset your password')
  expect(complaints).toEqual([])
  await context.close()
})

test('recovery_codes_created, access_token_created and password_changed, on the account page', async () => {
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  await press(page, account.codes.create)
  await mailed('Recovery codes were created for your account')
  await button(page, account.codes.kept).click()
  await press(page, account.tokens.make)
  await field(page, account.tokens.label).fill('My laptop')
  await button(page, account.tokens.action).click()
  expect((await mailed('An access token was created for your account')).text).toContain('My laptop')
  const next = 'an even longer password'
  await field(page, account.change.current).fill(owner.password)
  await field(page, account.change.next).fill(next)
  await button(page, account.change.action).click()
  await mailed('Your password was changed')
  owner = { ...owner, password: next }
  expect(complaints).toEqual([])
  await context.close()
})

test('api_key_created, in the settings of the store', async () => {
  const { page, context, complaints } = await dashboard.open(`/projects/${owner.slug}/settings/keys`, { as: owner })
  await press(page, keys.make)
  await field(page, keys.label).fill('Stock system')
  await button(page, keys.action).click()
  expect((await mailed(`A new API key in ${STORE}`)).text).toContain('Stock system')
  expect(complaints).toEqual([])
  await context.close()
})

test('request_confirm, order_placed, order_received and order_approved: a visitor asks, the owner approves', async () => {
  const visitor = 'ben@visitor.example'
  const context = await dashboard.browser.newContext()
  const site = await context.newPage()
  await site.goto(dashboard.siteUrlOf(owner.slug))
  await site.getByRole('link', { name: 'Juno' }).first().click()
  await site.getByRole('textbox', { name: wordsOf.en.name }).fill('Ben Miller')
  await site.getByRole('textbox', { name: wordsOf.en.email }).fill(visitor)
  await site.getByRole('textbox', { name: wordsOf.en.message }).fill('We have a garden.')
  await press(site, wordsOf.en.send)
  await site.waitForURL(/\/thanks/)
  const { text } = await mailed(`${STORE}: confirm your request for Juno`, visitor)
  await site.goto(/http:\/\/\S+\/requests\/confirm\/[0-9a-f]{32}/.exec(text)?.[0] ?? '')
  await press(site, wordsOf.en.requests.confirm)
  await site.getByText(wordsOf.en.requests.stages.new).waitFor()
  await context.close()
  const placed = await mailed('New request for Juno')
  expect(placed.text).toContain('We have a garden.')
  expect(placed.headers.find(({ name }) => name.toLowerCase() === 'reply-to')?.value).toBe(visitor)
  expect((await mailed(`${STORE}: your request for Juno`, visitor)).text).not.toContain('garden')

  const opened = await dashboard.open(`/projects/${owner.slug}/requests`, { as: owner })
  await opened.page.getByRole('link', { name: 'Ben Miller' }).click()
  await opened.page.getByText(orders.notifies('Ben Miller')).waitFor()
  await press(opened.page, orders.moves.approved)
  await alertOf(opened.page, orders.moved.approved('Ben Miller', 'Juno')).waitFor()
  // As if the time in which it can be undone were over.
  await dashboard.database.run(mailsAreDue)
  await expect
    .poll(async () => (await mailed(`${STORE}: your request for Juno`, visitor)).text, { timeout: 30_000 })
    .toContain('approved')
  expect(opened.complaints).toEqual([])
  await opened.context.close()
})
