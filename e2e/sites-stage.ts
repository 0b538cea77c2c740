// A published site and a browser to visit it with, for the tests that look at it
// as visitors do. Chromium takes every name below `localhost` for this machine.

import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { parseConfig } from '../server/src/config.ts'
import { contentJson, type SiteContent } from '../server/src/deployments/content.ts'
import * as deployments from '../server/src/deployments/queries.ts'
import { startEdge } from '../server/src/edge.ts'
import { newId } from '../server/src/foundation/ids.ts'
import { openDatabase } from '../server/src/foundation/postgres.ts'
import * as pets from '../server/src/pets/queries.ts'
import { createProject } from '../server/src/projects/projects.ts'
import { inProjectOf } from '../server/src/projects/scope.ts'
import { freePort } from '../server/dev/free-port.ts'
import { cloneDatabase } from '../server/test/database.ts'

export type Stage = {
  originOf(slug: string): string
  /** Publishes a site with these animals; gives their ids. */
  publish(slug: string, content: SiteContent, animals: readonly NewAnimal[]): Promise<bigint[]>
  stop(): Promise<void>
}

export type NewAnimal = { name: string; categoryId: bigint }

export async function startStage(): Promise<Stage> {
  const { appUrl } = await cloneDatabase()
  const port = await freePort()
  const platformHost = `petstore.localhost:${port}`
  const config = parseConfig({
    DATABASE_URL: appUrl,
    EDGE_PORT: String(port),
    PLATFORM_HOST: platformHost,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000',
  })
  const edge = await startEdge(config)
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  return {
    originOf: (slug) => `http://${slug}.${platformHost}`,
    async publish(slug, content, animals) {
      const project = await createProject(database, { slug, name: slug })
      await inProjectOf(database)(project, async (db) => {
        const id = newId('dep')
        const json = contentJson(content)
        await deployments.insertDeployment(db, project, {
          id,
          digest: hash('sha256', json, 'hex'),
          content: json,
          logo: null,
          createdBy: 'operator',
        })
        await deployments.setState(db, project, id, { state: 'succeeded', reason: null, isFinal: true })
        await deployments.publish(db, project, id, 1)
      })
      const asks = animals.map((pet) => ({ project, pet: { ...pet, status: 'available' as const } }))
      return (await pets.insert(database.run, asks)).map(({ id }) => id)
    },
    async stop() {
      await edge.stop()
      await database.close()
    },
  }
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { html: string }[] }

/** What is serious or critical for people who use the page in another way. */
export async function barriersOn(page: Page): Promise<string[]> {
  // Run by the browser's own console, which the page's policy does not bind.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
