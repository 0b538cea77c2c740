// A published site and a browser to visit it with, for the tests that look at it
// as visitors do. Chromium takes every name below `localhost` for this machine.

import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { parseConfig } from '../server/src/config.ts'
import type { SiteContent } from '../server/src/deployments/content.ts'
import { startEdge } from '../server/src/edge.ts'
import { openDatabase } from '../server/src/foundation/postgres/postgres.io.ts'
import * as pets from '../server/src/pets/pet-queries.ts'
import { createProject } from '../server/src/projects/projects.io.ts'
import { inProjectOf } from '../server/src/projects/scope.io.ts'
import { freePort } from '../devserver/free-port.ts'
import { publishAtOnce } from '../testbed/harness/publish.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

export type SitesEnvironment = {
  originOf(slug: string): string
  /** Publishes a site with these animals; gives their ids. */
  publish(slug: string, content: SiteContent, animals: readonly NewAnimal[]): Promise<bigint[]>
  stop(): Promise<void>
}

export type NewAnimal = { name: string; categoryId: bigint }

export async function startSitesEnvironment(): Promise<SitesEnvironment> {
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
      await publishAtOnce(inProjectOf(database), project, content)
      const asks = animals.map((pet) => ({ project, pet: { ...pet, status: 'available' as const } }))
      return (await pets.insert(database.run, asks)).map(({ id }) => id)
    },
    async stop() {
      await edge.stop()
      await database.close()
    },
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { html: string }[] }

/** When nothing fades or slides any more: what is halfway there is seen by nobody. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

/** What is serious or critical for people who use the page in another way. */
export async function barriersOn(page: Page): Promise<string[]> {
  await settled(page)
  // Run by the browser's own console, which the page's policy does not bind.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: Violation[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
