// A person who has forgotten her password returns without asking for help: from the sign-in page, by the mailed
// link, to her project.

import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { startMailRelay, type TestRelay } from '../../testbed/harness/mail-relay.ts'
import { startDashboard, type Dashboard } from './browser-environment.ts'
import { twoForms, worksInEveryVariant } from './display-variants.ts'
import { ANY, like } from './text-patterns.ts'

const { recovery, signIn, change } = texts.account
const NEXT = 'a much longer sentence'

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

test('a forgotten password is replaced by the mailed link, which then no longer works', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open('/sign-in')
  const email = page.getByLabel(texts.account.email, { exact: true })
  await page.getByRole('link', { name: signIn.forgotten }).click()
  await page.getByRole('heading', { name: recovery.address.title }).waitFor()
  await page.getByRole('button', { name: recovery.address.action }).click()
  await page.getByText(texts.account.needed).waitFor()
  // What is typed on one page is there on the other, in both directions, and in no address.
  await email.fill(owner.email)
  await page.getByRole('link', { name: recovery.back }).click()
  await page.getByRole('heading', { name: signIn.title }).waitFor()
  expect(await email.inputValue()).toBe(owner.email)
  await email.fill(`${owner.email}.example`)
  await page.getByRole('link', { name: signIn.forgotten }).click()
  await page.getByRole('heading', { name: recovery.address.title }).waitFor()
  expect(await email.inputValue()).toBe(`${owner.email}.example`)
  expect(page.url()).toBe(`${dashboard.origin}/recovery`)
  await email.fill(owner.email)
  await page.getByRole('button', { name: recovery.address.action }).click()
  await page.getByRole('heading', { name: recovery.mailed.title }).waitFor()
  await page.getByText(recovery.mailed.lead(owner.email)).waitFor()
  // While the link is valid no other is mailed, and the page says so, and until when.
  await page.getByRole('button', { name: texts.account.sendAgain }).click()
  await page
    .getByRole('status')
    .getByText(like(recovery.mailed.held(owner.email, ANY)))
    .waitFor()
  await worksInEveryVariant(page, 'recovery-mailed', twoForms)

  await relay.arrived(1)
  const { text = '' } = (await relay.received[0]?.read()) ?? {}
  const link = /http\S+\/recovery#\S+/.exec(text)?.[0] ?? ''
  await page.goto(link)
  await page.getByRole('heading', { name: recovery.password.title }).waitFor()
  expect(page.url()).toBe(`${dashboard.origin}/recovery`)
  await worksInEveryVariant(page, 'recovery-password', twoForms)
  await page.getByLabel(change.next, { exact: true }).fill('short')
  await page.getByRole('button', { name: recovery.password.action }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel(change.next, { exact: true }).fill(NEXT)
  await page.getByRole('button', { name: recovery.password.action }).click()
  await page.getByRole('heading', { name: recovery.done.title }).waitFor()
  await page.getByRole('link', { name: signIn.action }).click()
  await email.fill(owner.email)
  await page.getByLabel(texts.account.password, { exact: true }).fill(NEXT)
  await page.getByRole('button', { name: signIn.action, exact: true }).click()
  // The owner of one store lands in it.
  await page.waitForURL(`**/projects/${owner.slug}`)

  await page.goto(`${dashboard.origin}/projects`)
  await page.goto(link)
  await page.getByLabel(change.next, { exact: true }).fill(NEXT)
  await page.getByRole('button', { name: recovery.password.action }).click()
  await page.getByRole('heading', { name: recovery.unusable.title }).waitFor()
  await worksInEveryVariant(page, 'recovery-unusable', twoForms)
  await page.getByRole('button', { name: recovery.unusable.again }).click()
  await page.getByLabel(texts.account.email).waitFor()
  const mails = await Promise.all(relay.received.map(async (mail) => (await mail.read()).text ?? ''))
  expect(mails.filter((mail) => mail.includes('/recovery#'))).toHaveLength(1)
  expect(complaints).toEqual([])
  await context.close()
})
