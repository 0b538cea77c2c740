// A whole test internet with the dashboard, for a new user: nameservers with a registrar, a
// certificate authority, the service, two edges behind Caddy, and a browser. The browser
// resolves names below `.test` to the first edge and trusts the test authority, so it rejects a
// certificate that is not valid for the name, as any other browser does.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { freePort } from '../../devserver/free-port.ts'
import { startEnvironment, type Environment } from '../../testbed/harness/full-environment.ts'
import { visit, visitPlainly, type Met } from '../../testbed/harness/visitor.ts'
import { envOf } from '../../testbed/harness/service-environment.ts'
import { parseZoneCommand } from '../../testbed/internet/zone-command.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { startBrowser } from '../../testbed/harness/browser.ts'
import { open, type Opened, type OpenOptions } from './browser-environment.ts'
import { childEnv } from '../../testbed/harness/child-env.ts'

const run = promisify(execFile)
const CERTUTIL = '/usr/bin/certutil'
const MAIN = join(import.meta.dirname, '../../server/src/main.ts')
const CERTIFICATE_DAYS = 90

export type OwnersWorld = {
  environment: Environment
  origin: string
  open(path: string, options?: OpenOptions): Promise<Opened>
  /** The registrar, with the arguments of `npm run world -- zone`. */
  registrar(...words: readonly string[]): Promise<void>
  /** Runs the program as the operator of the installation; returns its output. */
  operator(...words: readonly string[]): Promise<string>
  /** External visitors at every edge, without a browser, who trust only the test authority. */
  visitors(hostname: string, path?: string): Promise<Met[]>
  /** The same, without TLS. */
  plainVisitors(hostname: string, path?: string): Promise<Met[]>
  close(): Promise<void>
}

export async function startOwnersWorld(zone: string): Promise<OwnersWorld> {
  await buildDashboard(join(import.meta.dirname, '../../server/public/dashboard'))
  const { appUrl } = await cloneDatabase()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const environment = await startEnvironment(appUrl, {
    edges: 2,
    pebble: { validitySeconds: CERTIFICATE_DAYS * 86_400 },
    world: { zones: [{ zone, records: [] }] },
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DASHBOARD_ORIGIN: origin,
      BASE_URL: `${origin}/v1`,
      RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
      RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1000000',
      // Default addresses have no certificate in the test internet.
      SITE_SCHEME: 'http',
    },
  })
  const { httpPort, httpsPort, edges } = environment
  const ca = await environment.pebble.rootPem()
  const home = mkdtempSync(join(tmpdir(), 'owner-'))
  const end = async (): Promise<void> => {
    await environment.close()
    rmSync(home, { recursive: true, force: true })
  }
  const browser = await startBrowserIn(home, ca, { httpPort, httpsPort }).catch(async (error: unknown) => {
    await end()
    throw error
  })
  const programEnv = { ...envOf(environment.world), ...childEnv, DATABASE_URL: appUrl }
  return {
    environment,
    origin,
    // As people see it, with its transitions.
    open: (path, options) => open(browser, origin, path, { isMoving: true, ...options }),
    async registrar(...words) {
      const command = parseZoneCommand(zone, words)
      if (command.kind !== 'edit') throw new Error(command.kind === 'mistake' ? command.say : 'nothing to change')
      await environment.world.edit(zone, command.edit)
    },
    operator: async (...words) => (await run(process.execPath, [MAIN, ...words], { env: programEnv })).stdout.trim(),
    visitors: (hostname, path = '/') =>
      Promise.all(edges.map(({ address }) => visit({ address, port: httpsPort, ca }, hostname, { path }))),
    plainVisitors: (hostname, path = '/') =>
      Promise.all(edges.map(({ address }) => visitPlainly({ address, port: httpPort }, hostname, { path }))),
    async close() {
      await browser.close()
      await end()
    },
  }
}

type Ports = { httpPort: number; httpsPort: number }

async function startBrowserIn(home: string, root: string, { httpPort, httpsPort }: Ports): Promise<Browser> {
  if (!existsSync(CERTUTIL)) throw new Error('A browser that trusts a world of its own needs libnss3-tools.')
  const trusted = join(home, '.pki/nssdb')
  const rootFile = join(home, 'root.pem')
  mkdirSync(trusted, { recursive: true })
  writeFileSync(rootFile, root)
  const database = `sql:${trusted}`
  await run(CERTUTIL, ['-N', '-d', database, '--empty-password'])
  await run(CERTUTIL, ['-A', '-d', database, '-n', 'world', '-t', 'C,,', '-i', rootFile])
  return startBrowser({
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    args: [
      `--host-resolver-rules=MAP *.test:80 127.0.80.1:${httpPort}, MAP *.test:443 127.0.80.1:${httpsPort}`,
      // In production they have a certificate, so features that browsers restrict to secure pages work there.
      '--unsafely-treat-insecure-origin-as-secure=*.petstore.test',
    ],
  })
}
