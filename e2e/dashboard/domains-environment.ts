// The dashboard with a whole test internet: nameservers that a test edits, a certificate
// authority, an edge. For the domain pages, which depend on DNS.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../devserver/free-port.ts'
import { platformClient } from '../../devserver/demo.ts'
import { startEnvironment, type Environment } from '../../testbed/harness/full-environment.ts'
import type { WorldZone } from '../../testbed/internet/zones.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { startBrowser } from '../../testbed/harness/browser.ts'
import { open, type Opened, type OpenOptions, type BrowserOwner } from './browser-environment.ts'

export type DomainsEnvironment = {
  environment: Environment
  browser: Browser
  origin: string
  /** Owner of the project `happy-paws`, which is published and has the features of every plan. */
  owner: BrowserOwner
  open(path: string, options?: OpenOptions): Promise<Opened>
  close(): Promise<void>
}

export async function startDomainsEnvironment(zones: readonly WorldZone[]): Promise<DomainsEnvironment> {
  await buildDashboard(join(import.meta.dirname, '../../server/public/dashboard'))
  const { appUrl } = await cloneDatabase()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const person = {
    email: `${randomBytes(6).toString('hex')}@shop.example`,
    password: 'a good long password',
    name: 'Mia',
  }
  const environment = await startEnvironment(appUrl, {
    owner: person,
    world: { zones },
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DASHBOARD_ORIGIN: origin,
      BASE_URL: `${origin}/v1`,
      RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
      RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1000000',
    },
  })
  const browser = await startBrowser()
  const ask = platformClient(`${origin}/platform/v1`, { Origin: origin })
  await ask('POST', '/session', { email: person.email, password: person.password })
  const owner = { ...person, slug: 'happy-paws', ask }
  return {
    environment,
    browser,
    origin,
    owner,
    open: (path, options) => open(browser, origin, path, { as: owner, ...options }),
    async close() {
      await browser.close()
      await environment.close()
    },
  }
}
