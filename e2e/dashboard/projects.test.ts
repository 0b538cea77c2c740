// Projects as people live with them: the first one is made, its first page leads on by
// itself as things get done, others join and leave, the plan changes while somebody
// waits, and in the end it is deleted. What was done is told to those who may know.

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askingAt } from '../../server/dev/demo.ts'
import { reserve } from '../../server/src/orders/reservations.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.ts'
import { isForEverybody } from './everybody.ts'
import { startDashboard, type Dashboard, type Owner } from './stage.ts'

let stage: Dashboard

beforeAll(async () => {
  stage = await startDashboard()
})
afterAll(() => stage?.close())

const path = ({ slug }: Owner, rest = '') => `/projects/${slug}${rest}`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Somebody who has no project yet. */
async function newcomer(): Promise<Owner> {
  const person = { email: `${randomBytes(6).toString('hex')}@shop.example`, password: 'a good long password' }
  const ask = askingAt(`${stage.origin}/platform/v1`, { Origin: stage.origin })
  await ask('POST', '/accounts', { ...person, name: 'Noa' })
  return { ...person, name: 'Noa', slug: '', ask }
}

async function joins(owner: Owner, role: 'viewer' | 'admin'): Promise<Owner> {
  const other = await newcomer()
  const { secret } = await owner.ask('POST', path(owner, '/invitations'), { role })
  await other.ask('POST', '/invitations/accept', { secret })
  return { ...other, slug: owner.slug }
}

async function isReserved(owner: Owner, petId: unknown): Promise<void> {
  const project = await inDirectoryOf(stage.database)((db) => directory.findSlug(db, owner.slug))
  if (project === undefined) throw new Error('the project is not there')
  const visitor = { name: 'Ben', contact: 'ben@visitor.example', message: 'May I see him?' }
  await reserve({ inProject: inProjectOf(stage.database) }, project, { petId: BigInt(String(petId)), ...visitor })
}

describe('the first project', () => {
  test('is made on a page that welcomes, with a short name that is proposed and checked while it is typed', async () => {
    const taken = await stage.makeOwner()
    const person = await newcomer()
    const { page, context, complaints } = await stage.open('/projects', { as: person })
    await page.getByRole('heading', { level: 1, name: 'Welcome to Petstore' }).waitFor()
    await isForEverybody(page, 'projects-welcome')

    const slug = `senor-whiskers-${randomBytes(3).toString('hex')}`
    await field(page, 'Name of the store').fill(`Señor Whiskers ${slug.slice(-6)}`)
    expect(await field(page, 'Short name').inputValue()).toBe(slug)
    await page.getByText(`Your site will be at ${stage.siteUrlOf(slug)}`).waitFor()

    const said = page.getByRole('alert')
    await field(page, 'Short name').fill(taken.slug)
    await said.getByText(`${taken.slug} is taken.`).waitFor()
    expect(await field(page, 'Short name').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Short name').fill('Admin')
    await said.getByText('admin is kept for Petstore itself').waitFor()
    await field(page, 'Short name').fill('-paws')
    await said.getByText('no hyphen at the beginning').waitFor()
    await button(page, 'Make the project').click()
    await said.getByText('lower-case letters, digits and hyphens, as in a hostname').waitFor()

    await page.getByText('can never be changed').waitFor()
    await field(page, 'Short name').fill('')
    expect(await field(page, 'Short name').inputValue()).toBe(slug)
    await field(page, 'Name of the store').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Señor Whiskers' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/projects/${slug}`)
    await page.getByText('0 of 5 steps done').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that somebody else took in between is refused beside the field, and nothing typed is lost', async () => {
    const person = await newcomer()
    const { page, context, complaints } = await stage.open('/projects', { as: person })
    const slug = `race-${randomBytes(4).toString('hex')}`
    await field(page, 'Name of the store').fill('Race')
    await field(page, 'Short name').fill(slug)
    await page.getByText('This one is free.').waitFor()
    await stage.makeOwner({ slug })
    await button(page, 'Make the project').click()
    await page.getByRole('alert').getByText('is taken').waitFor()
    expect(await field(page, 'Name of the store').inputValue()).toBe('Race')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is a card in the list afterwards, with plan, role and site', async () => {
    const owner = await stage.makeOwner({ plan: 'pro', name: 'Paws '.repeat(20) })
    await owner.ask('POST', '/projects', { slug: `b-${owner.slug}`, name: 'Second' })
    const { page, context, complaints } = await stage.open('/projects', { as: owner })
    const card = page.getByRole('listitem').filter({ hasText: 'Paws' })
    expect(await card.innerText()).toMatch(/Pro plan[^]*You: Owner/)
    await card.getByRole('link', { name: `${owner.slug}.petstore.localhost` }).waitFor()
    await button(page, 'New project').click()
    await isForEverybody(page, 'projects-list')
    await button(page, 'Cancel').click()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New project')
    await page.getByRole('link', { name: 'Second', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('The first page leads on by itself, step by step, as things get done elsewhere', async () => {
  const owner = await stage.makeOwner()
  const { page, context, complaints } = await stage.open(path(owner), { as: owner })
  await page.getByText('0 of 5 steps done').waitFor()
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  const next = region(page, 'The way to your own site').getByRole('link')
  expect(await next.innerText()).toBe('Add animals')

  const { id } = await owner.ask('POST', path(owner, '/animals'), { name: 'Rex', categoryId: 1 })
  await page.getByText('1 of 5 steps done').waitFor()
  expect(await next.innerText()).toBe('Go to Site')
  await page.getByRole('link', { name: 'Available 1' }).waitFor()

  await owner.ask('POST', path(owner, '/deployments'))
  await isReserved(owner, id)
  await page.getByText('2 of 5 steps done').waitFor()
  await page.getByText('Visitors see version 1').waitFor()
  expect(await next.innerText()).toBe('See the plans')
  await page.getByRole('link', { name: 'Orders to decide 1' }).waitFor()
  expect(await region(page, 'Last orders').innerText()).toMatch(/Rex from Ben[^]*To decide/)
  await page.getByRole('link', { name: stage.siteUrlOf(owner.slug) }).waitFor()

  await stage.setPlan(owner.slug, 'pro')
  await page.getByText('3 of 5 steps done').waitFor()
  expect(await next.innerText()).toBe('Add domain')
  await owner.ask('POST', path(owner, '/domains'), { hostname: `www.${owner.slug}.com` })
  await page.getByText('4 of 5 steps done').waitFor()
  expect(await region(page, 'Domains').innerText()).toMatch(/1 (needs you|on the way)/)
  expect(await page.locator('body[data-not-reloaded]').count()).toBe(1)
  await isForEverybody(page, 'projects-start')
  await next.click()
  await page.waitForURL(`**${path(owner, '/settings/domains')}`)
  expect(complaints).toEqual([])
  await context.close()
}, 60_000)

describe('General', () => {
  test('renames the project, and deletes it once its short name is typed again', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(path(owner, '/settings'), { as: owner })
    await field(page, 'Name of the project').fill('Paws by the River')
    await button(page, 'Save').click()
    await page.getByRole('button', { name: 'Paws by the River ▾' }).waitFor()
    const notice = page.getByText('The project has its new name.')
    await notice.waitFor()
    await button(page, 'Close').click()
    await notice.waitFor({ state: 'detached' })
    await region(page, 'Addresses')
      .getByRole('link', { name: stage.siteUrlOf(owner.slug) })
      .waitFor()
    await isForEverybody(page, 'projects-general')

    await button(page, 'Delete this project').click()
    const dialog = page.getByRole('dialog', { name: 'Delete Paws by the River?' })
    await dialog.getByText('All animals, categories and orders').waitFor()
    const does = dialog.getByRole('button', { name: 'Delete it for ever' })
    await dialog.getByRole('textbox').fill(owner.slug.slice(1))
    expect(await does.isDisabled()).toBe(true)
    await isForEverybody(page, 'projects-delete')
    await dialog.getByRole('textbox').fill(owner.slug)
    await does.click()
    await page.getByRole('heading', { level: 1, name: 'Welcome to Petstore' }).waitFor()
    await page.goto(`${stage.origin}${path(owner)}`)
    await page.getByText('There is nothing here').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('Members', () => {
  test('join by a link that is shown once, and that can be taken back', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(path(owner, '/settings/members'), { as: owner })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('No invitation waits to be accepted.').waitFor()
    await page.getByLabel('Role', { exact: true }).selectOption('Admin')
    await field(page, 'For whom (optional)').fill('Jonas, weekends')
    await button(page, 'Make a link').click()
    await page.getByText('we do not show it a second time').waitFor()
    await page.getByRole('button', { name: 'Copy: the link' }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toContain(`${stage.origin}/invitations/`)
    const row = region(page, 'Open invitations').getByRole('row').filter({ hasText: 'Jonas, weekends' })
    expect(await row.innerText()).toMatch(/Admin/)
    await isForEverybody(page, 'projects-members')
    await page.getByRole('button', { name: 'Revoke the invitation: Jonas, weekends' }).click()
    await page.getByText('No invitation waits to be accepted.').waitFor()
    expect(await page.getByText('The link is ready').count()).toBe(0)
    const late = await newcomer()
    const secret = link.split('/').at(-1)
    await expect(late.ask('POST', '/invitations/accept', { secret })).rejects.toThrow('404')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('have roles that an owner changes; the last owner stays one, and is told why', async () => {
    const owner = await stage.makeOwner()
    const other = await joins(owner, 'viewer')
    const { page, context, complaints } = await stage.open(path(owner, '/settings/members'), { as: owner })
    const role = (name: string) => page.getByLabel(`Role of ${name}`)
    await button(page, 'Leave').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('this is the last one.').waitFor()
    await role('Mia').selectOption('Viewer')
    await page.getByRole('button', { name: 'Give it up' }).click()
    await page.getByText('Make somebody else owner first.').waitFor()
    expect(await role('Mia').inputValue()).toBe('owner')

    await role('Noa').selectOption('Owner')
    const roles = async () =>
      ((await owner.ask('GET', path(owner, '/members'))) as unknown as { role: string }[]).map((member) => member.role)
    await expect.poll(roles).toEqual(['owner', 'owner'])
    await button(page, 'Leave').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Welcome to Petstore' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()

    const left = await stage.open(path(other, '/settings/members'), { as: other })
    const helper = await joins(other, 'viewer')
    await left.page.reload()
    await left.page.getByRole('button', { name: 'Remove Noa' }).click()
    await left.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await left.page.getByRole('button', { name: 'Remove Noa' }).waitFor({ state: 'detached' })
    await expect(helper.ask('GET', path(other))).rejects.toThrow('404')
    expect(left.complaints).toEqual([])
    await left.context.close()
  })

  test('who may only look see everything, and find nothing that they could change', async () => {
    const owner = await stage.makeOwner()
    const viewer = await joins(owner, 'viewer')
    const { page, context, complaints } = await stage.open(path(viewer), { as: viewer })
    await page.getByText('Admins and owners of the project take care of these steps.').waitFor()
    expect(await region(page, 'The way to your own site').getByRole('link').count()).toBe(0)
    const main = page.getByRole('main')
    await page.getByRole('link', { name: 'Project settings' }).click()
    await main.getByText('Only admins and owners of the project can change the name.').waitFor()
    await main.getByText('Only owners of the project can delete it.').waitFor()
    expect(await field(page, 'Name of the project').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Members' }).click()
    await main.getByText('Only admins and owners of the project can invite people.').waitFor()
    await main.getByText('mia', { exact: false }).first().waitFor()
    expect(await main.getByRole('combobox').count()).toBe(0)
    expect(await main.getByRole('button').allInnerTexts()).toEqual(['Leave'])
    await page.getByRole('link', { name: 'Plan', exact: true }).click()
    await main.getByText('Usually an owner of the project asks for it.').waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await main.getByText('Only for admins and owners').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('Whoever waits for the plan sees it change, with what it includes, without a reload', async () => {
  const owner = await stage.makeOwner()
  const { page, context, complaints } = await stage.open(path(owner, '/settings/plan'), { as: owner })
  await region(page, 'Your plan').getByRole('status').getByText('Free').waitFor()
  const how = region(page, 'How to get Pro')
  await how.getByText('Only the operator of this Petstore installation can change plans.').waitFor()
  await how.getByText(`Ask them to put the project “${owner.slug}” on Pro.`).waitFor()
  // No command: which one works depends on where the operator has installed the program.
  const main = page.getByRole('main')
  expect(await main.locator('code, pre').count()).toBe(0)
  expect(await main.innerText()).not.toMatch(/plans set|npx|npm |node |--project/)
  expect(await page.getByRole('group', { name: 'In use' }).innerText()).toMatch(
    /People\s+1 of 10[^]*of your own\s+none/,
  )
  await isForEverybody(page, 'projects-plan')
  await stage.setPlan(owner.slug, 'pro')
  await region(page, 'Your plan').getByRole('status').getByText('Pro').waitFor()
  await page.getByText('0 of 10', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'How to get Enterprise' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('Activity tells who did what in words, page after page', async () => {
  const owner = await stage.makeOwner()
  await joins(owner, 'admin')
  await stage.setPlan(owner.slug, 'pro')
  const names = Array.from({ length: 50 }, (_, index) => `Rabbit ${index}`)
  for (const name of names) await owner.ask('POST', path(owner, '/animals'), { name, categoryId: 1 })
  const { page, context, complaints } = await stage.open(path(owner, '/activity'), { as: owner })
  const deeds = region(page, 'Today').getByRole('listitem')
  await deeds.filter({ hasText: 'Mia added the animal “Rabbit 49”' }).waitFor()
  expect(await deeds.count()).toBe(50)
  await isForEverybody(page, 'projects-activity')
  await button(page, 'Show more').click()
  await deeds.filter({ hasText: 'Mia made the project' }).waitFor()
  const all = (await deeds.allInnerTexts()).join('\n')
  expect(all).toContain('Whoever runs this Petstore put the project on the Pro plan; it was on Free')
  expect(all).toContain('Noa accepted an invitation and is admin')
  expect(complaints).toEqual([])
  await context.close()
})
