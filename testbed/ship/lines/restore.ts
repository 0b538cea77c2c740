// A restore, by the commands of docs/operations.md, into an empty database.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { noticed, type ShipLine } from '../line.ts'
import { restoreDrill, restoreFault, verifyEmptyDump, type RestoreFigures } from '../restore-drill.ts'

const KEYS = 50
const DOMAINS = 20
const PETS = 20_000

async function drilled(withTombstones: boolean): Promise<RestoreFigures> {
  await using postgres = await startTemporaryPostgres()
  const databases = [await postgres.createDatabase('before'), await postgres.createDatabase('after')] as const
  return await restoreDrill(databases, { keys: KEYS, domains: DOMAINS, pets: PETS, withTombstones })
}

export const restore: ShipLine = {
  name: 'restore',
  title: `a backup of ${PETS.toLocaleString('en')} animals is restored; ${KEYS} keys revoked and ${DOMAINS} domains removed since stay so`,
  isIdle: true,
  async run() {
    const figures = await drilled(true)
    const fault = restoreFault(figures)
    if (fault !== undefined) throw new Error(fault)
    return figures
  },
  control: {
    title: 'without tombstones they revive, and a dump that row-level security emptied fails its verification',
    async run() {
      const { keysRevived, domainsRevived } = await drilled(false)
      if (keysRevived !== KEYS || domainsRevived !== DOMAINS)
        throw new Error(`${keysRevived} keys and ${domainsRevived} domains revived.`)
      await using postgres = await startTemporaryPostgres()
      const database = await postgres.createDatabase()
      const empty = await noticed(() => verifyEmptyDump(database, PETS), /pets: 0 rows in the dump/)
      return { keysRevived, domainsRevived, empty }
    },
  },
}
