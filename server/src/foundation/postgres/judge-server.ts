// Judges how PostgreSQL is configured and reached: durability, encoding, connections, poolers, clocks. Roles check this at
// their start and every minute, and `doctor` at any time. Pure. Checks 5 to 9 and 27.

import { error, warning, type Finding } from '../finding.ts'
import type { SchemaTrouble } from './migration-plan.ts'

export type ServerFacts = Readonly<{
  maxConnections: number
  /** Whether successive transactions of one connection ran in different processes of PostgreSQL. */
  isPooled: boolean
  /** By name: fsync, full_page_writes, synchronous_commit, data_checksums; as new connections of our role have them. */
  durability: Readonly<Record<string, string>>
  /** How far the clock of PostgreSQL is ahead of ours, at least. */
  clockAheadMs: number
  /** Of the database: UTF8. */
  encoding: string
}>

export type ConnectionNeeds = Readonly<{ processes: number; poolMax: number }>

/** `share`: of `max_connections`, that this installation may use. */
export const judgeServer = (facts: ServerFacts, needs: ConnectionNeeds, share: number): readonly Finding[] => [
  ...judgeConnections(facts.maxConnections, needs, share),
  ...judgePooling(facts.isPooled),
  ...judgeDurability(facts.durability),
  ...judgeClock('PostgreSQL', facts.clockAheadMs),
  ...judgeEncoding(facts.encoding),
]

/** Of each process of `serve` besides its pool: notifications. */
const LISTENING_SERVE = 4
const LISTENING_WORK = 1
const FOR_OPERATORS = 8

export const connectionsNeeded = ({ processes, poolMax }: ConnectionNeeds): number =>
  processes * (poolMax + LISTENING_SERVE) + (poolMax + LISTENING_WORK) + FOR_OPERATORS

function judgeConnections(maxConnections: number, needs: ConnectionNeeds, share: number): readonly Finding[] {
  const needed = connectionsNeeded(needs)
  if (needed <= share * maxConnections) return []
  const wanted = Math.ceil(needed / share / 10) * 10
  return [
    error(
      5,
      `This configuration uses up to ${needed} connections, more than ${share * 100} % of the ${maxConnections} of PostgreSQL.`,
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
      error(
        7,
        `${name} is off: a crash loses or destroys data.`,
        `Set ${name} = on in postgresql.conf, and reset it for the role and the database if it is set there.`,
      ),
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

const judgeEncoding = (encoding: string): readonly Finding[] =>
  encoding === 'UTF8'
    ? []
    : [
        error(
          27,
          `The encoding of the database is ${encoding}, which cannot store every name.`,
          "Create a database with encoding 'UTF8' template template0, and copy the data by pg_dump and pg_restore.",
        ),
      ]

// Judges whether a process may use a database: PostgreSQL is new enough, its role cannot bypass row-level security, and
// the schema is one that this release works with. Every role checks this at its start, and `doctor` at any time.

export type Fitness = Readonly<{
  /** As in `server_version_num`: 170004 for 17.4. */
  versionNumber: number
  /** Undefined if PostgreSQL does not list the role. */
  rights: Readonly<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean }> | undefined
  /** Undefined if this release works with the schema. */
  schemaTrouble: SchemaTrouble | undefined
}>

const OLDEST_VERSION = 17

export function judgeVersion(versionNumber: number): readonly Finding[] {
  const version = Math.floor(versionNumber / 10_000)
  if (version >= OLDEST_VERSION) return []
  return [error(2, `This is PostgreSQL ${version}.`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)]
}

export function judgeFitness({ versionNumber, rights, schemaTrouble }: Fitness): readonly Finding[] {
  const isUnfit = !rights || rights.isSuper || rights.canBypass || rights.ownsTables
  return [
    ...judgeVersion(versionNumber),
    ...(isUnfit
      ? [
          error(
            3,
            'DATABASE_URL names a role that could step over row level security.',
            'Use petstore_app: not superuser, not owner of the tables, no BYPASSRLS.',
          ),
        ]
      : []),
    ...(schemaTrouble === undefined ? [] : [error(4, schemaTrouble.sentence, schemaTrouble.remedy)]),
  ]
}
