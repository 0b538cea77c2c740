// `petstore setup` on a real PostgreSQL, below a folder of its own, as an operator runs it; then the program from the
// configuration that it has written.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../devserver/free-port.ts'
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

test('an administrator needs no more than CREATEROLE and CREATEDB', async () => {
  const other = await startPostgres({ directory: newClusterDirectory(), ephemeral: true })
  onTestFinished(() => other.stop())
  const client = new pg.Client({ connectionString: other.superuserUrl })
  await client.connect()
  await client.query(`create role limited login createrole createdb password 'limited'`)
  await client.end()
  const url = new URL(other.superuserUrl)
  url.username = 'limited'
  url.password = 'limited'
  const folder = join(root, 'limited')
  for (const expected of [/^Applied \d+ migrations\.$/m, /^Nothing is missing\.\nThe schema is up to date\.$/m]) {
    const output = await setUp('--root', folder, '--database-admin', url.href)
    expect(output).toMatch(expected)
  }
})

describe('an edge host', () => {
  const edgeRoot = () => join(root, 'edge-host')
  const edgeEnv = () => join(edgeRoot(), 'etc/petstore/petstore.env')
  const setUpEdge = (...options: readonly string[]) =>
    runProgram(['setup', '--edge', '--root', edgeRoot(), '--addresses', '127.0.80.42', ...options], {}).ended
  const checksOf = async () => {
    const { output } = await runProgram(['doctor', '--json', '--config', edgeEnv()], {}).ended
    return (JSON.parse(output) as { findings: { check: number }[] }).findings.map(({ check }) => check)
  }

  test('is set up with a token and the address of the control plane, which says the rest', async () => {
    mkdirSync(join(edgeRoot(), 'etc/systemd/system'), { recursive: true })
    const [control, admin] = [await freePort(), await freePort()]
    const serve = runProgram(['serve', '--config', env()], { PORT: '0', CONTROL_PORT: String(control) })
    await serve.port
    const { output: added } = await runProgram(['edges', 'add', 'frankfurt-1', '--json', '--config', env()], {}).ended
    const { token } = JSON.parse(added) as { token: string }
    const { code, output, errors } = await setUpEdge('--control', `http://127.0.0.1:${control}`, '--token', token)
    expect([errors, code]).toEqual(['', 0])
    expect(output).toContain('- enable and restart petstore-edge, caddy\n')
    expect(output).toContain('*.shops.example. A 127.0.80.42\n')
    expect(output).not.toContain(token)

    const files = new Map(filesBelow(edgeRoot()).map(([path, , text]) => [path.slice(edgeRoot().length), text]))
    expect(files.get('/etc/petstore/petstore.env')).toContain('\nPLATFORM_HOST=shops.example\n')
    const probeSecret = readFileSync(inRoot('etc/petstore/secrets/PROBE_SECRET'), 'utf8')
    expect(files.get('/etc/petstore/secrets/PROBE_SECRET')).toBe(probeSecret)
    expect([...files.keys()].filter((path) => /petstore[^/]*\.(service|socket|timer)$/.test(path))).toEqual([
      '/etc/systemd/system/petstore-edge.service',
      '/etc/systemd/system/petstore-listen.service',
      '/etc/systemd/system/petstore-listen.socket',
    ])

    const ports = { EDGE_PORT: '0', EDGE_CERTIFICATE_PORT: '0', ADMIN_PORT: String(admin) }
    const edge = runProgram(['edge', '--config', edgeEnv()], ports)
    const health = () => runProgram(['health', '--config', edgeEnv()], { ADMIN_PORT: String(admin) }).ended
    await expect.poll(health, { timeout: 60_000 }).toMatchObject({ code: 0, output: 'ready\n' })
    expect(await checksOf()).not.toContain(32)
    // Run again, it needs neither.
    expect(await setUpEdge()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing is missing.') as string,
    })

    for (const one of [edge, serve]) {
      one.end('SIGTERM')
      await one.ended
    }
    // Negative control.
    expect((await health()).code).toBe(1)
    expect(await checksOf()).toContain(32)
  })

  test('needs a control plane that knows its token', async () => {
    const { code, errors } = await setUpEdge('--control', 'http://127.0.0.1:1', '--token', `edge_${'x'.repeat(43)}`)
    expect([code, errors]).toEqual([1, expect.stringContaining('The control plane cannot be asked')])
  })
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
