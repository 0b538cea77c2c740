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
    '/etc/petstore/petstore.env': '640',
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

test('a secret that is set becomes a file of its own, which the units load, and is in no other file', async () => {
  const url = 'smtp://shop:s3cr3t-of-the-relay@mail.shop.example'
  expect(await setUp('--root', root, '--set', `SMTP_URL=${url}`, '--set', 'MAIL_FROM=shop@shop.example')).not.toContain(
    url,
  )
  const files = filesBelow(root)
  const withIt = files.filter(([, , text]) => text.includes('s3cr3t-of-the-relay'))
  expect(withIt).toEqual([[inRoot('etc/petstore/secrets/SMTP_URL'), '400', `${url}\n`]])
  const dropIn = files.find(([path]) => path.endsWith('petstore.service.d/secrets.conf'))
  expect(dropIn?.[2]).toContain('LoadCredential=SMTP_URL:')
  expect(files.find(([path]) => path === env())?.[1]).toBe('640')
})

test('--roles enrols an edge of this machine, and the sockets are where the settings want them', async () => {
  const port = ['--set', 'EDGE_PORT=3180']
  const output = await setUp('--root', root, ...port, '--roles', 'serve,work,edge')
  expect(output).toContain(
    '- stop and disable petstore; enable and restart petstore-serve, petstore-work, petstore-edge\n',
  )
  const files = new Map(filesBelow(root).map(([path, mode, text]) => [path.slice(root.length), { mode, text }]))
  expect(files.get('/etc/systemd/system/petstore-listen.socket')?.text).toContain(
    'ListenStream=127.0.0.1:3000\nListenStream=127.0.0.1:3180\nListenStream=127.0.0.1:9000\n',
  )
  expect(files.get('/etc/systemd/system/petstore-edge.service.d/roles.conf')?.text).toContain(
    'Environment=EDGE_CONTROL_URL=http://127.0.0.1:3090 EDGE_DIRECTORY=',
  )
  const { output: edges } = await runProgram(['edges', 'list', '--json', '--config', env()], {}).ended
  expect(JSON.parse(edges)).toMatchObject({ edges: [{ name: expect.stringMatching(/^local-/) as string }] })
  for (const name of ['EDGE_TOKEN', 'EDGE_KEY']) {
    const { mode, text } = files.get(`/etc/petstore/secrets/${name}`) ?? { mode: '', text: '' }
    expect(mode).toBe('400')
    expect(output).not.toContain(text)
  }
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
    expect.objectContaining({
      check: 11,
      severity: 'warning',
      remedy: `Run: chgrp petstore ${path} && chmod 640 ${path}`,
    }),
  )
})
