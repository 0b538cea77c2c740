// The operator's commands for tenants: every one that changes a project or an account names the operator in its audit events,
// and `projects list` and `show` say what there is.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testbed/harness/service.ts'
import { accountCommands } from '../../src/commands/accounts.ts'
import { keyCommands } from '../../src/commands/keys.ts'
import { planCommands } from '../../src/commands/plans.ts'
import { projectCommands } from '../../src/commands/projects.ts'
import { insertAccount } from '../../src/accounts/account-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { parseConfig } from '../../src/program/config.ts'

let shop: TestService
const email = 'mia@petstore.example'

beforeAll(async () => {
  shop = await startTestService()
  const { database } = shop.service
  await insertAccount(database.run, { id: newId('acc'), email, name: 'Mia', password: 'none' })
})

async function run(commands: typeof projectCommands, ...args: string[]): Promise<Record<string, unknown>> {
  const printed: string[] = []
  const config = parseConfig({ DATABASE_URL: shop.database.appUrl })
  const print = (text: string) => void printed.push(text)
  const invalid = (why: string) => new Error(why)
  await commands(() => ({ config, print, invalid, user: 'ops' })).parseAsync([...args, '--json'], { from: 'user' })
  return JSON.parse(printed.join('\n')) as Record<string, unknown>
}

/** Every command of every group, as `group command`, with its options. */
async function allCommands(): Promise<{ name: string; options: string[] }[]> {
  const folder = join(import.meta.dirname, '../../src/commands')
  const found: { name: string; options: string[] }[] = []
  const visit = (command: Command, above: string): void => {
    const name = `${above} ${command.name()}`.trim()
    if (command.commands.length > 0) for (const one of command.commands) visit(one, name)
    else found.push({ name, options: command.options.map(({ long }) => long ?? '') })
  }
  for (const file of globSync('*.ts', { cwd: folder })) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, make] of Object.entries(exported)) {
      if (!/Commands?$/.test(name) || typeof make !== 'function') continue
      const command: unknown = (make as (...given: unknown[]) => unknown)(...Array(4).fill(() => ({})))
      if (command instanceof Command) visit(command, '')
    }
  }
  return found
}

/** These change no project and no account: they read, or concern the installation. */
const others = [
  'accounts invite',
  'accounts show',
  'backup verify',
  'certificates list',
  'certificates rotate-keys',
  'config print',
  'doctor',
  'domains check',
  'domains trace',
  'edges add',
  'edges announce',
  'edges list',
  'edges revoke',
  'ingest',
  'jobs status',
  'keys list',
  'limits show',
  'mail check',
  'mail drop',
  'mail ingest',
  'mail retry',
  'mail status',
  'mail suppressions list',
  'mail suppressions remove',
  'plans show',
  'projects list',
  'projects show',
  'restore',
  'setup',
  'suppressions list',
  'suppressions remove',
  'upgrade',
]

test('every command that changes a tenant takes the name of the operator and a reason', async () => {
  const all = await allCommands()
  const unnamed = all.filter(({ options }) => !options.includes('--as') || !options.includes('--reason'))
  expect([...new Set(unnamed.map(({ name }) => name))].sort()).toEqual(others)
  const named = all.map(({ name }) => name).filter((name) => !others.includes(name))
  expect(named.sort()).toEqual([
    'accounts close',
    'accounts recovery-link',
    'accounts verify',
    'keys create',
    'keys revoke',
    'keys rotate',
    'plans decline',
    'plans set',
    'projects add-owner',
    'projects create',
    'projects erase',
    'projects hold',
    'projects release',
    'projects resume',
    'projects suspend',
  ])
})

test('their audit events name the operator: as given, or the user of the operating system', async () => {
  const named = ['--as', 'mia', '--reason', 'asked by phone']
  await run(projectCommands, 'create', '--slug', 'willow', ...named)
  await run(planCommands, 'set', '--project', 'willow', '--plan', 'pro', ...named)
  await run(projectCommands, 'add-owner', '--project', 'willow', '--email', email)
  const { id } = await run(keyCommands, 'create', '--project', 'willow', ...named)
  await run(keyCommands, 'revoke', '--project', 'willow', String(id))
  const shown = await run(projectCommands, 'show', '--project', 'willow')
  const by = { by: 'mia', reason: 'asked by phone' }
  expect(shown['events']).toMatchObject([
    { action: 'key_revoked', actor: 'operator', detail: { by: 'operator:ops' } },
    { action: 'key_created', actor: 'operator', detail: by },
    { action: 'owner_added', detail: { by: 'operator:ops' } },
    { action: 'plan_set', detail: { ...by, from: 'free', to: 'pro' } },
    { action: 'project_created', detail: by },
  ])
  await run(accountCommands, 'verify', '--email', email, ...named)
  const { events } = await run(accountCommands, 'show', '--email', email)
  expect(events).toMatchObject([{ action: 'email_verified_by_operator', actor: 'operator', by: 'mia' }])
})

test('without the name nothing is added (negative control)', async () => {
  await shop.keyFor(shop.south, { label: 'not by a command' })
  const { events } = await run(projectCommands, 'show', '--project', 'south')
  expect((events as { detail: object }[])[0]?.detail).not.toHaveProperty('by')
})

test('projects are listed by their slugs, page by page, with owners, plan, state and usage', async () => {
  await run(projectCommands, 'suspend', '--project', 'south', '--reason', 'phishing')
  await run(projectCommands, 'hold', '--project', 'south', '--reason', 'case 12')
  await shop.north.post('/v1/pets', JSON.stringify({ name: 'Rex', categoryId: 1 }))
  const first = await run(projectCommands, 'list', '--count', '2')
  expect(first).toMatchObject({
    projects: [
      { slug: 'north', state: 'open', plan: 'free', heldAt: null, owners: [], usage: { animals: 1, keys: 1 } },
      { slug: 'south', state: 'suspended', heldAt: expect.stringMatching(/^20/) as string },
    ],
    next: 'south',
  })
  const { projects } = await run(projectCommands, 'list', '--after', 'south')
  expect(projects).toMatchObject([
    { slug: 'willow', plan: 'pro', owners: [email], lastActivityAt: expect.stringMatching(/^20/) as string },
  ])
  await expect(run(projectCommands, 'list', '--count', '501')).rejects.toThrow('1 to 500')
  await expect(run(projectCommands, 'show', '--project', 'nowhere')).rejects.toThrow('There is no project nowhere.')
})
