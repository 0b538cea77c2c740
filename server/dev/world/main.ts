// `npm run world`: a small internet on this machine, to play with domains without
// owning one. Says in plain words what runs where, and stays until Ctrl-C.
//
//   --json   print one JSON line when ready, and nothing else
//   --cache  let the resolvers remember answers, as real ones do

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { examples } from './examples.ts'
import { removeState, readState, writeState } from './state.ts'
import { startWorld, type World } from './world.ts'

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean', default: false }, cache: { type: 'boolean', default: false } },
})
const say = (text: string): void => void process.stdout.write(`${text}\n`)

function describe(world: World): string {
  const { ports, readyMs } = world
  const zones = examples.map(({ zone, about }) => `  ${zone.zone.padEnd(24)}${about}`)
  return `The world is ready after ${Math.round(readyMs)} ms. Nothing in it reaches the real internet.

  127.0.53.53 and .54, port ${ports.resolver}   two resolvers that check signatures
  127.0.53.1 to .10, port ${ports.authoritative}     nameservers (parent, first, second, third, lame, silent, closed, hostile)
  127.0.80.10 to .72, port ${ports.web}    what may stand at an address in place of us

Zones:
${zones.join('\n')}
  petstore.test           the platform: every <project>.petstore.test is at 127.0.80.1

Ask:   dig @127.0.53.53 -p ${ports.resolver} shop.willow-street.test
       dig @127.0.53.2 -p ${ports.authoritative} +norecurse willow-street.test NS
Check: node --env-file=${settingsOf(world)} server/src/main.ts domains check shop.willow-street.test --target happy-paws.petstore.test
Edit:  npm run zone -- willow-street.test show
       npm run zone -- willow-street.test set shop CNAME happy-paws.petstore.test
End:   Ctrl-C`
}

/** A file with which the program asks this world in place of the real internet. */
function settingsOf({ directory, dns, web }: World): string {
  const file = join(directory, 'petstore.env')
  const settings = {
    ENVIRONMENT: 'staging',
    TEST_SUFFIXES: 'test',
    DNS_RESOLVERS: dns.resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    DNS_AUTHORITATIVE_PORT: dns.authoritativePort,
    DNS_TEST_NETWORKS: [...dns.allowedNetworks, ...web.allowedNetworks].join(','),
    PLATFORM_HOST: 'petstore.test',
    EDGE_ADDRESSES: '127.0.80.1',
    PROBE_PORT: web.port,
    PROBE_SECRET: randomBytes(24).toString('hex'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

function machineReadable({ ports, dns, readyMs, web }: World): string {
  return JSON.stringify({
    readyMs: Math.round(readyMs),
    ports,
    dns,
    web: { port: web.port, allowedNetworks: web.allowedNetworks },
  })
}

async function main(): Promise<void> {
  if (readState() !== null) throw new Error('A world of yours runs already. End it first (Ctrl-C there).')
  const world = await startWorld({ zones: examples.map(({ zone }) => zone), cache: flags.cache ? 'real' : 'off' })
  const end = (): void => {
    removeState()
    void world.close().then(() => process.exit(0))
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    tell(world)
  } catch (error) {
    await world.close()
    throw error
  }
}

function tell(world: World): void {
  writeState({
    pid: process.pid,
    port: world.ports.authoritative,
    updateKeyFile: world.updateKeyFile,
    forgetsAfterEdits: world.forgetsAfterEdits,
    zones: world.zones(),
  })
  say(flags.json ? machineReadable(world) : describe(world))
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
