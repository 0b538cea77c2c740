// The security of an account in the dashboard: the person confirms their identity before a change that would give a
// thief of the session lasting access, returns by a recovery code, ends everything by “This was not me” in a mail,
// and finds all of it in the history.

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECOVERY_CODES } from '@petstore-platform/contract/platform/recovery'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { startMailRelay, type TestRelay } from '../../testbed/harness/mail-relay.ts'
import { giveAuthenticator } from './authenticator.ts'
import { startDashboard, type BrowserOwner, type Dashboard, type Opened } from './browser-environment.ts'
import { twoForms, worksInEveryVariant } from './display-variants.ts'
import { alertOf, ANY, like, press, saying } from './text-patterns.ts'

const { account, common, keys } = texts
const { reauthentication, recovery, secure, codes, history, tokens, passkeys, address, deletion } = account
const NEXT = 'a much longer sentence'
const patient = { timeout: 60_000 }

let relay: TestRelay
let dashboard: Dashboard

beforeAll(async () => {
  relay = await startMailRelay()
  dashboard = await startDashboard({ SMTP_URL: relay.url, MAIL_FROM: 'Petstore <no-reply@petstore.example>' })
})
afterAll(async () => {
  await dashboard?.close()
  await relay?.stop()
})

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true })
const question = (page: Page) => page.getByRole('dialog', { name: reauthentication.title })
const isGone = (element: Locator) => element.waitFor({ state: 'detached' })
async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((found) => found === document.activeElement), patient).toBe(true)
}

const ageSessions = statement<never, [email: string]>(
  'age-sessions',
  `update sessions
   set proved_at = now() - interval '11 minutes'
   where account_id = (select id from accounts where email_key = $1)`,
)

const statusOf = async ({ context }: Pick<Opened, 'context'>, path: string, method = 'GET') => {
  const headers = { Origin: dashboard.origin }
  return (await context.request.fetch(`${dashboard.origin}/platform/v1${path}`, { method, headers })).status()
}

/** Lets eleven minutes pass since the person last presented a password; resolves when the server acts on it. */
async function age(opened: Opened, { email }: BrowserOwner): Promise<void> {
  await dashboard.database.run(ageSessions, email)
  await expect.poll(() => statusOf(opened, '/account/passkeys/options', 'POST'), patient).toBe(403)
}

/** The first mail to the address with a link to this page. */
async function linkFor(
  email: string,
  page: 'sign-up' | 'recovery' | 'secure' | 'confirm-email' | 'undo-email',
): Promise<string> {
  for (let count = 1; ; count += 1) {
    await relay.arrived(count)
    const mail = relay.received[count - 1]
    if (mail?.to !== email) continue
    const [link] = new RegExp(`http\\S+/${page}#\\S+`).exec((await mail.read()).text ?? '') ?? []
    if (link !== undefined) return link
  }
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await field(page, account.email).fill(email)
  await field(page, account.password).fill(password)
  await button(page, account.signIn.action).click()
}

describe('a change that needs a recent sign-in', () => {
  test('asks for the password and is then completed; cancelling keeps the form', async () => {
    const owner = await dashboard.makeOwner()
    const opened = await dashboard.open('/account', { as: owner })
    const { page, context, complaints } = opened
    await age(opened, owner)
    await press(page, tokens.make)
    await field(page, tokens.label).fill('My laptop')
    await button(page, tokens.action).click()
    await hasFocus(field(question(page), account.password))
    await worksInEveryVariant(page, 'security-reauthentication')
    await page.keyboard.press('Escape')
    await isGone(question(page))
    expect(await field(page, tokens.label).inputValue()).toBe('My laptop')
    await hasFocus(button(page, tokens.action))
    expect((await page.getByRole('alert').allInnerTexts()).join('')).toBe('')

    await page.keyboard.press('Enter')
    await field(question(page), account.password).fill('not the password')
    await page.keyboard.press('Enter')
    await question(page).getByText(account.fault('is not the password of this account.')).waitFor()
    await field(question(page), account.password).fill(owner.password)
    await button(question(page), reauthentication.action).click()
    await part(page, tokens.title).getByText(tokens.once).waitFor()
    await isGone(question(page))
    await hasFocus(page.getByRole('group', { name: tokens.fresh('My laptop') }))
    // For the next minutes, nothing is asked.
    await button(page, tokens.kept).click()
    await press(page, tokens.make)
    await field(page, tokens.label).fill('My server')
    await page.keyboard.press('Enter')
    await part(page, tokens.title).getByText(tokens.once).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('asks on top of another dialog, which stays when the person cancels', async () => {
    const owner = await dashboard.makeOwner()
    const opened = await dashboard.open(`/projects/${owner.slug}/settings/keys`, { as: owner })
    const { page, context, complaints } = opened
    await age(opened, owner)
    await press(page, keys.make)
    await field(page, keys.label).fill('Stock system')
    await page.keyboard.press('Enter')
    await field(question(page), account.password).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: keys.fresh('Stock system') }).waitFor()
    await isGone(question(page))
    await button(page, keys.kept).click()

    await age(opened, owner)
    await press(page, like(keys.replaceOf('Stock system', ANY)))
    const replacing = page.getByRole('dialog', { name: keys.replaceTitle('Stock system') })
    await button(replacing, keys.replaceDoes).click()
    await field(question(page), account.password).waitFor()
    await worksInEveryVariant(page, 'security-two-dialogs', twoForms)
    await page.keyboard.press('Escape')
    await isGone(question(page))
    await hasFocus(button(replacing, keys.replaceDoes))
    await page.keyboard.press('Enter')
    await field(question(page), account.password).fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: keys.fresh('Stock system') }).waitFor()
    await isGone(page.getByRole('dialog'))
    // Going back closes the question with its page.
    await age(opened, owner)
    await page.goto(`${dashboard.origin}/account`)
    await page.getByRole('link', { name: common.product }).click()
    await page.getByRole('link', { name: 'Happy Paws' }).waitFor()
    await page.goBack()
    await press(page, codes.create)
    await question(page).waitFor()
    await page.goBack()
    await isGone(question(page))
    expect(complaints).toEqual([])
    await context.close()
  })

  test('asks for nothing, and keeps the form, if a new version has taken the dialog away', async () => {
    const owner = await dashboard.makeOwner()
    const opened = await dashboard.open('/account', { as: owner })
    const { page, context } = opened
    await page.route('**/assets/reauthentication-dialog*', (route) => route.fulfill({ status: 404 }))
    await age(opened, owner)
    await press(page, tokens.make)
    await field(page, tokens.label).fill('My laptop')
    for (const count of [1, 2]) {
      await button(page, tokens.action).click()
      await expect.poll(() => alertOf(page, common.outdated).count(), patient).toBe(count)
    }
    expect(await field(page, tokens.label).inputValue()).toBe('My laptop')
    await context.close()
  })

  test('accepts a passkey, whose removal ends the session that it began', async () => {
    const owner = await dashboard.makeOwner()
    const opened = await dashboard.open('/account', { as: owner })
    const { page, context, complaints } = opened
    await giveAuthenticator(page)
    await age(opened, owner)
    await press(page, passkeys.add)
    await field(page, passkeys.label).fill('My phone')
    await button(page, passkeys.action).click()
    await field(question(page), account.password).fill(owner.password)
    await page.keyboard.press('Enter')
    await part(page, passkeys.title).getByRole('row').filter({ hasText: 'My phone' }).waitFor()

    await age(opened, owner)
    await press(page, passkeys.removeOf('My phone'))
    await button(page.getByRole('dialog'), passkeys.remove).click()
    await button(question(page), reauthentication.withPasskey).click()
    await saying(page, passkeys.removed('My phone')).waitFor()
    await expect.poll(() => statusOf(opened, '/account'), patient).toBe(401)
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('A recovery code sets a new password, and no code works after that', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const section = part(page, codes.title)
  await section.getByText(codes.none).waitFor()
  await press(page, codes.create)
  const fresh = page.getByRole('group', { name: codes.fresh })
  await fresh.waitFor()
  await hasFocus(fresh)
  const first = await fresh.getByRole('listitem').allInnerTexts()
  expect(new Set(first).size).toBe(RECOVERY_CODES)
  await button(page, codes.kept).click()
  await hasFocus(button(page, codes.replace))
  await saying(section, codes.left(RECOVERY_CODES, ANY)).waitFor()

  await press(page, codes.replace)
  await button(page.getByRole('dialog'), codes.replace).click()
  await isGone(page.getByRole('dialog'))
  await hasFocus(fresh)
  const shown = await fresh.getByRole('listitem').allInnerTexts()
  await button(page, `${common.copy}: ${codes.what}`).click()
  await fresh.getByText(common.copied, { exact: true }).waitFor()
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(shown)
  const downloading = page.waitForEvent('download')
  await button(page, codes.download).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.split('\r\n')).toEqual(expect.arrayContaining(shown))
  await worksInEveryVariant(page, 'security-codes')
  await page.emulateMedia({ media: 'print' })
  await fresh.getByText(shown[0] ?? '').waitFor()
  expect(await section.getByText(codes.lead).isVisible()).toBe(false)
  expect(await heading(page, account.title).isVisible()).toBe(false)
  await page.emulateMedia({ media: null })

  await page.goto(`${dashboard.origin}/recovery`)
  await press(page, recovery.withCode)
  await heading(page, recovery.code.title).waitFor()
  await worksInEveryVariant(page, 'security-recovery-code', twoForms)
  await button(page, recovery.code.action).click()
  expect(await page.getByText(account.needed).count()).toBe(3)
  await field(page, account.email).fill(owner.email)
  await field(page, account.change.next).fill(NEXT)
  // A code that was replaced no longer works.
  await field(page, recovery.code.label).fill(first[0] ?? '')
  await button(page, recovery.code.action).click()
  await page.getByRole('alert').getByText(recovery.code.wrong).waitFor()
  await field(page, recovery.code.label).fill((shown[3] ?? '').toUpperCase().replaceAll('-', ' '))
  await button(page, recovery.code.action).click()
  await heading(page, recovery.done.title).waitFor()
  await page.getByRole('link', { name: account.signIn.action }).click()
  await signIn(page, owner.email, NEXT)
  await page.waitForURL(`**/projects/${owner.slug}`)
  await page.goto(`${dashboard.origin}/account`)
  await section.getByText(codes.none).waitFor()
  await part(page, history.title).getByText(history.actions.recovery_code_used).waitFor()

  for (const used of [shown[3], shown[4]]) {
    await page.goto(`${dashboard.origin}/recovery`)
    await press(page, recovery.withCode)
    await field(page, account.email).fill(owner.email)
    await field(page, recovery.code.label).fill(used ?? '')
    await field(page, account.change.next).fill('another long sentence')
    await button(page, recovery.code.action).click()
    await page.getByRole('alert').getByText(recovery.code.wrong).waitFor()
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('“This was not me” in a mail ends everything, and a mailed link leads to a new password', async () => {
  const owner = await dashboard.makeOwner()
  const thief = await dashboard.open('/account', { as: owner })
  const link = await linkFor(owner.email, 'secure')
  const { page, context, complaints } = await dashboard.open('/sign-in')
  await page.goto(link)
  await heading(page, secure.ask.title).waitFor()
  expect(page.url()).toBe(`${dashboard.origin}/secure`)
  await worksInEveryVariant(page, 'security-secure')
  // Nothing happens on opening: programs that check mails open links as well.
  expect(await statusOf(thief, '/account')).toBe(200)
  await button(page, secure.ask.action).click()
  await heading(page, secure.done.title).waitFor()
  await worksInEveryVariant(page, 'security-secured', twoForms)
  await expect.poll(() => statusOf(thief, '/account'), patient).toBe(401)
  await thief.page.goto(`${dashboard.origin}/sign-in`)
  await signIn(thief.page, owner.email, owner.password)
  await thief.page.getByRole('alert').getByText(account.signIn.wrong).waitFor()

  await page.goto(await linkFor(owner.email, 'recovery'))
  await field(page, account.change.next).fill(NEXT)
  await button(page, recovery.password.action).click()
  await heading(page, recovery.done.title).waitFor()
  await page.getByRole('link', { name: account.signIn.action }).click()
  await signIn(page, owner.email, NEXT)
  await page.waitForURL(`**/projects/${owner.slug}`)
  await page.goto(`${dashboard.origin}/account`)
  for (const action of ['signed_in_new_device', 'password_reset', 'account_secured', 'signed_up'] as const)
    await part(page, history.title).getByText(history.actions[action]).first().waitFor()

  await page.goto(link)
  await button(page, secure.ask.action).click()
  await heading(page, secure.unusable.title).waitFor()
  await worksInEveryVariant(page, 'security-unusable', twoForms)
  await page.getByRole('link', { name: secure.unusable.again }).click()
  await heading(page, recovery.address.title).waitFor()
  expect(complaints).toEqual([])
  await context.close()
  await thief.context.close()
})

test('A person signs up by a mailed link', async () => {
  const email = `new-${(await dashboard.makeOwner()).email}`
  const { page, context, complaints } = await dashboard.open('/sign-up')
  await page.getByText(account.signUp.lead).waitFor()
  await worksInEveryVariant(page, 'security-sign-up', twoForms)
  await field(page, account.email).fill(email)
  await button(page, account.signUp.mails).click()
  await heading(page, account.signUp.mailed.title).waitFor()
  await button(page, account.sendAgain).click()
  await page.getByRole('status').getByText(account.signUp.mailed.sent(email)).waitFor()
  await expect.poll(() => relay.received.filter(({ to }) => to === email).length, patient).toBe(2)
  await worksInEveryVariant(page, 'security-sign-up-mailed', twoForms)
  await page.goto(await linkFor(email, 'sign-up'))
  await field(page, account.signUp.name).fill('Jonas')
  await field(page, account.password).fill(NEXT)
  await button(page, account.signUp.action).click()
  await page.waitForURL('**/projects')
  expect(complaints).toEqual([])
  await context.close()
})

test('An address is changed by a link to the new one, and the old one takes the account back', async () => {
  const owner = await dashboard.makeOwner()
  const next = `new-${owner.email}`
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  const section = part(page, address.title)
  await section.getByText(address.unverified, { exact: true }).waitFor()
  await button(section, address.action).click()
  await section.getByText(account.needed).waitFor()
  await field(page, address.next).fill(next)
  await button(section, address.action).click()
  await section.getByText(address.mailed(next)).waitFor()
  await worksInEveryVariant(page, 'security-address')

  await page.goto(await linkFor(next, 'confirm-email'))
  await heading(page, account.confirmEmail.ask.title).waitFor()
  await worksInEveryVariant(page, 'security-confirm-address', twoForms)
  await button(page, account.confirmEmail.ask.action).click()
  await heading(page, account.confirmEmail.done.title).waitFor()
  await page.getByRole('link', { name: account.confirmEmail.done.again }).click()
  await section.getByText(next, { exact: true }).waitFor()
  await section.getByText(address.verified, { exact: true }).waitFor()

  const undo = await linkFor(owner.email, 'undo-email')
  await page.goto(undo)
  await heading(page, account.undoEmail.ask.title).waitFor()
  await worksInEveryVariant(page, 'security-undo-address', twoForms)
  await button(page, account.undoEmail.ask.action).click()
  await heading(page, account.undoEmail.done.title).waitFor()
  await page.goto(await linkFor(owner.email, 'recovery'))
  await field(page, account.change.next).fill(NEXT)
  await button(page, recovery.password.action).click()
  await page.getByRole('link', { name: account.signIn.action }).click()
  await signIn(page, owner.email, NEXT)
  await page.waitForURL(`**/projects/${owner.slug}`)
  await page.goto(undo)
  await button(page, account.undoEmail.ask.action).click()
  await heading(page, account.undoEmail.unusable.title).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('An account is deleted once it is no longer the only owner of a project', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  const section = part(page, deletion.title)
  await section.getByRole('link', { name: 'Happy Paws' }).click()
  await page.waitForURL('**/settings/members')
  await owner.ask('DELETE', `/projects/${owner.slug}`, { slug: owner.slug })
  await page.goto(`${dashboard.origin}/account`)
  await button(section, deletion.action).click()
  await worksInEveryVariant(page, 'security-delete-account', twoForms)
  await button(page.getByRole('dialog'), deletion.confirm).click()
  await page.waitForURL('**/sign-in')
  await saying(page, deletion.done).waitFor()
  await signIn(page, owner.email, owner.password)
  await page.getByRole('alert').getByText(account.signIn.wrong).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('The security history shows the newest events with device and address, and all of them on request', async () => {
  const owner = await dashboard.makeOwner()
  for (let count = 1; count <= 10; count += 1) await owner.ask('PATCH', '/account', { name: `Mia ${count}` })
  const { page, context, complaints } = await dashboard.open('/account', { as: owner })
  const section = part(page, history.title)
  const events = section.getByRole('listitem')
  await events.first().waitFor()
  expect(await events.count()).toBe(10)
  const today = common.at(common.today, '')
  expect((await events.first().innerText()).split('\n')).toEqual([
    history.actions.signed_in_new_device,
    expect.stringContaining(`Chrome on Linux, 127.0.0.1, ${today}`),
  ])
  await worksInEveryVariant(page, 'security-history', twoForms)
  await button(page, history.all(12)).click()
  expect(await events.count()).toBe(12)
  expect((await events.last().innerText()).split('\n')).toEqual([
    history.actions.signed_up,
    expect.stringContaining(`${history.unknownDevice}, 127.0.0.1, ${today}`),
  ])
  await field(page, account.name.label).fill('Mia Maria')
  await button(page, common.save).click()
  await expect.poll(() => events.first().innerText(), patient).toContain(history.actions.name_changed)
  expect(complaints).toEqual([])
  await context.close()
})
