// `npm run world`: a test internet on this machine with a store in it, to try domains without
// owning one. Prints what runs where, and runs until Ctrl-C.
//
//   npm run world -- --help
//
// With `owner …` or `zone …` it acts as one of the people in the test internet that runs in
// another terminal: the owner of the store (owner.ts), or the registrar (zone.ts).

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { examples } from './examples.ts'
import type { OpenStore } from './open-store.ts'
import { usage as ownerUsage } from './owner-command.ts'
import { runOwner } from './owner.ts'
import { writeSettings } from '../../devserver/settings-file.ts'
import { shellText } from './shell.ts'
import { removeState, readState, writeState } from './state.ts'
import { startWorld, type World, type WorldOptions } from './world.ts'
import { usage as zoneUsage } from './zone-command.ts'
import { runZone } from './zone.ts'

const usage = `npm run world -- [options]      starts the world; it stays until Ctrl-C
npm run world -- owner …        in another terminal: acts as the owner of the store
npm run world -- zone …         in another terminal: edits DNS, as at a registrar

  --dns    only the nameservers, resolvers and other websites, without the store
  --cache  let the resolvers cache answers, as real ones do
  --json   print one JSON line when ready, and nothing else

${ownerUsage}

${zoneUsage}`

const options = {
  json: { type: 'boolean', default: false },
  cache: { type: 'boolean', default: false },
  dns: { type: 'boolean', default: false },
} as const
type Flags = { json: boolean; cache: boolean; dns: boolean }

const printLine = (text: string): void => void process.stdout.write(`${text}\n`)
const startedAt = performance.now()

function describe(world: World, store: OpenStore | undefined): string {
  const { ports } = world
  const { shell } = filesOf(world, store)
  const zones = examples.map(({ zone, about }) => `  ${zone.zone.padEnd(24)}${about}`)
  return `The world is ready after ${Math.round(performance.now() - startedAt)} ms. Nothing in it reaches the real internet.

  127.0.53.53 and .54, port ${ports.resolver}   two resolvers that check signatures
  127.0.53.1 to .10, port ${ports.authoritative}     nameservers (parent, first, second, third, lame, silent, closed, hostile)
  127.0.80.10 to .72, port ${ports.web}    what may stand at an address in place of us

Zones:
${zones.join('\n')}
  petstore.test           the platform: every <project>.petstore.test is at 127.0.80.1
${store ? describeStore(world, store) : ''}
In another terminal, in this folder:
       . ${shell}
${store ? storeCommands(store) : ''}Ask:   lookup shop.willow-street.test
       dig @127.0.53.2 -p ${ports.authoritative} +norecurse willow-street.test NS
Check: petstore domains check shop.willow-street.test --target happy-paws.petstore.test
Edit:  npm run world -- zone willow-street.test show
       npm run world -- zone willow-street.test set shop CNAME happy-paws.petstore.test
End:   Ctrl-C`
}

const describeStore = (world: World, store: OpenStore): string => `
The store:
  ${plainOf(world)} and ${secureOf(world)}   Caddy and an edge: where ports 80 and 443 would be
  ${store.stage.pebble.directoryUrl}   the certificate authority

  Dashboard   ${store.dashboard}
  Owner       ${store.owner.email}, password "${store.owner.password}"
  API         ${store.api}
  Reference   ${store.docs}
  Platform    ${store.platform}   reference: ${store.platformDocs}
`

const storeCommands = (store: OpenStore): string => `Walk:  docs/try-custom-domains.md
       npm run world -- owner add shop.willow-street.test
       npm run world -- owner watch shop.willow-street.test
       visit -I https://shop.willow-street.test/
       trace shop.willow-street.test
       browse ${store.dashboard}   the dashboard, in a browser that can open what it links
       browse http://happy-paws.petstore.test
       petstore edges list
`

const plainOf = ({ ports }: World): string => `127.0.80.1:${ports.web}`
const secureOf = ({ ports }: World): string => `127.0.80.1:${ports.webTls}`

/** Files for other programs: settings with which ours uses this test internet, and functions for a shell. */
function filesOf(world: World, store: OpenStore | undefined): { settings: string; shell: string } {
  const { directory, dns } = world
  const at = (name: string): string => join(directory, name)
  const [settings, shell, root] = [at('petstore.env'), at('world.sh'), at('root.pem')]
  writeSettings(settings, settingsOf(world, store))
  if (store) writeFileSync(root, store.rootPem)
  const program = join(import.meta.dirname, '../../server/src/main.ts')
  const [resolver] = dns.resolvers
  if (!resolver) throw new Error('a world has resolvers')
  const visitors = store && { plain: plainOf(world), secure: secureOf(world), root, issuerPin: store.issuerPin }
  writeFileSync(shell, shellText({ settings, program, resolver, ...(visitors && { store: visitors }) }))
  return { settings, shell }
}

/** With these settings the program queries this test internet in place of the real one. */
function settingsOf({ dns, web }: World, store: OpenStore | undefined): Record<string, string | number> {
  return {
    ENVIRONMENT: 'staging',
    TEST_SUFFIXES: 'test',
    DNS_RESOLVERS: dns.resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    DNS_AUTHORITATIVE_PORT: dns.authoritativePort,
    DNS_TEST_NETWORKS: [...dns.allowedNetworks, ...web.allowedNetworks].join(','),
    PLATFORM_HOST: 'petstore.test',
    EDGE_ADDRESSES: '127.0.80.1',
    PROBE_PORT: web.port,
    PROBE_SECRET: randomBytes(24).toString('hex'),
    ...store?.settings,
  }
}

function machineReadable(world: World, store: OpenStore | undefined): string {
  const { ports, dns, web } = world
  return JSON.stringify({
    readyMs: Math.round(performance.now() - startedAt),
    ports,
    dns,
    web: { port: web.port, allowedNetworks: web.allowedNetworks },
    ...filesOf(world, store),
    ...(store && { store: shownOf(store) }),
  })
}

const shownOf = ({ api, docs, platform, platformDocs, dashboard, slug, rootPem }: OpenStore) => ({
  api,
  docs,
  platform,
  platformDocs,
  dashboard,
  slug,
  rootPem,
})

type Running = { world: World; store?: OpenStore; close(): Promise<void> }

async function start(wanted: WorldOptions, { dns }: Flags): Promise<Running> {
  if (dns) {
    const world = await startWorld(wanted)
    return { world, close: () => world.close() }
  }
  // Imports the whole program: DNS alone starts without it.
  const { openStore } = await import('./open-store.ts')
  const store = await openStore(wanted)
  return { world: store.stage.world, store, close: () => store.close() }
}

async function main(args: readonly string[]): Promise<void> {
  const { values: flags } = parseArgs({ args: [...args], options })
  if (readState() !== null) throw new Error('A world of yours runs already. End it first (Ctrl-C there).')
  const zones = examples.map(({ zone }) => zone)
  const running = await start({ zones, cache: flags.cache ? 'real' : 'off' }, flags)
  const end = (): void => {
    removeState()
    void running.close().then(() => process.exit(0))
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    printSummary(running, flags)
  } catch (error) {
    await running.close()
    throw error
  }
}

function printSummary({ world, store }: Running, { json }: Flags): void {
  writeState({
    pid: process.pid,
    port: world.ports.authoritative,
    updateKeyFile: world.updateKeyFile,
    forgetsAfterEdits: world.forgetsAfterEdits,
    zones: world.zones(),
    ...(store && { owner: { platform: store.platform, slug: store.slug, headers: store.stage.service.headers } }),
  })
  printLine(json ? machineReadable(world, store) : describe(world, store))
}

const [command, ...words] = process.argv.slice(2)
try {
  if (command === 'owner') await runOwner(words)
  else if (command === 'zone') process.exitCode = await runZone(words)
  else if (command === '--help') printLine(usage)
  else await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
