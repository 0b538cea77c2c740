// Projects in the dashboard: creating the first one, the start page that advances automatically
// as its steps are completed, members who join and leave, a plan that changes while the page
// is open, deletion, and the audit events that members may see.

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '@petstore-platform/contract/platform/projects'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { platformClient } from '../../devserver/demo.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { reserve } from '../../server/src/orders/reservations.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { slugSentence } from '../../server/src/projects/slugs.ts'
import { inviteTo, invitationSecret } from '../../testbed/harness/session.ts'
import { worksInEveryVariant } from './display-variants.ts'
import { ANY, like, pattern } from './text-patterns.ts'
import { startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { account, activity, common, projects, start } = texts
const { create, general, deletion, members, invitations, roles, plan, plans } = projects

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())

const path = ({ slug }: BrowserOwner, rest = '') => `/projects/${slug}${rest}`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
/** The first page of a project, whatever the time of day. */
const greeted = (page: Page, name: string) => heading(page, start.greeting.to('', name))
const stepsDone = (page: Page, count: number) =>
  page.getByRole('status').filter({ hasText: start.steps.done(count, 8) })

/** Creates an account without a project. */
async function newcomer(): Promise<BrowserOwner> {
  const person = { email: `${randomBytes(6).toString('hex')}@shop.example`, password: 'a good long password' }
  const ask = platformClient(`${dashboard.origin}/platform/v1`, { Origin: dashboard.origin })
  const { email, password } = person
  await ask('POST', '/accounts', { secret: await inviteTo(dashboard.database, email), password, name: 'Noa' })
  return { ...person, name: 'Noa', slug: '', ask }
}

async function joins(owner: BrowserOwner, role: 'viewer' | 'admin'): Promise<BrowserOwner> {
  const other = await newcomer()
  const invited = await owner.ask('POST', path(owner, '/invitations'), { email: other.email, role })
  await other.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  return { ...other, slug: owner.slug }
}

async function projectOf({ slug }: BrowserOwner): Promise<ProjectId> {
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, slug))
  if (project === undefined) throw new Error('the project is not there')
  return project
}

async function isReserved(owner: BrowserOwner, petId: unknown): Promise<void> {
  const project = await projectOf(owner)
  const visitor = { name: 'Ben', contact: 'ben@visitor.example', message: 'May I see him?' }
  await reserve({ inProject: inProjectOf(dashboard.database) }, project, { petId: BigInt(String(petId)), ...visitor })
}

describe('the first project', () => {
  test('is created on the welcome page, with a short name that is proposed and checked while typing', async () => {
    const taken = await dashboard.makeOwner()
    const person = await newcomer()
    const { page, context, complaints } = await dashboard.open('/projects', { as: person })
    await heading(page, projects.welcome.title).waitFor()
    await worksInEveryVariant(page, 'projects-welcome')

    const slug = `senor-whiskers-${randomBytes(3).toString('hex')}`
    await field(page, create.name).fill(`Señor Whiskers ${slug.slice(-6)}`)
    expect(await field(page, create.slug).inputValue()).toBe(slug)
    await page
      .getByRole('status')
      .getByText(`${create.isFree} ${dashboard.siteUrlOf(slug)}`)
      .waitFor()

    const fieldError = page.getByRole('alert')
    await field(page, create.slug).fill(taken.slug)
    await fieldError.getByText(create.reasons.taken(taken.slug)).waitFor()
    expect(await field(page, create.slug).getAttribute('aria-invalid')).toBe('true')
    await field(page, create.slug).fill('Admin')
    await fieldError.getByText(create.reasons.reserved('admin')).waitFor()
    await field(page, create.slug).fill('-paws')
    await fieldError.getByText(create.reasons.invalid()).waitFor()
    await button(page, create.action).click()
    await fieldError.getByText(createProject.body.faults.slug).waitFor()

    await page.getByText(create.forever).waitFor()
    await field(page, create.slug).fill('')
    expect(await field(page, create.slug).inputValue()).toBe(slug)
    await field(page, create.name).press('Enter')
    await greeted(page, 'Noa').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/projects/${slug}`)
    await stepsDone(page, 0).waitFor()
    expect(await page.title()).toMatch(pattern`^Señor Whiskers .* · ${common.product}$`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('whose short name was taken in the meantime shows an error at the field, and keeps the input', async () => {
    const person = await newcomer()
    const { page, context, complaints } = await dashboard.open('/projects', { as: person })
    const slug = `race-${randomBytes(4).toString('hex')}`
    await field(page, create.name).fill('Race')
    await field(page, create.slug).fill(slug)
    await page.getByRole('status').getByText(create.isFree).waitFor()
    await dashboard.makeOwner({ slug })
    await button(page, create.action).click()
    await page.getByRole('alert').getByText(slugSentence(slug, 'taken')).waitFor()
    expect(await field(page, create.name).inputValue()).toBe('Race')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('appears as a card in the list, with plan, role and site', async () => {
    const owner = await dashboard.makeOwner({ plan: 'pro', name: 'Paws '.repeat(20) })
    await owner.ask('POST', '/projects', { slug: `b-${owner.slug}`, name: 'Second' })
    const { page, context, complaints } = await dashboard.open('/projects', { as: owner })
    const card = page.getByRole('listitem').filter({ hasText: 'Paws' })
    expect(await card.innerText()).toMatch(
      pattern`${projects.planOf(plans.pro.label)}[^]*${projects.youAre(roles.owner.label)}`,
    )
    await card.getByRole('link', { name: `${owner.slug}.petstore.localhost` }).waitFor()
    await button(page, projects.add).click()
    await worksInEveryVariant(page, 'projects-list')
    await button(page, common.cancel).click()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(projects.add)
    await page.getByRole('link', { name: 'Second', exact: true }).click()
    await greeted(page, owner.name).waitFor()
    expect(await page.title()).toBe(`Second · ${common.product}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('The start page advances automatically as its steps are completed elsewhere', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open(path(owner), { as: owner })
  await stepsDone(page, 0).waitFor()
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  const steps = region(page, start.steps.title)
  const next = ({ action }: { action: string }) => steps.getByRole('link', { name: action, exact: true })
  await next(start.steps.animals).waitFor()

  const { id } = await owner.ask('POST', path(owner, '/animals'), { name: 'Rex', categoryId: 1 })
  await stepsDone(page, 1).waitFor()
  await next(start.steps.contact).waitFor()
  // A later step can be taken at once.
  expect(await steps.getByRole('link', { name: start.steps.publish.title }).getAttribute('href')).toMatch(/\/site$/)
  await page.getByRole('link', { name: `${start.numbers.available} ${start.numbers.count(1)}` }).waitFor()

  await owner.ask('POST', path(owner, '/deployments'))
  await isReserved(owner, id)
  await stepsDone(page, 3).waitFor()
  const site = region(page, start.site.title)
  await site.getByText(start.site.published(1)).waitFor()
  // How visitors reach the store comes before what costs money; each step leads to its field.
  const later = steps.getByRole('link', { name: start.steps.about.title })
  expect(await later.getAttribute('href')).toMatch(/\/site#about$/)
  await next(start.steps.contact).click()
  const email = field(page, texts.site.fields.email)
  await expect.poll(() => email.evaluate((found) => found === document.activeElement)).toBe(true)
  await page.goBack()
  const { logo: _, ...draft } = await owner.ask('GET', path(owner, '/site'))
  const contact = { email: '', phone: '030 1234567', address: '' }
  await owner.ask('PUT', path(owner, '/site'), { ...draft, contact, about: 'Open on Saturdays.', hiddenCategories: [] })
  await stepsDone(page, 5).waitFor()
  await next(start.steps.plan).waitFor()
  const todo = region(page, start.todo.title)
  await todo.getByText(start.todo.order.title('Ben', 'Rex'), { exact: true }).waitFor()
  expect(await todo.innerText()).toContain(start.todo.order.message('May I see him?'))
  await page.getByText(start.greeting.things(1)).waitFor()
  await page.getByRole('link', { name: `${start.numbers.orders} ${start.numbers.count(1)}` }).waitFor()
  const address = dashboard.siteUrlOf(owner.slug)
  expect(await site.getByRole('link', { name: new URL(address).host }).getAttribute('href')).toBe(address)
  expect(await page.getByRole('link', { name: start.viewSite }).getAttribute('href')).toBe(address)

  await dashboard.setPlan(owner.slug, 'pro')
  await stepsDone(page, 6).waitFor()
  await next(start.steps.domain).waitFor()
  await owner.ask('POST', path(owner, '/domains'), { hostname: `www.${owner.slug}.com` })
  await stepsDone(page, 7).waitFor()
  const { needAction, waiting } = start.domains.groups
  expect(await site.innerText()).toMatch(pattern`${needAction(1)}|${waiting(1)}`)
  expect(await page.locator('body[data-not-reloaded]').count()).toBe(1)
  await worksInEveryVariant(page, 'projects-start')
  await next(start.steps.live).click()
  await page.waitForURL(`**${path(owner, '/settings/domains')}`)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

const agedOrders = statement<never, [project: ProjectId]>(
  'age-orders',
  `update orders
   set created_at = now() - make_interval(days => ((id * 5) % 50)::integer),
     decided_at = decided_at - make_interval(days => ((id * 3) % 30)::integer)
   where project_id = $1`,
)

test('The start page shows the last weeks once there are orders, and what is set up can be hidden', async () => {
  const owner = await dashboard.makeOwner()
  await owner.ask('POST', path(owner, '/deployments'))
  const project = await projectOf(owner)
  for (const name of ['Rex', 'Juno', 'Bella', 'Ada', 'Koko', 'Old Tom', 'Biscuit', 'Clover', 'Pip', 'Luna']) {
    const { id } = await owner.ask('POST', path(owner, '/animals'), { name, categoryId: 1 })
    await isReserved(owner, id)
  }
  const placed = (await owner.ask('GET', path(owner, '/orders'))) as unknown as { id: number }[]
  for (const { id } of placed.slice(1, 6))
    await owner.ask('POST', path(owner, `/orders/${id}/move`), { fact: 'handed_over' })
  await inProjectOf(dashboard.database)(project, (db) => db(agedOrders, project))

  const { page, context, complaints } = await dashboard.open(path(owner), { as: owner })
  await page.getByRole('img', { name: like(start.numbers.ordersChart(ANY, ANY)) }).waitFor()
  await page.getByRole('img', { name: like(start.numbers.homesChart(6)) }).waitFor()
  const todo = region(page, start.todo.title)
  await todo.getByText(start.todo.orders.title(4), { exact: true }).waitFor()
  await page.getByText(start.greeting.things(5)).waitFor()
  expect(await region(page, start.decided.title).getByRole('listitem').count()).toBe(4)
  await worksInEveryVariant(page, 'projects-home')

  await button(page, start.steps.hide).click()
  await stepsDone(page, 3).waitFor({ state: 'detached' })
  await button(page, common.undo).click()
  await stepsDone(page, 3).waitFor()
  await button(page, start.steps.hide).click()
  await stepsDone(page, 3).waitFor({ state: 'detached' })
  await page.reload()
  await todo.waitFor()
  expect(await stepsDone(page, 3).count()).toBe(0)
  await todo.getByRole('link', { name: start.todo.order.action }).first().click()
  await page.waitForURL(`**${path(owner, '/requests')}/*`)
  expect(complaints).toEqual([])
  await context.close()
})

describe('General', () => {
  test('renames the project, and deletes it once its short name is confirmed', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(path(owner, '/settings'), { as: owner })
    await field(page, general.nameLabel).fill('Paws by the River')
    await button(page, common.save).click()
    await button(page, common.opensMenu('Paws by the River')).waitFor()
    const notice = page.getByRole('alert').filter({ hasText: general.renamed })
    await notice.waitFor()
    await button(page, common.close).click()
    await notice.waitFor({ state: 'detached' })
    await region(page, general.address)
      .getByRole('link', { name: dashboard.siteUrlOf(owner.slug) })
      .waitFor()
    await worksInEveryVariant(page, 'projects-general')

    await button(page, deletion.action).click()
    const dialog = page.getByRole('dialog', { name: deletion.title('Paws by the River') })
    await dialog.waitFor()
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(deletion.losses)
    const action = dialog.getByRole('button', { name: deletion.confirm })
    await dialog.getByRole('textbox').fill(owner.slug.slice(1))
    expect(await action.isDisabled()).toBe(true)
    await worksInEveryVariant(page, 'projects-delete')
    await dialog.getByRole('textbox').fill(owner.slug)
    await action.click()
    await heading(page, projects.welcome.title).waitFor()
    await page.goto(`${dashboard.origin}${path(owner)}`)
    await heading(page, common.notThere).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('Members', () => {
  test('join by a link that is shown once and can be revoked', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(path(owner, '/settings/members'), { as: owner })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText(invitations.none).waitFor()
    await page.getByText(invitations.leadWithout).waitFor()
    const role = page.getByRole('combobox', { name: invitations.role, exact: true })
    expect(await role.getByRole('option').allInnerTexts()).toEqual([roles.viewer.label, roles.admin.label])
    await role.selectOption(roles.admin.label)
    await button(page, invitations.make).click()
    await page.getByText(account.needed).waitFor()
    await field(page, invitations.email).fill('jonas@shop.example')
    await field(page, invitations.note).fill('Jonas, weekends')
    await button(page, invitations.make).click()
    await page.getByText(like(invitations.once(ANY))).waitFor()
    await button(page, `${common.copy}: ${invitations.copyWhat}`).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toContain(`${dashboard.origin}/invitations#`)
    const row = region(page, invitations.open).getByRole('row').filter({ hasText: 'jonas@shop.example' })
    expect(await row.innerText()).toContain('Jonas, weekends')
    expect(await row.innerText()).toContain(roles.admin.label)
    await worksInEveryVariant(page, 'projects-members')
    await button(page, invitations.revokeOf('jonas@shop.example')).click()
    await page.getByText(invitations.none).waitFor()
    expect(await page.getByText(invitations.made('jonas@shop.example')).count()).toBe(0)
    const late = await newcomer()
    const secret = link.split('#')[1]
    await expect(late.ask('POST', '/invitations/accept', { secret })).rejects.toThrow('404')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('have roles that an owner changes; the last owner cannot leave, and sees why', async () => {
    const owner = await dashboard.makeOwner()
    const other = await joins(owner, 'viewer')
    const { page, context, complaints } = await dashboard.open(path(owner, '/settings/members'), { as: owner })
    const role = (name: string) => page.getByRole('combobox', { name: members.roleOf(name) })
    await button(page, members.leave).click()
    await page.getByRole('dialog').getByRole('button', { name: members.leave }).click()
    await page.getByRole('alert').getByText(members.lastOwner).waitFor()
    await role('Mia').selectOption(roles.viewer.label)
    await button(page, members.lessDo).click()
    await page.getByRole('alert').getByText(members.lastOwnerText).waitFor()
    expect(await role('Mia').inputValue()).toBe('owner')

    await role('Noa').selectOption(roles.owner.label)
    const rolesNow = async () =>
      ((await owner.ask('GET', path(owner, '/members'))) as unknown as { role: string }[]).map((member) => member.role)
    await expect.poll(rolesNow).toEqual(['owner', 'owner'])
    await button(page, members.leave).click()
    await page.getByRole('dialog').getByRole('button', { name: members.leave }).click()
    await heading(page, projects.welcome.title).waitFor()
    expect(complaints).toEqual([])
    await context.close()

    const left = await dashboard.open(path(other, '/settings/members'), { as: other })
    const helper = await joins(other, 'viewer')
    await left.page.reload()
    await button(left.page, members.removeOf('Noa')).click()
    await left.page.getByRole('dialog').getByRole('button', { name: members.remove }).click()
    await button(left.page, members.removeOf('Noa')).waitFor({ state: 'detached' })
    await expect(helper.ask('GET', path(other))).rejects.toThrow('404')
    expect(left.complaints).toEqual([])
    await left.context.close()
  })

  test('who created API keys are removed after a choice, and a key that is kept shows it', async () => {
    const owner = await dashboard.makeOwner()
    const helper = await joins(owner, 'admin')
    await helper.ask('POST', path(owner, '/keys'), { label: 'Stock system' })
    const { page, context, complaints } = await dashboard.open(path(owner, '/settings/members'), { as: owner })
    const dialog = page.getByRole('dialog')
    const keep = dialog.getByRole('radio', { name: members.keysOf.choices.keep.label })

    // For a role without keys the question comes before the change.
    const role = page.getByRole('combobox', { name: members.roleOf('Noa') })
    await role.selectOption(roles.viewer.label)
    await keep.waitFor()
    expect(await dialog.getByRole('button', { name: members.viewerDo }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await role.inputValue()).toBe('admin')

    await button(page, members.removeOf('Noa')).click()
    await dialog.getByText('Stock system', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: members.remove }).isDisabled()).toBe(true)
    await keep.check()
    await dialog.getByRole('button', { name: members.remove }).click()
    await button(page, members.removeOf('Noa')).waitFor({ state: 'detached' })
    await page.goto(`${dashboard.origin}${path(owner, '/settings/keys')}`)
    await page.getByText(texts.keys.formerMember).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('with the role viewer see everything and cannot change anything', async () => {
    const owner = await dashboard.makeOwner()
    const viewer = await joins(owner, 'viewer')
    const { page, context, complaints } = await dashboard.open(path(viewer), { as: viewer })
    await page.getByText(start.steps.viewer).waitFor()
    expect(await region(page, start.steps.title).getByRole('link').count()).toBe(0)
    const main = page.getByRole('main')
    await page.getByRole('link', { name: common.nav.settings }).click()
    await main.getByText(general.viewer).waitFor()
    await main.getByText(deletion.onlyOwners).waitFor()
    expect(await field(page, general.nameLabel).isDisabled()).toBe(true)
    await page.getByRole('link', { name: common.nav.members }).click()
    await main.getByText(invitations.viewer).waitFor()
    await main.getByText('mia', { exact: false }).first().waitFor()
    expect(await main.getByRole('combobox').count()).toBe(0)
    expect(await main.getByRole('button').allInnerTexts()).toEqual([members.leave])
    await page.getByRole('link', { name: common.nav.plan, exact: true }).click()
    await main.getByText(plan.ownersAsk).waitFor()
    await page.getByRole('link', { name: common.nav.activity }).click()
    await main.getByRole('heading', { name: activity.viewer }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('The plan page shows a new plan and its limits without a reload', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context, complaints } = await dashboard.open(path(owner, '/settings/plan'), { as: owner })
  const ofTen = (used: number) => plan.of(plan.count(used), plan.count(10))
  await region(page, plan.current).getByRole('status').getByText(plans.free.label, { exact: true }).waitFor()
  await region(page, plan.other).getByText(plan.cannotAsk).waitFor()
  expect(await button(page, plan.askFor(plans.pro.label)).count()).toBe(0)
  // No command: which one works depends on where the operator has installed the program.
  const main = page.getByRole('main')
  expect(await main.locator('code, pre').count()).toBe(0)
  expect(await main.innerText()).not.toMatch(/plans set|npx|npm |node |--project/)
  expect(await page.getByRole('group', { name: plan.usage }).innerText()).toMatch(
    pattern`${plan.limits.members}\s+${ofTen(1)}[^]*${plan.limits.customDomains}\s+${plan.none}`,
  )
  await worksInEveryVariant(page, 'projects-plan')
  await dashboard.setPlan(owner.slug, 'pro')
  await region(page, plan.current).getByRole('status').getByText(plans.pro.label, { exact: true }).waitFor()
  await page.getByText(ofTen(0), { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

/** The text of an audit event, after the name of its actor. */
const eventText = (action: keyof typeof activity.events, detail: Readonly<Record<string, string>> = {}) =>
  activity.events[action]({ subject: '', person: undefined, isOneself: false, said: (name) => detail[name] })

test('Activity shows audit events as sentences, page by page', async () => {
  const owner = await dashboard.makeOwner()
  await joins(owner, 'admin')
  await dashboard.setPlan(owner.slug, 'pro')
  const names = Array.from({ length: 50 }, (_, index) => `Rabbit ${index}`)
  for (const name of names) await owner.ask('POST', path(owner, '/animals'), { name, categoryId: 1 })
  const { page, context, complaints } = await dashboard.open(path(owner, '/activity'), { as: owner })
  const events = region(page, activity.today).getByRole('listitem')
  await events.filter({ hasText: `Mia ${eventText('animal_created', { name: 'Rabbit 49' })}` }).waitFor()
  expect(await events.count()).toBe(50)
  await worksInEveryVariant(page, 'projects-activity')
  await button(page, common.more).click()
  await events.filter({ hasText: `Mia ${eventText('project_created')}` }).waitFor()
  const all = (await events.allInnerTexts()).join('\n')
  expect(all).toContain(`${activity.actors.operator} ${eventText('plan_set', { to: 'pro', from: 'free' })}`)
  expect(all).toContain(`Noa ${eventText('invitation_accepted', { role: 'admin' })}`)
  expect(complaints).toEqual([])
  await context.close()
})
