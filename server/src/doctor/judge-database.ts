// Judges PostgreSQL, how the program connects to it, and what it stores encrypted. Pure. Checks 2 to 9 and 12.

import { error, warning, type Finding, type Observed } from '../foundation/finding.ts'
import { judgeFitness, type Fitness } from '../foundation/postgres/judge-fitness.ts'

export type DatabaseFacts = Fitness &
  Readonly<{
    maxConnections: number
    /** Whether successive transactions of one connection ran in different processes of PostgreSQL. */
    isPooled: boolean
    /** By name: fsync, full_page_writes, synchronous_commit, data_checksums. */
    durability: Readonly<Record<string, string>>
    /** How far the clock of PostgreSQL is ahead of ours. */
    clockAheadMs: number
    /** The ids of the keys that private keys are stored with; empty without a schema. */
    sealIds: readonly Readonly<{ id: string; decrypts: boolean }>[]
  }>

export type ConnectionNeeds = Readonly<{ processes: number; poolMax: number }>

/** Undefined for an edge, which has no database. */
export function judgeDatabase(fact: Observed<DatabaseFacts> | undefined, needs: ConnectionNeeds): readonly Finding[] {
  if (fact === undefined) return []
  if ('unknown' in fact) {
    return [error(2, `PostgreSQL cannot be reached: ${fact.unknown}.`, 'Start it, or correct DATABASE_URL.')]
  }
  const facts = fact.value
  return [
    ...judgeFitness(facts),
    ...judgeConnections(facts.maxConnections, needs),
    ...judgePooling(facts.isPooled),
    ...judgeDurability(facts.durability),
    ...judgeClock('PostgreSQL', facts.clockAheadMs),
    ...facts.sealIds.filter(({ decrypts }) => !decrypts).map(({ id }) => lostKey(id)),
  ]
}

/** Of each process of `serve` besides its pool: notifications. */
const LISTENING_SERVE = 4
const LISTENING_WORK = 1
const FOR_OPERATORS = 8
/** The rest is for PostgreSQL's own, for backups and for a second release during an upgrade. */
const SHARE_MAX = 0.8

export const connectionsNeeded = ({ processes, poolMax }: ConnectionNeeds): number =>
  processes * (poolMax + LISTENING_SERVE) + (poolMax + LISTENING_WORK) + FOR_OPERATORS

function judgeConnections(maxConnections: number, needs: ConnectionNeeds): readonly Finding[] {
  const needed = connectionsNeeded(needs)
  if (needed <= SHARE_MAX * maxConnections) return []
  const wanted = Math.ceil(needed / SHARE_MAX / 10) * 10
  return [
    error(
      5,
      `This configuration uses up to ${needed} connections, more than 80 % of the ${maxConnections} of PostgreSQL.`,
      `Set max_connections to at least ${wanted}, or lower DATABASE_POOL_MAX or PROCESSES.`,
    ),
  ]
}

const judgePooling = (isPooled: boolean): readonly Finding[] =>
  isPooled
    ? [
        error(
          6,
          'DATABASE_URL leads to a pooler that assigns connections per transaction: notifications are lost.',
          'Connect to PostgreSQL directly, or use session pooling.',
        ),
      ]
    : []

function judgeDurability(durability: Readonly<Record<string, string>>): readonly Finding[] {
  const { data_checksums: checksums, ...others } = durability
  const off = Object.entries(others).filter(([, value]) => value === 'off')
  return [
    ...off.map(([name]) =>
      error(7, `${name} is off: a crash loses or destroys data.`, `Set ${name} = on in postgresql.conf.`),
    ),
    ...(checksums === 'off'
      ? [
          warning(
            8,
            'Data checksums are off: damage on the disk is not noticed.',
            'Stop PostgreSQL and run: pg_checksums --enable',
          ),
        ]
      : []),
  ]
}

const CLOCK_MS_MAX = 2000

/** `precisionMs`: how exact the other clock can be read. */
export function judgeClock(whose: string, aheadMs: number, precisionMs = 0): readonly Finding[] {
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX + precisionMs) return []
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  const sentence = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${whose}.`
  return [error(9, sentence, 'Synchronise the clocks of both machines, such as with chrony or systemd-timesyncd.')]
}

const lostKey = (id: string): Finding =>
  error(
    12,
    `Private keys are stored with the key ${id}, which CERTIFICATE_KEYS lacks or has with another value.`,
    `Add ${id} to CERTIFICATE_KEYS from where you stored it. Without it, these certificates are issued again.`,
  )
