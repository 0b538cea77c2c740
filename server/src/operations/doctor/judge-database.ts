// Judges PostgreSQL, how the program connects to it, and what it stores encrypted. Pure. Checks 2 to 9, 12 and 27.

import { error, warning, type Finding, type Observed } from '../../foundation/finding.ts'
import {
  judgeServer,
  judgeFitness,
  type ConnectionNeeds,
  type ServerFacts,
  type Fitness,
} from '../../foundation/postgres/judge-server.ts'

export type DatabaseFacts = Fitness &
  ServerFacts &
  Readonly<{
    hasBackupRole: boolean
    /** The ids of the keys that private keys are stored with; empty without a schema. */
    sealIds: readonly Readonly<{ id: string; decrypts: boolean }>[]
  }>

/** The rest is for PostgreSQL's own, for backups and for a second release during an upgrade. */
const SHARE_MAX = 0.8

/** Undefined for an edge, which has no database. */
export function judgeDatabase(fact: Observed<DatabaseFacts> | undefined, needs: ConnectionNeeds): readonly Finding[] {
  if (fact === undefined) return []
  if ('unknown' in fact) {
    return [error(2, `PostgreSQL cannot be reached: ${fact.unknown}.`, 'Start it, or correct DATABASE_URL.')]
  }
  const facts = fact.value
  return [
    ...judgeFitness(facts),
    ...(facts.hasBackupRole ? [] : [noBackupRole]),
    ...judgeServer(facts, needs, SHARE_MAX),
    ...facts.sealIds.filter(({ decrypts }) => !decrypts).map(({ id }) => lostKey(id)),
  ]
}

const noBackupRole = warning(3, 'There is no role petstore_backup, so no backup is taken.', 'Run petstore setup again.')

const lostKey = (id: string): Finding =>
  error(
    12,
    `Private keys are stored with the key ${id}, which CERTIFICATE_KEYS lacks or has with another value.`,
    `Add ${id} to CERTIFICATE_KEYS from where you stored it. Without it, these certificates are issued again.`,
  )
