// People in the dashboard, as they come and go: signing up, in and out, an invitation,
// and all the ways to sign in on the page of their account. Passkeys are made and used
// by Chromium itself, with an authenticator of its own in the place of a finger.

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/dev/free-port.ts'
import { parseConfig } from '../../server/src/config.ts'
import { startService } from '../../server/src/serve.ts'
import { cloneDatabase } from '../../server/test/database.ts'
import { isForEverybody } from './everybody.ts'
import { open, startDashboard, type Dashboard, type Owner } from './stage.ts'

const PASSWORD = 'a good long password'

let house: Dashboard
let mia: Owner

beforeAll(async () => {
  house = await startDashboard()
  mia = await house.makeOwner({ slug: 'happy-paws' })
})
afterAll(() => house?.close())

const newEmail = () => `${randomBytes(6).toString('hex')}@shop.example`
const pathOf = (page: Page) => new URL(page.url()).pathname
const email = (page: Page) => page.getByLabel('E-mail')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await email(page).fill(person.email)
  await password(page).fill(person.password)
  await button(page, 'Sign in').click()
}

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, name).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in$/)
}

test('Somebody signs up, is at the projects, signs out and in again', async () => {
  const { page, context, complaints } = await house.open('/sign-up')
  const person = { email: newEmail(), password: PASSWORD }
  await page.getByText('At least 10 characters').waitFor()
  await button(page, 'Create account').click()
  expect(await page.getByText('Please fill this in.').count()).toBe(3)
  await isForEverybody(page, 'accounts-sign-up')

  await page.getByLabel('Your name').fill('Jonas')
  await email(page).fill(person.email)
  await password(page).fill('short')
  await button(page, 'Create account').click()
  await page.getByText('This must have 10 to 256 characters.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  await password(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await page.waitForURL(/\/projects$/)
  await button(page, 'Jonas').waitFor()

  await signOut(page, 'Jonas')
  await signIn(page, person)
  await page.waitForURL(/\/projects$/)
  await button(page, 'Jonas').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('An address that has an account is told at the field, with the way to sign in', async () => {
  const { page, context } = await house.open('/sign-up?next=/account')
  await page.getByLabel('Your name').fill('Mia')
  await email(page).fill(mia.email)
  await password(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await page.getByText('There is an account with this e-mail address. Sign in instead.').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, mia)
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await context.close()
})

test('A wrong password is told, and too many of them with how long to wait', async () => {
  const { page, context, complaints } = await house.open('/sign-in')
  const person = { email: newEmail(), password: 'not the password' }
  await signIn(page, person)
  await page.getByRole('alert').getByText('do not belong together').waitFor()
  expect(await email(page).inputValue()).toBe(person.email)
  await isForEverybody(page, 'accounts-sign-in')
  for (let attempt = 2; attempt <= 10; attempt += 1)
    await context.request.post(`${house.origin}/platform/v1/session`, {
      headers: { Origin: house.origin },
      data: person,
    })
  await button(page, 'Sign in').click()
  await page
    .getByRole('alert')
    .getByText(/please wait .*(second|minute)s?, then try again/)
    .waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('Nothing that one person saw is there for the next one at the same browser', async () => {
  const other = await house.makeOwner()
  const { page, context } = await house.open('/projects/happy-paws', { as: mia })
  await page.getByRole('navigation', { name: 'Happy Paws' }).waitFor()
  // The page asks for news by itself, and learns that nobody is signed in.
  await context.clearCookies()
  await page.waitForURL(/\/sign-in/)
  await signIn(page, other)
  // Back where the first one was.
  await page.getByText('There is nothing here').waitFor()
  expect(await page.getByText('Happy Paws').count()).toBe(0)
  await context.close()
})

test('Whatever address a link names, signing in leads to no foreign one', async () => {
  const { page, context, complaints } = await house.open('/')
  for (const foreign of ['https://example.org/', '//example.org/', '/%5Cexample.org/', '/%09/example.org/']) {
    await page.goto(`${house.origin}/sign-in?next=${foreign}`)
    await signIn(page, mia)
    await page.waitForURL(`${house.origin}/projects`)
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('Whose session has ended signs in and is back where they were', async () => {
  const { page, context, complaints } = await house.open('/account', { as: mia })
  await part(page, 'Where you are signed in').getByText('This browser').waitFor()
  for (const none of ['You have no passkeys yet.', 'You have no access tokens.']) await page.getByText(none).waitFor()
  await context.clearCookies()
  await page.getByLabel('Your name').fill('Mia M.')
  await button(page, 'Save').click()
  await page.getByText('Sign in, and you are where you wanted to go.').waitFor()
  await signIn(page, mia)
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  expect(pathOf(page)).toBe('/account')
  expect(complaints).toEqual([])
  await context.close()
})

const invitationOf = async (role: string) => {
  const made = await mia.ask('POST', '/projects/happy-paws/invitations', { role })
  return `/invitations/${(made as { secret: string }).secret}`
}

test('Who is invited and new signs up on the way, and is then in the project', async () => {
  await house.setPlan('happy-paws', 'pro')
  const path = await invitationOf('admin')
  const { page, context, complaints } = await house.open(path)
  await page.getByRole('heading', { name: 'You are invited' }).waitFor()
  await page.getByText('Mia would like to look after Happy Paws in Petstore together with you.').waitFor()
  await page.getByText('As an admin you can look after').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await isForEverybody(page, 'accounts-invited')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByText('Create an account to accept the invitation.').waitFor()
  await page.getByLabel('Your name').fill('Noor')
  await email(page).fill(newEmail())
  await password(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await page.getByText('You are signed in as Noor').waitFor()
  expect(pathOf(page)).toBe(path)
  await isForEverybody(page, 'accounts-accept')
  const late = await context.newPage()
  await late.goto(`${house.origin}${path}`)
  await button(late, 'Accept the invitation').waitFor()
  await page.bringToFront()
  await button(page, 'Accept the invitation').click()
  await page.waitForURL(/\/projects\/happy-paws$/)
  await page.getByText('You are an admin of this project').waitFor()

  const isUsed = (of: Page) => of.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor()
  await late.bringToFront()
  await button(late, 'Accept the invitation').click()
  await isUsed(late)
  await late.close()
  await page.goto(`${house.origin}${path}`)
  await isUsed(page)
  await page.getByText('Ask whoever invited you for a new link.').waitFor()
  await isForEverybody(page, 'accounts-gone')
  expect(complaints).toEqual([])
  await context.close()
})

test('Who is signed in as somebody else can change that before accepting', async () => {
  const path = await invitationOf('viewer')
  const other = await house.makeOwner()
  const { page, context } = await house.open(path, { as: mia })
  await button(page, 'Use another account').click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, other)
  await page.getByText(other.email).waitFor()
  await button(page, 'Accept the invitation').click()
  await page.waitForURL(/\/projects\/happy-paws$/)
  await page.getByText('You are a viewer of this project').waitFor()
  await context.close()
})

/** A device that says yes, as soon as it is asked. */
async function giveAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('A passkey is added, signs the person in, and is removed', async () => {
  const owner = await house.makeOwner()
  const { page, context, complaints } = await house.open('/account', { as: owner })
  await giveAuthenticator(page)
  const passkeys = part(page, 'Passkeys')
  const first = passkeys.getByRole('row').nth(1)
  await passkeys.getByText('You have no passkeys yet.').waitFor()
  await button(page, 'Add passkey').click()
  await page.getByLabel('Name of the passkey').fill('My phone')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: 'You can sign in with “My phone” from now on.' })
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await first.innerText()).toMatch(/My phone[^]*today at[^]*never/)

  await button(page, 'Add passkey').click()
  await page.getByLabel('Name of the passkey').fill('The same phone')
  await button(page, 'Go on').click()
  await page.getByRole('alert').getByText('has a passkey for this account already').waitFor()
  expect(await page.getByLabel('Name of the passkey').inputValue()).toBe('The same phone')
  await isForEverybody(page, 'accounts-passkeys')
  await button(page, 'Cancel').click()

  // The browser offers it where the address is typed, and this device takes whatever it is offered.
  await button(page, 'Mia').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/projects$/)

  // A browser that cannot do so has the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.goto(`${house.origin}/account`)
  await signOut(page, 'Mia')
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL(/\/projects$/)
  await page.goto(`${house.origin}/account`)
  await first.waitFor()
  expect(await first.innerText()).toMatch(/today at[^]*today at/)

  await button(page, 'Remove My phone').click()
  await page.getByRole('dialog').getByText('You can still sign in with your password.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await passkeys.getByText('You have no passkeys yet.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Passkeys')

  // What was removed is not accepted, however gladly the device gives it.
  await signOut(page, 'Mia')
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('alert').getByText('This passkey was not accepted').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('Where the dashboard has an address and no name, passkeys are explained away', async () => {
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
  const { page, context, complaints } = await open(house.browser, origin, '/sign-in')
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('alert').getByText('This page is reached by a number instead').waitFor()

  await page.goto(`${origin}/sign-up?next=/account`)
  await page.getByLabel('Your name').fill('Mia')
  await email(page).fill(newEmail())
  await password(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await button(page, 'Add passkey').click()
  await page.getByLabel('Name of the passkey').fill('My phone')
  await button(page, 'Go on').click()
  await page.getByText('Passkeys are not possible at this address').waitFor()
  await button(page, 'Close').click()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add passkey')
  expect(complaints).toEqual([])
  await context.close()
  await service.stop()
})

test('An access token is shown once, works, and is revoked', async () => {
  const { page, context, complaints } = await house.open('/account', { as: mia })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const tokens = part(page, 'Access tokens')
  await tokens.getByText('You have no access tokens.').waitFor()
  await button(page, 'New token').click()
  await page.getByLabel('What it is for').fill('My laptop')
  await page.getByLabel('Valid for').selectOption('30 days')
  await button(page, 'Make token').click()
  await tokens.getByText('It is shown this once, and never again.').waitFor()
  await button(page, 'Copy: the token').click()
  await tokens.getByText('Copied', { exact: true }).waitFor()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(token).toMatch(/^pets_pat_/)
  const asked = () => fetch(`${house.origin}/platform/v1/account`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await asked()).status).toBe(200)
  await isForEverybody(page, 'accounts-tokens')
  await button(page, 'I have copied it').click()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New token')
  expect(await page.content()).not.toContain(token)

  await page.reload()
  const row = tokens.getByRole('row').filter({ hasText: 'My laptop' })
  await row.getByText(/today at/).waitFor()
  expect(await row.innerText()).toContain(token.slice(0, 9))
  expect(await page.content()).not.toContain(token)
  await button(page, 'Revoke My laptop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await tokens.getByText('You have no access tokens.').waitFor()
  await expect.poll(async () => (await asked()).status).toBe(401)
  expect(complaints).toEqual([])
  await context.close()
})

test('A person renames themselves, ends a session elsewhere, and changes the password', async () => {
  const owner = await house.makeOwner()
  const elsewhere = await house.open('/account', { as: owner })
  await elsewhere.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  const { page, context, complaints } = await house.open('/account', { as: owner })
  await page.getByText(`You sign in with ${owner.email}.`).waitFor()
  await page.getByLabel('Your name').fill('Mia Maria')
  await button(page, 'Save').click()
  await button(page, 'Mia Maria').waitFor()

  const sessions = part(page, 'Where you are signed in')
  // The one that made the project, the one elsewhere and this one.
  const ends = sessions.getByRole('button', { name: /^End the one/ })
  await expect.poll(() => ends.count()).toBe(2)
  // The project was made by a program, which is no browser that anybody knows.
  const devices = await sessions.locator('td[data-label=Device]').allInnerTexts()
  expect(devices).toEqual(['Chrome on Linux', 'Chrome on Linux', 'Not known'])
  await ends.first().click()
  await page.getByRole('dialog').getByText('has to sign in again').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect.poll(() => ends.count()).toBe(1)
  await elsewhere.page.reload()
  await elsewhere.page.waitForURL(/\/sign-in\?next=%2Faccount/)

  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill('an even longer password')
  await button(page, 'Change password').click()
  await page.getByText('This is not the password of this account.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('an even longer password')
  await page.getByLabel('Current password').fill(owner.password)
  await button(page, 'Change password').click()
  await page.getByText('Your password is changed.').waitFor()
  await expect.poll(() => ends.count()).toBe(0)
  await sessions.getByText('This browser').waitFor()
  await signIn(elsewhere.page, { ...owner, password: 'an even longer password' })
  await elsewhere.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
  await elsewhere.context.close()
})
