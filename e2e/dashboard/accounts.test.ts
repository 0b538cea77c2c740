// Accounts in the dashboard: signing up, in and out, invitations, and all sign-in methods on
// the account page. Chromium itself creates and uses the passkeys, with a virtual
// authenticator.

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusals } from '@petstore-platform/contract/errors'
import { signUp } from '@petstore-platform/contract/platform/sign-up'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { freePort } from '../../devserver/free-port.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { startService } from '../../server/src/program/serve.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { invitationSecret, inviteTo } from '../../testbed/harness/session.ts'
import { giveAuthenticator } from './authenticator.ts'
import { twoForms, worksInEveryVariant } from './display-variants.ts'
import { ANY, like, pattern } from './text-patterns.ts'
import { desk, open, phone, startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { account, common } = texts
const PASSWORD = 'a good long password'
/** Prefix of a timestamp of today. */
const TODAY = common.at(common.today, '').trim()

let dashboard: Dashboard
let mia: BrowserOwner

beforeAll(async () => {
  dashboard = await startDashboard({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '10' })
  mia = await dashboard.makeOwner({ slug: 'happy-paws' })
})
afterAll(() => dashboard?.close())

const newEmail = () => `${randomBytes(6).toString('hex')}@shop.example`
const pathOf = (page: Page) => new URL(page.url()).pathname
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const email = (page: Page) => field(page, account.email)
const password = (page: Page) => page.getByLabel(account.password, { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await email(page).fill(person.email)
  await password(page).fill(person.password)
  await button(page, account.signIn.action).click()
}

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, name).click()
  await page.getByRole('menuitem', { name: common.nav.signOut }).click()
  await page.waitForURL(/\/sign-in$/)
}

test('A new user signs up, gets to the projects, signs out and in again', async () => {
  const person = { email: newEmail(), password: PASSWORD }
  const link = `/sign-up#${await inviteTo(dashboard.database, person.email)}`
  const { page, context, complaints } = await dashboard.open(link)
  await page.getByText(account.signUp.passwordRule(12)).waitFor()
  expect(pathOf(page)).toBe('/sign-up')
  await button(page, account.signUp.action).click()
  expect(await page.getByText(account.needed).count()).toBe(2)
  await worksInEveryVariant(page, 'accounts-sign-up')

  await field(page, account.signUp.name).fill('Jonas')
  await password(page).fill('short')
  await button(page, account.signUp.action).click()
  const { password: fault } = signUp.body.faults
  await page.getByText(account.fault(fault.replace("'password' ", ''))).waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  await password(page).fill(PASSWORD)
  await button(page, account.signUp.action).click()
  await page.waitForURL(/\/projects$/)
  await button(page, 'Jonas').waitFor()

  await signOut(page, 'Jonas')
  await signIn(page, person)
  await page.waitForURL(/\/projects$/)
  await button(page, 'Jonas').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('Without an invitation or mail, signing up explains how to get an account', async () => {
  const { page, context, complaints } = await dashboard.open('/sign-up')
  await page.getByText(account.signUp.closed.invited).waitFor()
  await worksInEveryVariant(page, 'accounts-invited-only', twoForms)
  await page.goto(`${dashboard.origin}/sign-up#${'x'.repeat(43)}`)
  await field(page, account.signUp.name).fill('Mia')
  await password(page).fill(PASSWORD)
  await button(page, account.signUp.action).click()
  await heading(page, account.signUp.unusable.title).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('A wrong password shows an error, and too many of them show the waiting time', async () => {
  const { page, context, complaints } = await dashboard.open('/sign-in')
  const person = { email: newEmail(), password: 'not the password' }
  await signIn(page, person)
  await page.getByRole('alert').getByText(account.signIn.wrong).waitFor()
  expect(await email(page).inputValue()).toBe(person.email)
  await worksInEveryVariant(page, 'accounts-sign-in')
  for (let attempt = 2; attempt <= 10; attempt += 1)
    await context.request.post(`${dashboard.origin}/platform/v1/session`, {
      headers: { Origin: dashboard.origin },
      data: person,
    })
  await button(page, account.signIn.action).click()
  const waits = Array.from({ length: 60 }, (_, index) => [account.seconds(index + 1), account.minutes(index + 1)])
    .flat()
    .map((time) => RegExp.escape(account.wait(time)))
  await page
    .getByRole('alert')
    .getByText(new RegExp(waits.join('|')))
    .waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('Password fields hide what is typed until it is to be shown, allow pasting, and are known to password managers', async () => {
  const { page, context, complaints } = await dashboard.open('/account', { as: mia })
  const fields = [
    [page.getByLabel(account.change.current, { exact: true }), 'current-password'],
    [page.getByLabel(account.change.next, { exact: true }), 'new-password'],
  ] as const
  for (const [input, kind] of fields) {
    const attributes = ['type', 'autocomplete', 'maxlength'].map((name) => input.getAttribute(name))
    expect(await Promise.all(attributes)).toEqual(['password', kind, null])
    const isPasted = await input.evaluate((element) =>
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
    )
    expect(isPasted).toBe(true)
    // Longer than a password may be: the server says so, and nothing is cut off.
    const long = 'seven otters juggle lanterns '.repeat(10)
    await input.fill(long)
    expect(await input.inputValue()).toBe(long)
  }
  await page.getByRole('button', { name: account.showPassword, exact: true }).first().click()
  expect(await fields[0][0].getAttribute('type')).toBe('text')
  expect(complaints).toEqual([])
  await context.close()
})

test('The next user of the same browser sees no data of the previous one', async () => {
  const other = await dashboard.makeOwner()
  const { page, context } = await dashboard.open('/projects/happy-paws', { as: mia })
  await page
    .getByRole('button', { name: common.opensMenu('Happy Paws') })
    .first()
    .waitFor()
  // The page refreshes automatically, and detects that the session is gone.
  await context.clearCookies()
  await page.waitForURL(/\/sign-in/)
  await signIn(page, other)
  // Back on the page of the first user.
  await heading(page, common.notThere).waitFor()
  expect(await page.getByText('Happy Paws').count()).toBe(0)
  await context.close()
})

test('Signing out without a connection hides the data, and says that the session is still open', async () => {
  const owner = await dashboard.makeOwner({ slug: 'far-away', name: 'Far Away' })
  const { page, context } = await dashboard.open('/projects/far-away', { as: owner })
  const shown = page.getByText('Far Away')
  await shown.first().waitFor()
  await button(page, 'Mia').click()
  const item = page.getByRole('menuitem', { name: common.nav.signOut })
  await item.waitFor()
  await context.setOffline(true)
  await item.click()
  await page.getByText(common.stillSignedIn).waitFor()
  await expect.poll(() => shown.count()).toBe(0)
  await context.setOffline(false)
  await page.goto(`${dashboard.origin}/projects/far-away`)
  await shown.first().waitFor()
  await signOut(page, 'Mia')
  await context.close()
})

test('The first page says what Petstore is, with both ways in, and leads an owner of one store to it', async () => {
  const { page, context, complaints } = await dashboard.open('/')
  await heading(page, texts.front.title).waitFor()
  for (const { title } of Object.values(texts.front.points)) await page.getByText(title, { exact: true }).waitFor()
  for (const size of [phone, desk]) {
    await page.setViewportSize(size)
    const isOnOneScreen = () => page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)
    await expect.poll(isOnOneScreen, { message: `one screen of ${size.width} pixels` }).toBe(true)
  }
  await page.getByRole('link', { name: texts.front.signUp }).click()
  await page.waitForURL(/\/sign-up$/)
  await page.goBack()
  await page.getByRole('link', { name: texts.front.signIn }).click()
  await signIn(page, mia)
  await page.waitForURL(`${dashboard.origin}/projects/happy-paws`)
  await page.goto(dashboard.origin)
  await page.waitForURL(`${dashboard.origin}/projects/happy-paws`)
  // A page of the dashboard does not stop at the first page on its way to the form.
  await context.clearCookies()
  await page.goto(`${dashboard.origin}/projects`)
  await page.waitForURL(/\/sign-in$/)
  expect(complaints).toEqual([])
  await context.close()
})

test('Signing in redirects to no foreign address, whatever the link contains', async () => {
  const { page, context, complaints } = await dashboard.open('/')
  for (const foreign of ['https://example.org/', '//example.org/', '/%5Cexample.org/', '/%09/example.org/']) {
    await page.goto(`${dashboard.origin}/sign-in?next=${foreign}`)
    await signIn(page, mia)
    await page.waitForURL(`${dashboard.origin}/projects/happy-paws`)
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('A user whose session has ended returns to the same page after signing in', async () => {
  const { page, context, complaints } = await dashboard.open('/account', { as: mia })
  await part(page, account.sessions.title).getByText(account.sessions.here).waitFor()
  for (const { none } of [account.passkeys, account.tokens]) await page.getByText(none).waitFor()
  await context.clearCookies()
  await field(page, account.name.label).fill('Mia M.')
  await button(page, common.save).click()
  await page.getByText(account.signIn.toGoOn).waitFor()
  await signIn(page, mia)
  await heading(page, account.title).waitFor()
  expect(pathOf(page)).toBe('/account')
  expect(complaints).toEqual([])
  await context.close()
})

const invitationOf = async (role: string, address = newEmail()) => {
  const made = await mia.ask('POST', '/projects/happy-paws/invitations', { email: address, role })
  return `/invitations#${invitationSecret(made)}`
}

test('An invited person without an account creates it on the page of the invitation, and joins the project', async () => {
  await dashboard.setPlan('happy-paws', 'pro')
  const address = newEmail()
  const path = await invitationOf('admin', address)
  const { page, context, complaints } = await dashboard.open(path)
  await heading(page, account.invitation.title).waitFor()
  await page.getByText(account.invitation.lead('Mia', 'Happy Paws')).waitFor()
  await page.getByText(account.invitation.would.admin).waitFor()
  await page.getByRole('link', { name: account.invitation.signIn }).waitFor()
  // The secret is neither on the screen nor in the history, and a reload keeps the invitation.
  expect(page.url()).toBe(`${dashboard.origin}/invitations`)
  await page.reload()
  await page.getByText(account.invitation.for(address)).waitFor()
  await worksInEveryVariant(page, 'accounts-invited')
  // A link that was passed on proves no address: the person enters one.
  expect(await email(page).inputValue()).toBe(address)
  await email(page).fill(mia.email)
  await button(page, account.invitation.create).click()
  await page.getByText(account.needed).first().waitFor()
  await field(page, account.signUp.name).fill('Noor')
  await password(page).fill(PASSWORD)
  await button(page, account.invitation.create).click()
  await page.getByText(refusals.email_taken.message).waitFor()
  const late = await context.newPage()
  await late.goto(`${dashboard.origin}${path}`)
  await button(late, account.invitation.create).waitFor()
  await page.bringToFront()
  await email(page).fill(address)
  await button(page, account.invitation.create).click()
  await page.waitForURL(/\/projects\/happy-paws$/)
  await page.getByRole('alert').getByText(account.invitation.roles.admin).waitFor()

  const isUsed = (of: Page) => heading(of, account.invitation.goneTitle).waitFor()
  await late.bringToFront()
  await late.reload()
  await isUsed(late)
  await late.close()
  await page.goto(`${dashboard.origin}${path}`)
  await isUsed(page)
  await page.getByText(account.invitation.goneNext).waitFor()
  await worksInEveryVariant(page, 'accounts-gone')
  expect(complaints).toEqual([])
  await context.close()
})

test('An invited person signs in, returns to the invitation, and can switch to another account before accepting', async () => {
  const path = await invitationOf('viewer')
  const other = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open(path)
  await page.getByRole('link', { name: account.invitation.signIn }).click()
  await page.getByText(account.signIn.toAccept).waitFor()
  await signIn(page, mia)
  await page.getByText(account.invitation.as(mia.name, mia.email)).waitFor()
  expect(page.url()).toBe(`${dashboard.origin}/invitations`)
  await worksInEveryVariant(page, 'accounts-accept')
  await button(page, account.invitation.other).click()
  await page.getByRole('link', { name: account.invitation.signIn }).click()
  await signIn(page, other)
  await page.getByText(other.email).waitFor()
  await button(page, account.invitation.accept).click()
  await page.waitForURL(/\/projects\/happy-paws$/)
  await page.getByRole('alert').getByText(account.invitation.roles.viewer).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('The time zone of the device goes to the account, for the times in mails', async () => {
  const owner = await dashboard.makeOwner()
  for (const timezoneId of ['Asia/Tokyo', 'UTC']) {
    const { page, context, complaints } = await dashboard.open('/account', { as: owner, timezoneId })
    await page.getByText(account.language.times(timezoneId)).waitFor()
    expect(await owner.ask('GET', '/account')).toMatchObject({ timeZone: timezoneId })
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('A passkey is added, signs the user in, and is removed', async () => {
  const { passkeys: t } = account
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  await giveAuthenticator(page)
  const passkeys = part(page, t.title)
  const first = passkeys.getByRole('row').nth(1)
  await passkeys.getByText(t.none).waitFor()
  await button(page, t.add).click()
  await field(page, t.label).fill('My phone')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: t.added('My phone') })
  await notice.getByRole('button', { name: common.close }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await first.innerText()).toMatch(pattern`My phone[^]*${TODAY}[^]*${common.never}`)

  await button(page, t.add).click()
  await field(page, t.label).fill('The same phone')
  await button(page, t.action).click()
  await page.getByRole('alert').getByText(t.failures.known).waitFor()
  expect(await field(page, t.label).inputValue()).toBe('The same phone')
  await worksInEveryVariant(page, 'accounts-passkeys')
  await button(page, common.cancel).click()

  // The browser offers the passkey at the email field, and this authenticator accepts every offer.
  await button(page, 'Mia').click()
  await page.getByRole('menuitem', { name: common.nav.signOut }).click()
  await page.waitForURL(`${dashboard.origin}/projects/${owner.slug}`)

  // A browser without conditional mediation has the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.goto(`${dashboard.origin}/account`)
  await signOut(page, 'Mia')
  await button(page, account.signIn.withPasskey).click()
  await page.waitForURL(`${dashboard.origin}/projects/${owner.slug}`)
  await page.goto(`${dashboard.origin}/account`)
  await first.waitFor()
  expect(await first.innerText()).toMatch(pattern`${TODAY}[^]*${TODAY}`)

  // Removing a passkey ends the sessions that it began; this one begins with the password.
  await signOut(page, 'Mia')
  await page.goto(`${dashboard.origin}/sign-in?next=/account`)
  await signIn(page, owner)
  await button(page, t.removeOf('My phone')).click()
  await page.getByRole('dialog').getByText(t.text).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: t.remove }).click()
  await passkeys.getByText(t.none).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(t.title)

  // A removed passkey is rejected, although the authenticator still has it.
  await signOut(page, 'Mia')
  await button(page, account.signIn.withPasskey).click()
  await page.getByRole('alert').getByText('This passkey was not accepted').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('A new user signs up with a passkey alone; if the device creates none, the page shows the password', async () => {
  const { signUp: t } = account
  const opened = async () => {
    const address = newEmail()
    const link = `/sign-up#${await inviteTo(dashboard.database, address)}`
    const browser = await dashboard.open(link)
    await field(browser.page, t.name).fill('Noor')
    return { ...browser, address }
  }
  const { page, context, complaints } = await opened()
  await giveAuthenticator(page)
  await button(page, t.suggest).click()
  await page.getByText(t.suggested).waitFor()
  expect(await field(page, account.password).inputValue()).toMatch(/^[a-z]{4}(-[a-z]{4}){4}$/)
  await worksInEveryVariant(page, 'accounts-sign-up-suggested', twoForms)
  await button(page, t.withPasskey).click()
  await page.waitForURL(/\/projects$/)
  await page.goto(`${dashboard.origin}/account`)
  await part(page, account.passkeys.title).getByText(t.passkeyLabel).waitFor()
  expect(complaints).toEqual([])
  await context.close()

  const other = await opened()
  await giveAuthenticator(other.page, { isUserVerified: false })
  await button(other.page, t.withPasskey).click()
  await other.page.getByText(t.passkeyFailed.why).waitFor({ timeout: 60_000 })
  await worksInEveryVariant(other.page, 'accounts-sign-up-without-passkey', twoForms)
  const password = await other.page.getByRole('code').innerText()
  await button(other.page, t.passkeyFailed.next).click()
  await other.page.waitForURL(/\/projects$/)
  await signOut(other.page, 'Noor')
  await signIn(other.page, { email: other.address, password })
  await other.page.waitForURL(/\/projects$/)
  await other.context.close()
})

test('A dashboard at an IP address explains why passkeys are unavailable', async () => {
  const { passkeys: t } = account
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { appUrl } = await cloneDatabase()
  const service = await startService(
    parseConfig({
      ENVIRONMENT: 'staging',
      DATABASE_URL: appUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: `${origin}/v1`,
      STAGING_URL: `${origin}/v1`,
      DASHBOARD_ORIGIN: origin,
      PLATFORM_HOST: 'petstore.localhost',
      LOG_LEVEL: 'silent',
    }),
  )
  const { page, context, complaints } = await open(dashboard.browser, origin, '/sign-in')
  await button(page, account.signIn.withPasskey).click()
  await page.getByRole('alert').getByText(t.unavailableWhy).waitFor()

  await page.goto(`${origin}/sign-up#${await inviteTo(service.database, newEmail())}`)
  await field(page, account.signUp.name).fill('Mia')
  await password(page).fill(PASSWORD)
  await button(page, account.signUp.action).click()
  await page.waitForURL(/\/projects$/)
  await page.goto(`${origin}/account`)
  await button(page, t.add).click()
  await field(page, t.label).fill('My phone')
  await button(page, t.action).click()
  await page.getByRole('alert').getByText(t.unavailable).waitFor()
  await button(page, common.close).click()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(t.add)
  expect(complaints).toEqual([])
  await context.close()
  await service.stop()
})

test('An access token is shown once, works, and is revoked', async () => {
  const { tokens: t } = account
  const { page, context, complaints } = await dashboard.open('/account', { as: mia })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const tokens = part(page, t.title)
  await tokens.getByText(t.none).waitFor()
  await button(page, t.make).click()
  await field(page, t.label).fill('My laptop')
  await page.getByRole('combobox', { name: t.days }).selectOption(t.dayCounts[30])
  await button(page, t.action).click()
  await tokens.getByText(t.once).waitFor()
  await button(page, `${common.copy}: ${t.what}`).click()
  await tokens.getByText(common.copied, { exact: true }).waitFor()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(token).toMatch(/^pets_pat_/)
  const requestAccount = () =>
    fetch(`${dashboard.origin}/platform/v1/account`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await requestAccount()).status).toBe(200)
  await worksInEveryVariant(page, 'accounts-tokens')
  await button(page, t.kept).click()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(t.make)
  expect(await page.content()).not.toContain(token)

  await page.reload()
  const row = tokens.getByRole('row').filter({ hasText: 'My laptop' })
  await row.getByText(TODAY).waitFor()
  expect(await row.innerText()).toContain(token.slice(0, 9))
  expect(await page.content()).not.toContain(token)
  await button(page, t.revokeOf('My laptop')).click()
  await page.getByRole('dialog').getByRole('button', { name: t.revoke }).click()
  await tokens.getByText(t.none).waitFor()
  await expect.poll(async () => (await requestAccount()).status).toBe(401)
  expect(complaints).toEqual([])
  await context.close()
})

test('A user changes their name, ends another session, and changes the password', async () => {
  const { change, sessions: t } = account
  const owner = await dashboard.makeOwner()
  const elsewhere = await dashboard.open('/account', { as: owner })
  await heading(elsewhere.page, account.title).waitFor()
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  await page.getByText(account.name.signsIn(owner.email)).waitFor()
  await field(page, account.name.label).fill('Mia Maria')
  await button(page, common.save).click()
  await button(page, 'Mia Maria').waitFor()

  const sessions = part(page, t.title)
  // The session that created the project, the other one and this one.
  const ends = sessions.getByRole('button', { name: like(t.endOf(ANY)) })
  await expect.poll(() => ends.count()).toBe(2)
  // The project was created by a program, which is not a known browser.
  const devices = await sessions.locator('tbody td:first-child').allInnerTexts()
  expect(devices).toEqual(['Chrome on Linux', 'Chrome on Linux', t.unknownDevice])
  await ends.first().click()
  await page
    .getByRole('dialog')
    .getByText(like(t.text(ANY)))
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: t.end }).click()
  await expect.poll(() => ends.count()).toBe(1)
  await elsewhere.page.reload()
  await elsewhere.page.waitForURL(/\/sign-in\?next=%2Faccount/)

  await page.getByLabel(change.current).fill('not the password')
  await page.getByLabel(change.next).fill('an even longer password')
  await button(page, change.action).click()
  await page.getByText(account.fault('is not the password of this account.')).waitFor()
  expect(await page.getByLabel(change.next).inputValue()).toBe('an even longer password')
  await page.getByLabel(change.current).fill(owner.password)
  await button(page, change.action).click()
  await page.getByRole('alert').getByText(change.done).waitFor()
  await expect.poll(() => ends.count()).toBe(0)
  await sessions.getByText(t.here).waitFor()
  await signIn(elsewhere.page, { ...owner, password: 'an even longer password' })
  await heading(elsewhere.page, account.title).waitFor()
  expect(complaints).toEqual([])
  await context.close()
  await elsewhere.context.close()
})
