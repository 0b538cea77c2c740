// A store in a test internet, with everything between it and its visitors, and the PostgreSQL
// that it needs: to follow the whole procedure in a browser.

import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'
import { tryBuildDashboard } from '../../tools/build-dashboard.ts'
import { buildReference } from '../../tools/build-reference.ts'
import { platformClient, demoOwner, seedStore } from '../../devserver/demo.ts'
import { freePort } from '../../devserver/free-port.ts'
import { provision, startPostgres } from '../../devserver/postgres.ts'
import { startEnvironment, type Environment } from '../harness/full-environment.ts'
import { makeDirectory } from './processes.ts'
import { requirePrograms } from '../../devserver/programs.ts'
import type { WorldOptions } from './world.ts'

export type OpenStore = {
  stage: Environment
  /** The base addresses of `/v1` and of `/platform/v1`, and the reference of each. */
  api: string
  docs: string
  platform: string
  platformDocs: string
  /** The address at which its owner signs in, and the credentials. */
  dashboard: string
  owner: typeof demoOwner
  slug: string
  /** For programs that access this store from outside. */
  settings: Readonly<Record<string, string>>
  /** The root that every client in this test internet trusts (PEM). */
  rootPem: string
  /** Lets a browser accept certificates of this test internet without installing a root. */
  issuerPin: string
  close(): Promise<void>
}

const SLUG = 'happy-paws'
/** A usual validity; the authority's default is five years. */
const CERTIFICATE_DAYS = 90

export async function openStore(world: WorldOptions): Promise<OpenStore> {
  requirePrograms('store')
  const folder = makeDirectory()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const postgres = await startPostgres({ directory: folder, ephemeral: true })
  const end = async (): Promise<void> => {
    await postgres.stop()
    remove()
  }
  try {
    await provision(postgres.superuserUrl, 'petstore')
    await migrate(postgres.urlOf('petstore_owner', 'petstore'))
    const databaseUrl = postgres.urlOf('petstore_app', 'petstore')
    const settings = {
      PROBE_SECRET: randomBytes(24).toString('hex'),
      CERTIFICATE_KEYS: `stage=${randomBytes(32).toString('base64')}`,
    }
    const pebble = { validitySeconds: CERTIFICATE_DAYS * 86_400 }
    const built = join(import.meta.dirname, '../../server/public')
    await buildReference(join(built, 'reference'))
    await tryBuildDashboard(join(built, 'dashboard'))
    const port = await freePort()
    const dashboard = `http://localhost:${port}`
    // Default addresses have no certificate here, so the dashboard must not link them with https.
    const env = { ...settings, PORT: String(port), DASHBOARD_ORIGIN: dashboard, SITE_SCHEME: 'http' }
    const stage = await startEnvironment(databaseUrl, { world, slug: SLUG, owner: demoOwner, env, pebble })
    const store = await furnish(stage, `${dashboard}/`)
    return {
      ...store,
      settings: { ...settings, DATABASE_URL: databaseUrl },
      async close() {
        await stage.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function furnish(stage: Environment, dashboard: string): Promise<Omit<OpenStore, 'settings' | 'close'>> {
  const { pebble, service } = stage
  const platform = `${service.origin}/platform/v1`
  try {
    await seedStore(platformClient(platform, service.headers), SLUG, { isEmpty: false, patienceMs: 20_000 })
    const [rootPem, issuerPem] = await Promise.all([pebble.rootPem(), pebble.issuerPem()])
    const { api, docs } = service
    const addresses = { api, docs, platform, platformDocs: `${docs}/platform`, dashboard }
    return { stage, ...addresses, owner: demoOwner, slug: SLUG, rootPem, issuerPin: pinOf(issuerPem) }
  } catch (error) {
    await stage.close()
    throw error
  }
}

/** As Chromium expects it: the digest of the public key. */
const pinOf = (pem: string): string =>
  createHash('sha256')
    .update(new X509Certificate(pem).publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64')
