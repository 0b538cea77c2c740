// Mails that a click in the dashboard causes, in a real browser and read from the inbox of the development server: an
// invitation is accepted by a new person, settings are changed, a link turns mails off, and the operator is asked for
// another plan.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { startInbox, type Inbox } from '../../devserver/inbox.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { addressDigest, isSuppressed, suppress } from '../../server/src/mail/suppression-queries.ts'
import { mailFrom, secretFrom } from '../../testbed/harness/inbox.ts'
import { startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { twoForms, worksInEveryVariant } from './display-variants.ts'
import { ANY, like, saying } from './text-patterns.ts'

const { account, common, notifications, projects } = texts
const { invitation: invited, address } = account
const { invitations, plan, plans, roles } = projects
const { unsubscribe, topics, visitors } = notifications
const OPERATOR = 'operator@petstore.example'
const PASSWORD = 'a good long password'
const patient = { timeout: 60_000 }

let inbox: Inbox
let dashboard: Dashboard

beforeAll(async () => {
  inbox = await startInbox(0)
  dashboard = await startDashboard({
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    OPERATOR_EMAIL: OPERATOR,
    SMTP_PER_SECOND: '1000',
  })
})
afterAll(async () => {
  await dashboard?.close()
  await inbox?.stop()
})

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const path = ({ slug }: BrowserOwner, rest = '') => `/projects/${slug}${rest}`

const mailTo = (email: string, subject: string) => mailFrom(inbox.url, email, subject)

const verify = statement<never, [email: string]>(
  'verify-address',
  'update accounts set verified_at = now() where email_key = $1',
)
const unverify = statement<never, [email: string]>(
  'unverify-address',
  'update accounts set verified_at = null where email_key = $1',
)

/** An owner who has confirmed the address. */
async function newOwner(): Promise<BrowserOwner> {
  const owner = await dashboard.makeOwner({ plan: 'pro' })
  await dashboard.database.run(verify, owner.email)
  return owner
}

/** Invites through the page, and returns the link in the mail. */
async function invite(owner: BrowserOwner, email: string, role: keyof typeof roles): Promise<string> {
  const { page, context, complaints } = await dashboard.open(path(owner, '/settings/members'), { as: owner })
  await page.getByText(invitations.lead).waitFor()
  await field(page, invitations.email).fill(email)
  await page.getByRole('combobox', { name: invitations.role, exact: true }).selectOption(roles[role].label)
  await field(page, invitations.note).fill('Jonas, weekends')
  await button(page, invitations.mails).click()
  await page.getByText(invitations.mailed(email), { exact: true }).waitFor()
  await region(page, invitations.open).getByRole('row').filter({ hasText: email }).waitFor()
  expect(await page.locator('code').count()).toBe(0)
  if (role === 'admin') await worksInEveryVariant(page, 'notifications-invite')
  expect(complaints).toEqual([])
  await context.close()
  return `/invitations#${await secretFrom(inbox.url, email, '/invitations')}`
}

describe('an invitation that was mailed', () => {
  test('is accepted by a new person, whose account has the invited address, confirmed', async () => {
    const owner = await newOwner()
    const email = `jonas-${owner.email}`
    const link = await invite(owner, email, 'admin')
    const { page, context, complaints } = await dashboard.open(link)
    await page.getByText(invited.lead('Mia', 'Happy Paws')).waitFor()
    await page.getByText(invited.for(email)).waitFor()
    expect(page.url()).toBe(`${dashboard.origin}/invitations`)
    expect(await field(page, account.email).count()).toBe(0)
    await button(page, invited.create).click()
    expect(await page.getByText(account.needed).count()).toBe(2)
    await worksInEveryVariant(page, 'notifications-invited')
    await field(page, account.signUp.name).fill('Jonas')
    await field(page, account.password).fill(PASSWORD)
    await button(page, invited.create).click()
    await page.waitForURL(`**${path(owner)}`)
    await page.getByRole('alert').getByText(invited.roles.admin).waitFor()
    await page.goto(`${dashboard.origin}/account`)
    await region(page, address.title).getByText(address.verified, { exact: true }).waitFor()
    await region(page, address.title).getByText(email).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('petstore-invitation'))).toBeNull()
    await page.goto(`${dashboard.origin}${link}`)
    await heading(page, invited.goneTitle).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is for one address: another account is asked to sign out, and an address to be confirmed', async () => {
    const owner = await newOwner()
    const other = await newOwner()
    const right = await dashboard.makeOwner()
    await dashboard.database.run(unverify, right.email)
    // People do not remember how they spelt it.
    const spelt = right.email.replace(/^[^@]+/, (local) => local.toUpperCase())
    const link = await invite(owner, spelt, 'viewer')
    const { page, context, complaints } = await dashboard.open(link, { as: other })
    await page.getByRole('heading', { name: invited.wrongTitle }).waitFor()
    await page.getByText(invited.wrong(spelt)).waitFor()
    expect(await button(page, invited.accept).count()).toBe(0)
    await worksInEveryVariant(page, 'notifications-other-address')
    await button(page, invited.signOut).click()
    await page.getByRole('link', { name: invited.signIn }).click()
    await field(page, account.email).fill(right.email)
    await field(page, account.password).fill(right.password)
    await button(page, account.signIn.action).click()
    await page.getByText(invited.unverified(right.email)).waitFor()
    expect(await button(page, invited.accept).count()).toBe(0)
    await worksInEveryVariant(page, 'notifications-unverified', twoForms)
    await button(page, invited.verify).click()
    await page.getByText(invited.verifying(right.email)).waitFor()
    const confirming = await context.newPage()
    const secret = await secretFrom(inbox.url, right.email, '/confirm-email')
    await confirming.goto(`${dashboard.origin}/confirm-email#${secret}`)
    await button(confirming, account.confirmEmail.ask.action).click()
    await heading(confirming, account.confirmEmail.done.title).waitFor()
    await confirming.close()
    await page.reload()
    await button(page, invited.accept).click()
    await page.waitForURL(`**${path(owner)}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('leads to a page on which the person declines all further ones, which opening it does not', async () => {
    const owner = await newOwner()
    const email = `nobody-${owner.email}`
    await invite(owner, email, 'viewer')
    const { text } = await mailTo(email, 'An invitation')
    const link = /http\S+\/unsubscribe\/invitations\S+/.exec(text)?.[0] ?? ''
    const { page, context, complaints } = await dashboard.open('/sign-in')
    await page.goto(link)
    await heading(page, unsubscribe.invitations.title).waitFor()
    await worksInEveryVariant(page, 'notifications-declining', twoForms)
    const isDeclined = () => isSuppressed(dashboard.database.run, addressDigest(email), 'invitations')
    expect(await isDeclined()).toBe(false)
    await button(page, unsubscribe.invitations.action).click()
    await heading(page, unsubscribe.invitations.done).waitFor()
    expect(await isDeclined()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })
})

const settingsOf = (owner: BrowserOwner) => owner.ask('GET', path(owner, '/notifications'))
const choice = (page: Page, topic: keyof typeof topics) =>
  page.getByRole('combobox', { name: topics[topic].label, exact: true })

async function joins(owner: BrowserOwner, role: 'admin' | 'viewer'): Promise<BrowserOwner> {
  const person = await newOwner()
  const link = await invite(owner, person.email, role)
  await person.ask('POST', '/invitations/accept', { secret: link.split('#')[1] })
  return { ...person, slug: owner.slug }
}

describe('the settings', () => {
  test('are saved at once, and stay; owners cannot turn alerts off', async () => {
    const owner = await newOwner()
    const { page, context, complaints } = await dashboard.open(path(owner, '/settings'), { as: owner })
    await page.getByRole('link', { name: common.nav.notifications }).click()
    await page.getByText(notifications.to(owner.email)).waitFor()
    expect(await choice(page, 'requests').getByRole('option').allInnerTexts()).toEqual(
      Object.values(notifications.requestChoices),
    )
    expect(await choice(page, 'alerts').count()).toBe(0)
    await page.getByText(notifications.alertsOfOwner, { exact: false }).waitFor()
    await worksInEveryVariant(page, 'notifications-settings')
    await choice(page, 'requests').selectOption(notifications.requestChoices.daily)
    await expect
      .poll(() => settingsOf(owner), patient)
      .toMatchObject({ requests: 'daily', reminders: 'each', visitors: true })
    await choice(page, 'reminders').selectOption(notifications.choices.off)
    await expect.poll(() => settingsOf(owner), patient).toMatchObject({ requests: 'daily', reminders: 'off' })
    // Not uncheck(): it looks at once, and the box shows its new state a tick after the click.
    await page.getByRole('checkbox', { name: visitors.label }).click()
    await expect.poll(() => settingsOf(owner), patient).toMatchObject({ visitors: false })
    await page.reload()
    expect(await choice(page, 'requests').inputValue()).toBe('daily')
    expect(await page.getByRole('checkbox', { name: visitors.label }).isChecked()).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('show each role what concerns it', async () => {
    const owner = await newOwner()
    const [admin, viewer] = [await joins(owner, 'admin'), await joins(owner, 'viewer')]
    const shownTo = async (person: BrowserOwner) => {
      const { page, context } = await dashboard.open(path(person, '/settings/notifications'), { as: person })
      await region(page, notifications.yours).getByRole('combobox').first().waitFor()
      const shown = await Promise.all(
        Object.values(topics).map(async ({ label }) =>
          (await page.getByText(label, { exact: true }).count()) > 0 ? [label] : [],
        ),
      )
      const isFixed = await page.getByText(visitors.viewer).count()
      await context.close()
      return [shown.flat(), isFixed] as const
    }
    const { members: _, ...ofAdmins } = topics
    expect(await shownTo(admin)).toEqual([Object.values(ofAdmins).map(({ label }) => label), 0])
    expect(await shownTo(viewer)).toEqual([[topics.publishing.label], 1])
  })

  test('include the language of mails', async () => {
    const owner = await newOwner()
    const { page, context, complaints } = await dashboard.open('/account', { as: owner })
    await region(page, account.language.title).getByRole('combobox').selectOption(account.language.names.de)
    await saying(page, account.language.saved).waitFor()
    expect(await owner.ask('GET', '/account')).toMatchObject({ language: 'de', isReachable: true })
    expect(await page.getByText(address.unreachable(owner.email)).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('tell a person whose mail came back to confirm the address', async () => {
    const owner = await newOwner()
    await suppress(dashboard.database.run, addressDigest(owner.email), 'all', 'bounced')
    const { page, context, complaints } = await dashboard.open('/account', { as: owner })
    const section = region(page, address.title)
    await section.getByText(address.unreachable(owner.email)).waitFor()
    await worksInEveryVariant(page, 'notifications-unreachable', twoForms)
    await button(section, address.verify).click()
    await section.getByText(address.mailed(owner.email)).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('A link in a mail turns its topic off once its button is pressed, and not by being opened', async () => {
  const owner = await newOwner()
  await joins(owner, 'viewer')
  const mail = await mailTo(owner.email, 'joined')
  const link = /http\S+\/unsubscribe\/\S+/.exec(mail.text)?.[0] ?? ''
  expect(mail.headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value).toBe(`<${link}>`)
  const { page, context, complaints } = await dashboard.open('/sign-in')
  await page.goto(link)
  await heading(page, unsubscribe.member.title).waitFor()
  await page.getByText(unsubscribe.member.lead(topics.members.label.toLowerCase())).waitFor()
  await worksInEveryVariant(page, 'notifications-unsubscribe')
  expect((await fetch(link)).status).toBe(200)
  expect(await settingsOf(owner)).toMatchObject({ members: 'each' })
  await button(page, unsubscribe.member.action).click()
  await heading(page, unsubscribe.member.done).waitFor()
  await worksInEveryVariant(page, 'notifications-unsubscribed', twoForms)
  expect(await settingsOf(owner)).toMatchObject({ members: 'off', requests: 'each' })
  await page.goto(`${link.slice(0, -3)}xyz`)
  await button(page, unsubscribe.member.action).click()
  await heading(page, unsubscribe.unusable.title).waitFor()
  await page.goto(`${dashboard.origin}/unsubscribe/nonsense`)
  await heading(page, unsubscribe.unusable.title).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('The operator is asked for a plan by mail, and the answer is shown', async () => {
  const owner = await dashboard.makeOwner({ name: 'Willow Street' })
  const { page, context, complaints } = await dashboard.open(path(owner, '/settings/plan'), { as: owner })
  const pro = plans.pro.label
  await page.getByText(plan.how).waitFor()
  await worksInEveryVariant(page, 'notifications-plan')
  await button(page, plan.askFor(pro)).click()
  const dialog = page.getByRole('dialog', { name: plan.askTitle(pro) })
  await field(dialog, plan.message).fill('We would like to use our own domain.')
  await worksInEveryVariant(page, 'notifications-ask', twoForms)
  await button(dialog, plan.send).click()
  await page.getByRole('alert').getByText(plan.sent).waitFor()
  await saying(page, plan.requests.open(pro, ANY)).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await button(page, plan.askFor(pro)).count()).toBe(0)
  await worksInEveryVariant(page, 'notifications-plan-asked', twoForms)
  const mail = await mailTo(OPERATOR, 'Willow Street')
  expect(mail.text).toContain('We would like to use our own domain.')

  const reason = 'We have no room for now.'
  await dashboard.operator('plans', 'decline', '--project', owner.slug, '--reason', reason)
  await page.getByText(like(`${plan.requests.declined(pro, ANY)} ${reason}`)).waitFor({ timeout: 15_000 })
  await worksInEveryVariant(page, 'notifications-plan-declined', twoForms)
  await button(page, plan.askFor(pro)).click()
  await button(page.getByRole('dialog'), plan.send).click()
  await saying(page, plan.requests.open(pro, ANY)).waitFor()
  await dashboard.operator('plans', 'set', '--project', owner.slug, '--plan', 'pro')
  await saying(page, plan.requests.granted(pro, ANY)).waitFor({ timeout: 15_000 })
  await button(page, plan.askFor(plans.enterprise.label)).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
