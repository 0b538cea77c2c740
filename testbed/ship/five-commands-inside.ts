// The part of the drill `five-commands` that runs in a network namespace of its own: the test internet and a certificate
// authority, the commands, and visitors.
//
//   unshare --mount --net … node testbed/ship/five-commands-inside.ts <root> <command> …

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { startPebble } from '../internet/pebble.ts'
import { until } from '../internet/processes.ts'
import { startWorld } from '../internet/world.ts'
import { inDebian, must } from './debian.ts'
import { visit } from '../harness/visitor.ts'

const ADDRESS = '127.0.80.1'
const APP = 'app.shop.example'
const SITES = 'shops.example'
const PATIENCE_MS = 240_000

const withoutService = `with clock as (update route_clock set seq = seq + 1 returning seq)
  update route_directory set kind = 'gone', serial = null, slug = null, seq = clock.seq from clock where kind = 'service'`
  .split('\n')
  .join(' ')

const [root = '', ...commands] = process.argv.slice(2)
const running: ChildProcess[] = []
const world = await startWorld({
  platformHost: SITES,
  zones: [{ zone: 'shop.example', records: [`app A ${ADDRESS}`], signing: 'good' }],
})
const [resolver] = world.dns.resolvers
const pebble = await startPebble({ dnsServer: `${resolver?.address}:${resolver?.port}`, httpPort: 80 })
try {
  const ca = await pebble.rootPem()
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  await must(inDebian(root, 'pg_ctlcluster 17 main start'))
  let invitation = ''
  for (const command of commands) {
    const output = await must(inDebian(root, withTestInternet(command)))
    if (command.includes('systemctl')) startUnits()
    if (command.includes('accounts invite')) invitation = output.trim().split('\n').at(-1) ?? ''
  }
  const reached: Record<string, number> = {}
  const served = async (what: string, hostname: string, path: string, isRight: (body: string) => boolean) => {
    await until(
      `HTTPS of ${hostname}${path}`,
      async () => {
        const { status, body } = await visit({ address: ADDRESS, port: 443, ca }, hostname, { path })
        return status < 500 && status > 0 && isRight(body)
      },
      PATIENCE_MS,
    )
    reached[what] = Math.round(seconds() * 10) / 10
  }
  await served('api', APP, '/v1/pets', (body) => body.includes('"code"'))
  await served('dashboard', APP, '/', (body) => body.includes('<div id="root"') || body.includes('<html'))
  await deploySite(ca, new URL(invitation))
  await served('site', `willow.${SITES}`, '/', (body) => body.includes('Willow Street'))
  const total = seconds()

  // Negative control: without its row in the host table, the hostname gets no certificate.
  await must(inDebian(root, `su postgres -c "psql -q petstore -c \\"${withoutService}\\""`))
  await until(
    'That the handshake fails without the row of the service (negative control)',
    async () => (await visit({ address: ADDRESS, port: 443, ca }, APP, { path: '/' })).status === 0,
    PATIENCE_MS,
  )
  const { why } = await visit({ address: ADDRESS, port: 443, ca }, APP, { path: '/' })
  process.stdout.write(`${JSON.stringify({ reached, withoutRow: why, seconds: total })}\n`)
} finally {
  for (const child of running) {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await inDebian(root, 'pg_ctlcluster 17 main stop -m immediate')
  await pebble.close()
  await world.close()
}
// What daemons have left behind must not keep the namespace.
process.exit()

/** The settings that replace the internet by the test internet. */
function withTestInternet(command: string): string {
  if (!command.includes(' setup ')) return command
  const roots = '/usr/local/share/test-roots.pem'
  writeFileSync(join(root, roots), pebble.tlsRootPem, { mode: 0o644 })
  const settings = {
    ENVIRONMENT: 'staging',
    DNS_RESOLVERS: world.dns.resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    DNS_AUTHORITATIVE_PORT: String(world.dns.authoritativePort),
    DNS_TEST_NETWORKS: [...world.dns.allowedNetworks, '127.0.80.0/24'].join(','),
    TEST_SUFFIXES: 'example',
    ACME_DIRECTORIES: `letsencrypt.org=${pebble.directoryUrl}`,
    ACME_TEST_ROOTS_FILE: roots,
  }
  const set = Object.entries(settings).map(([name, value]) => `--set '${name}=${value}'`)
  return [command, `--addresses ${ADDRESS}`, ...set].join(' ')
}

/** As systemd would: the last ExecStart of a unit and its drop-ins, as its user, with its credentials. */
function startUnits(): void {
  const petstore = readFileSync(join(root, 'etc/systemd/system/petstore.service'), 'utf8')
  start(`CREDENTIALS_DIRECTORY=/etc/petstore/secrets HOME=/var/lib/petstore`, 'petstore', lastOf(petstore, 'ExecStart'))
  const dropIn = readFileSync(join(root, 'etc/systemd/system/caddy.service.d/petstore.conf'), 'utf8')
  // Only Caddy binds ports below 1024; its unit gives it that capability.
  start('HOME=/var/lib/caddy', 'root', lastOf(dropIn, 'ExecStart'))
}

function lastOf(unit: string, key: string): string {
  return [...unit.matchAll(new RegExp(`^${key}=(.+)$`, 'gm'))].at(-1)?.[1]?.replace(/^[-+!@]+/, '') ?? ''
}

function start(env: string, user: string, command: string): void {
  const script = `mount --bind /dev "$1/dev"; mount -t proc proc "$1/proc"; exec chroot --userspec="$2" "$1" /usr/bin/env $3 $4`
  const args = ['--mount', 'setpriv', '--pdeathsig', 'TERM', 'sh', '-c', script, 'sh', root, user, env, command]
  // To stderr: stdout is for the figures.
  const child = spawn('unshare', args, { stdio: ['ignore', 2, 2] })
  running.push(child)
}

/** As the dashboard would: the account of the invitation, a project, its site. */
async function deploySite(ca: string, invitation: URL): Promise<void> {
  const secret = invitation.hash.slice(1) || (invitation.searchParams.get('secret') ?? '')
  const account = await call(ca, 'POST', '/accounts', { secret, password: 'seven otters juggle lanterns', name: 'Mia' })
  const cookie = account.cookies.map((one) => one.split(';', 1)[0]).join('; ')
  await call(ca, 'POST', '/projects', { slug: 'willow', name: 'Willow Street' }, cookie)
  await call(ca, 'POST', '/projects/willow/animals', { name: 'Juno', categoryId: 1 }, cookie)
  await call(ca, 'POST', '/projects/willow/deployments', {}, cookie)
}

type Answer = { status: number; cookies: string[]; body: string }

function call(ca: string, method: string, path: string, body: object, cookie = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { Host: APP, Origin: `https://${APP}`, 'Content-Type': 'application/json', Cookie: cookie }
    const target = { host: ADDRESS, port: 443, servername: APP, ca, method, path: `/platform/v1${path}`, headers }
    const pending = request(target, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status >= 300) return reject(new Error(`${method} ${path} got ${status}: ${text}`))
        resolve({ status, cookies: response.headers['set-cookie'] ?? [], body: text })
      })
    })
    pending.on('error', reject)
    pending.end(JSON.stringify(body))
  })
}
