// Published sites for browser tests. Chromium resolves every name below `localhost` to this
// machine.

import { emptyProfile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { parseConfig } from '../server/src/program/config.ts'
import type { SiteContent } from '../server/src/sites/publishing/content.ts'
import { startEdge } from '../server/src/program/edge.ts'
import { openDatabase } from '../server/src/foundation/postgres/postgres.io.ts'
import * as profiles from '../server/src/animals/profile-queries.ts'
import * as pets from '../server/src/animals/pet-queries.ts'
import { createProject } from '../server/src/projects/projects.io.ts'
import { inProjectOf } from '../server/src/projects/scope.io.ts'
import { freePort } from '../devserver/free-port.ts'
import { publishAtOnce } from '../testbed/harness/publish.ts'
import { putPhoto, type TestPhoto } from '../testbed/harness/photos.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

export type SitesEnvironment = {
  originOf(slug: string): string
  /** Publishes a site with these animals; returns their ids. */
  publish(slug: string, content: SiteContent, animals: readonly NewAnimal[]): Promise<bigint[]>
  stop(): Promise<void>
}

export type NewAnimal = {
  name: string
  categoryId: bigint
  profile?: Partial<ProfileChange>
  photos?: readonly TestPhoto[]
}

/** A dog of which everything is known; its story is written where it is needed. */
export const biscuit: Partial<ProfileChange> = {
  headline: 'Walks like a gentleman, sleeps like a log',
  breed: 'Golden retriever',
  isMixed: true,
  sex: 'male',
  size: 'large',
  coat: 'long',
  color: 'Golden',
  weightGrams: 28_000,
  born: { date: '2020-04-01', precision: 'month', isEstimated: true },
  goodWithChildren: 'yes',
  goodWithDogs: 'yes',
  goodWithCats: 'no',
  goodWithNote: 'He would like to chase them.',
  isNeutered: 'yes',
  isVaccinated: 'yes',
  isHouseTrained: 'yes',
  fee: { amount: 24_000, currency: 'EUR' },
  location: 'Riverside',
  inCareSince: '2026-03-14',
}

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
    REQUESTS_PER_ADDRESS: '1000',
    REQUESTS_PER_NETWORK: '1000',
  })
  const edge = await startEdge(config)
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  return {
    originOf: (slug) => `http://${slug}.${platformHost}`,
    async publish(slug, content, animals) {
      const project = await createProject(database, { slug, name: slug })
      await publishAtOnce(inProjectOf(database), project, content)
      const rows = animals.map(({ name, categoryId }) => ({
        project,
        pet: { name, categoryId, status: 'available' as const },
      }))
      const ids = (await pets.insert(database.run, rows)).map(({ id }) => id)
      await inProjectOf(database)(project, async (db) => {
        for (const [index, { profile }] of animals.entries())
          if (profile) await profiles.put(db, project, ids[index] ?? 0n, { ...emptyProfile, ...profile })
      })
      for (const [index, { photos = [] }] of animals.entries()) {
        for (const [position, photo] of photos.entries())
          await putPhoto(inProjectOf(database), project, ids[index] ?? 0n, { ...photo, position })
      }
      return ids
    },
    async stop() {
      await edge.stop()
      await database.close()
    },
  }
}
