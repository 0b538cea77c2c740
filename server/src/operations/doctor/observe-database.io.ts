// Observes PostgreSQL as the program uses it: version, rights, schema, limits, durability, clock, whether a pooler is in
// between, and whether stored private keys can be decrypted.

import { sealedFor } from '../../certificates/acme-accounts.io.ts'
import { openKeys, type KeyRing } from '../../certificates/key-encryption.io.ts'
import type { Observed } from '../../foundation/finding.ts'
import { observeServer } from '../../foundation/postgres/observe-server.io.ts'
import { openDatabase, statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import { observeFitness } from '../../foundation/postgres/startup-checks.io.ts'
import type { DatabaseFacts } from './judge-database.ts'

export type DatabaseSubject = Readonly<{
  url: string
  keys: KeyRing | undefined
  applicationName: string
  version: string
}>

export async function observeDatabase(subject: DatabaseSubject): Promise<Observed<DatabaseFacts>> {
  const { url, applicationName, version } = subject
  const database = openDatabase({ url, poolMax: 1, applicationName, onError: () => {} })
  try {
    const fitness = await observeFitness(database, version)
    return {
      value: {
        ...fitness,
        ...(await observeServer(subject)),
        hasBackupRole: (await database.run(backupRole)).length > 0,
        sealIds: fitness.schemaTrouble === undefined ? await observeSeals(database.run, subject.keys) : [],
      },
    }
  } catch (error) {
    const cause = (error as Error).cause
    return {
      unknown:
        cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : (error as Error).message,
    }
  } finally {
    await database.close()
  }
}

const backupRole = statement<object, []>('backup-role', `select from pg_roles where rolname = 'petstore_backup'`)

const oneOfEachSeal = statement<
  { id: string; sealedKey: Buffer; hostname: string; generation: bigint; purpose: 'certificate' | 'account' },
  []
>(
  'one-of-each-seal',
  `(select distinct on (seal_id) seal_id as id, sealed_key as "sealedKey", hostname, generation,
      'certificate' as purpose
    from certificates
    order by seal_id, hostname, generation)
   union all
   (select seal_id, sealed_key, authority, 0, 'account'
    from authority_accounts)`,
)

/** Decrypts one private key of each id. */
async function observeSeals(run: Db, ring: KeyRing | undefined): Promise<DatabaseFacts['sealIds']> {
  const keys = ring && openKeys(ring)
  const states = new Map<string, boolean>()
  for (const { id, sealedKey, hostname, generation, purpose } of await run(oneOfEachSeal)) {
    const sealed = purpose === 'account' ? sealedFor(hostname) : { hostname, generation, purpose }
    const decrypts = keys !== undefined && keys.open(sealedKey, sealed) !== null
    states.set(id, (states.get(id) ?? true) && decrypts)
  }
  return [...states].map(([id, decrypts]) => ({ id, decrypts }))
}
