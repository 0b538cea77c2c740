import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { TestDatabase } from '../../../testbed/harness/database.ts'

/** Blocks reads and writes of animals until the returned function is called, at the latest until the test ends. */
export async function lockPets({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  let isOver = false
  const release = async () => {
    if (!isOver) await client.end()
    isOver = true
  }
  onTestFinished(release)
  await client.query('begin')
  await client.query('lock table pets in access exclusive mode')
  return release
}
