// `petstore setup` on a real PostgreSQL, below a folder of its own, as an operator runs it; then the program from the
// configuration that it has written.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type RunningPostgres } from '../devserver/postgres.ts'
import { newClusterDirectory } from '../testbed/harness/cluster-directory.ts'
import { runProgram } from '../testbed/harness/process.ts'

let postgres: RunningPostgres
let root: string
beforeAll(async () => {
  // As an operator runs it: nothing that doctor would report is off.
  const settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
  postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true, settings })
  root = mkdtempSync(join(tmpdir(), 'petstore-setup-'))
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
})
afterAll(async () => {
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

/** Nothing leaves this machine: neither resolvers nor the authority exist. */
const unreachable = [
  'ACME_DIRECTORIES=letsencrypt.org=https://127.0.0.1:1/directory',
  'DNS_RESOLVERS=one=127.0.0.1:1,two=127.0.0.2:1',
]

async function setUp(...options: readonly string[]) {
  const names = ['--address', 'app.shop.example', '--sites', 'shops.example', '--contact', 'ops@shop.example']
  const sets = unreachable.flatMap((one) => ['--set', one])
  const admin = ['--database-admin', postgres.superuserUrl, '--addresses', '127.0.80.41']
  const { code, output, errors } = await runProgram(['setup', ...names, ...admin, ...sets, ...options], {}).ended
  expect(errors).toBe('')
  expect(code).toBe(0)
  return output
}

const inRoot = (path: string) => join(root, path)
const env = () => inRoot('etc/petstore/petstore.env')

/** Path, mode and content of every file. */
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, (statSync(path).mode & 0o777).toString(8), readFileSync(path, 'utf8')] as const)

test('a dry run prints the plan, without secrets, and changes nothing', async () => {
  const output = await setUp('--root', root, '--dry-run')
  expect(output).toContain(`- run in PostgreSQL: create role petstore_app login password '[secret]'\n`)
  expect(output).toContain(`- write ${inRoot('etc/petstore/secrets/CERTIFICATE_KEYS')} (0400, petstore)\n`)
  expect(filesBelow(root)).toEqual([])
})

test('setup writes everything once, and changes nothing when it is run again', async () => {
  const output = await setUp('--root', root)
  expect(output).toMatch(/^Applied \d+ migrations\.$/m)
  expect(output).toContain('app.shop.example. A 127.0.80.41\n  *.shops.example. A 127.0.80.41\n')
  expect(output).toContain('CERTIFICATE_KEYS is in no backup')
  const files = filesBelow(root)
  const modes = Object.fromEntries(files.map(([path, mode]) => [path.slice(root.length), mode]))
  expect(modes).toMatchObject({
    '/etc/petstore/petstore.env': '644',
    '/etc/petstore/caddy.json': '644',
    '/etc/petstore/secrets/CERTIFICATE_KEYS': '400',
    '/etc/petstore/secrets/DATABASE_OWNER_URL': '400',
    '/etc/petstore/secrets/DATABASE_URL': '400',
    '/etc/petstore/secrets/PROBE_SECRET': '400',
    '/etc/systemd/system/caddy.service.d/petstore.conf': '644',
  })
  const secrets = files.filter(([path]) => path.includes('/secrets/')).map(([, , text]) => text.trim())
  for (const secret of secrets) expect(output).not.toContain(secret)

  const again = await setUp('--root', root)
  expect(again).toMatch(/^Nothing is missing\.\nThe schema is up to date\.\nNo problem was found\.\n/)
  expect(filesBelow(root)).toEqual(files)
})

test('a missing secret is created again, and the others stay (negative control)', async () => {
  const secret = inRoot('etc/petstore/secrets/PROBE_SECRET')
  const before = new Map(filesBelow(root).map(([path, , text]) => [path, text]))
  rmSync(secret)
  expect(await setUp('--root', root, '--set', 'SIGN_UP=closed')).toContain('- SIGN_UP stays invited;')
  const after = filesBelow(root).filter(([path, , text]) => before.get(path) !== text)
  expect(after.map(([path]) => path)).toEqual([secret])
})

test('config print shows where each setting comes from', async () => {
  const { output } = await runProgram(['config', 'print', '--json', '--config', env()], {}).ended
  const { settings, mistakes } = JSON.parse(output) as { settings: { name: string }[]; mistakes: string[] }
  const settingOf = (name: string) => settings.find((one) => one.name === name)
  expect(mistakes).toEqual([])
  expect(settingOf('BASE_URL')).toMatchObject({ value: 'https://app.shop.example/v1', origin: 'file' })
  expect(settingOf('DATABASE_URL')).toMatchObject({ value: '[secret]', origin: 'secrets directory' })
})

test('accounts invite prints a link to the first account', async () => {
  const invite = (...args: string[]) => runProgram(['accounts', 'invite', ...args, '--config', env()], {}).ended
  const link = /^https:\/\/app\.shop\.example\/sign-up#\S+\n$/
  expect(await invite('mia@shop.example')).toMatchObject({ code: 0, output: expect.stringMatching(link) })
  expect(await invite()).toMatchObject({ code: 1, errors: expect.stringContaining('takes an address') })
})

test('the program starts from the configuration and serves, unless a secret is an example', async () => {
  const ports = { PORT: '0', EDGE_PORT: '0', EDGE_CERTIFICATE_PORT: '0' }
  const program = runProgram(['start', '--config', env()], ports)
  const response = await fetch(`http://127.0.0.1:${await program.port}/readyz`)
  expect(response.status).toBe(200)
  program.end('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0 })

  // Negative control.
  const refused = await runProgram(['start', '--config', env()], { ...ports, PROBE_SECRET: 'x'.repeat(40) }).ended
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('PROBE_SECRET is an example') })
})

test('a secret that every user can read is reported by doctor, with its remedy', async () => {
  const path = inRoot('etc/petstore/secrets/DATABASE_URL')
  chmodSync(path, 0o644)
  const { output } = await runProgram(['doctor', '--json', '--config', env()], {}).ended
  chmodSync(path, 0o400)
  const { findings } = JSON.parse(output) as { findings: { check: number; remedy: string }[] }
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 11, severity: 'warning', remedy: `Run: chmod o= ${path}` }),
  )
})
