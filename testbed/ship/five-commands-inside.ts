// The part of a drill that runs in a network namespace of its own: the test internet and a certificate authority, a machine
// with systemd, the commands of docs/operations.md in `production`, and then what the installation survives.
//
//   unshare --mount --net … node testbed/ship/five-commands-inside.ts <root> <drills> <command> …

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import sharp from 'sharp'
import { startPebble } from '../internet/pebble.ts'
import { until } from '../internet/processes.ts'
import { network } from '../internet/roles.ts'
import { startWorld } from '../internet/world.ts'
import { visit } from '../harness/visitor.ts'
import { bootMachine, type Installed } from './machine.ts'
import { survivalDrills } from './survival.ts'

const ADDRESS = `${network}.80.1`
const APP = 'app.willow-pets.com'
const SITES = 'willow-shops.net'
const PATIENCE_MS = 240_000
const ROOTS = '/usr/local/share/test-roots.pem'

const withoutService = `with clock as (update route_clock set seq = seq + 1 returning seq)
  update route_directory set kind = 'gone', serial = null, slug = null, seq = clock.seq from clock where kind = 'service'`
  .split('\n')
  .join(' ')

const [root = '', drills = '', ...commands] = process.argv.slice(2)
const world = await startWorld({
  platformHost: SITES,
  zones: [{ zone: 'willow-pets.com', records: [`app A ${ADDRESS}`], signing: 'good' }],
})
const [resolver] = world.dns.resolvers
const pebble = await startPebble({ dnsServer: `${resolver?.address}:${resolver?.port}`, httpPort: 80 })
prepareMachine()
const machine = await bootMachine(root, 'petstore-one')
try {
  const ca = await pebble.rootPem()
  appendFileSync(join(root, ROOTS), ca)
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10
  let invitation = ''
  for (const command of commands) {
    const output = await machine.run(inTestInternet(command))
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
    reached[what] = seconds()
  }
  await served('api', APP, '/v1/pets', (body) => body.includes('"code"'))
  await served('dashboard', APP, '/', (body) => body.includes('<div id="root"') || body.includes('<html'))
  await deploySite(ca, new URL(invitation))
  await served('site', `willow.${SITES}`, '/', (body) => body.includes('Willow Street'))
  const total = seconds()

  const installed: Installed = {
    machine,
    inTestInternet,
    setup: inTestInternet(commands.find((command) => command.includes(' setup ')) ?? ''),
    target: { address: ADDRESS, port: 443, ca },
    app: APP,
    site: `willow.${SITES}`,
    edgeRoot: process.env['EDGE_ROOT'] ?? '',
  }
  const survived: Record<string, object> = {}
  for (const name of drills.split(',').filter((one) => one !== '')) {
    process.stderr.write(`drill ${name}\n`)
    survived[name] = await survivalDrills[name]!(installed).catch((error: Error) => ({ fault: error.message }))
  }

  // Negative control: without its row in the host table, the hostname gets no certificate.
  await machine.run(`su postgres -c "psql -q petstore -c \\"${withoutService}\\""`)
  const handshake = () => visit({ address: ADDRESS, port: 443, ca }, APP, { path: '/' })
  await until(
    'That the handshake fails without the row of the service (negative control)',
    async () => (await handshake()).status === 0,
    PATIENCE_MS,
  )
  process.stdout.write(
    `${JSON.stringify({ reached, withoutRow: (await handshake()).why, seconds: total, survived })}\n`,
  )
} catch (error) {
  process.stderr.write((await machine.attempt('journalctl --no-pager -n 60')).output)
  throw error
} finally {
  await machine.stop()
  await pebble.close()
  await world.close()
}
// What daemons have left behind must not keep the namespace.
process.exit()

/** As on the real internet: resolvers in resolv.conf, and the roots of the authority known to the machine. */
function prepareMachine(): void {
  writeFileSync(join(root, 'etc/resolv.conf'), `nameserver ${resolver?.address}\n`)
  writeFileSync(join(root, ROOTS), pebble.tlsRootPem, { mode: 0o644 })
  for (const unit of ['petstore', 'petstore-serve', 'petstore-work', 'petstore-edge']) {
    const dropIns = join(root, `etc/systemd/system/${unit}.service.d`)
    mkdirSync(dropIns, { recursive: true })
    writeFileSync(join(dropIns, 'test-roots.conf'), `[Service]\nEnvironment=NODE_EXTRA_CA_CERTS=${ROOTS}\n`)
  }
}

/** With names of the test internet in place of those of the document, and its resolvers and authority. */
function inTestInternet(command: string): string {
  const named = command.replaceAll('app.shop.example', APP).replaceAll('shops.example', SITES)
  const trusting = named.replaceAll(/(^|&& )(\S*petstore )/g, `$1NODE_EXTRA_CA_CERTS=${ROOTS} $2`)
  if (!command.includes(' setup ')) return trusting
  const settings = {
    DNS_RESOLVERS: world.dns.resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    ACME_DIRECTORIES: `letsencrypt.org=${pebble.directoryUrl}`,
  }
  return [trusting, ...Object.entries(settings).map(([name, value]) => `--set '${name}=${value}'`)].join(' ')
}

/** As the dashboard would: the account of the invitation, a project, its site. */
async function deploySite(ca: string, invitation: URL): Promise<void> {
  const secret = invitation.hash.slice(1) || (invitation.searchParams.get('secret') ?? '')
  const account = await call(ca, 'POST', '/accounts', { secret, password: 'seven otters juggle lanterns', name: 'Mia' })
  const cookie = account.cookies.map((one) => one.split(';', 1)[0]).join('; ')
  await call(ca, 'POST', '/projects', { slug: 'willow', name: 'Willow Street' }, cookie)
  const juno = await call(ca, 'POST', '/projects/willow/animals', { name: 'Juno', categoryId: 1 }, cookie)
  const { id } = JSON.parse(juno.body) as { id: number }
  await call(ca, 'POST', `/projects/willow/animals/${id}/photos`, await blueSquare(), cookie)
  await call(ca, 'POST', '/projects/willow/deployments', {}, cookie)
}

function blueSquare(): Promise<Buffer> {
  const create = { width: 600, height: 600, channels: 3, background: 'blue' } as const
  return sharp({ create }).jpeg().toBuffer()
}

type Answer = { status: number; cookies: string[]; body: string }

function call(ca: string, method: string, path: string, body: object | Buffer, cookie = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = Buffer.isBuffer(body) ? 'image/jpeg' : 'application/json'
    const headers = { Host: APP, Origin: `https://${APP}`, 'Content-Type': type, Cookie: cookie }
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
    pending.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
}
