// The environment for tests of certificates on a real PostgreSQL: two authorities in memory,
// hostnames whose challenges are served from what is stored, and a clock that the test
// moves. None of our own code is replaced.

import { randomBytes } from 'node:crypto'
import { fakeAuthority } from '../../../testbed/harness/fake-acme.ts'
import { setTimer, type Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, statement } from '../../src/foundation/postgres/postgres.io.ts'
import { Secret } from '../../src/foundation/secret.ts'
import * as advance from '../../src/certificates/advance.io.ts'
import type { CertificateRequest } from '../../src/certificates/advance.io.ts'
import { defaultAllowance, type Allowance } from '../../src/certificates/budget.ts'
import { CHALLENGE_RECORD_DUE } from '../../src/certificates/challenges.io.ts'
import {
  certificateWork,
  challengeRecordWork,
  type CertificateDeps,
  type ChallengeRecords,
  type SelfCheck,
} from '../../src/certificates/jobs.io.ts'
import { openKeys } from '../../src/certificates/key-encryption.io.ts'
import { findChallenge } from '../../src/certificates/stored-queries.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { claimTimer, claimTimersOf } from '../foundation/claim-timers.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

export const PRIMARY = 'primary.authority.example'
export const BACKUP = 'backup.authority.example'
export const newRingKey = (id: string) => ({ id, key: new Secret(randomBytes(32).toString('base64')) })

/** From which expired rows are removed. */
const certificateTables = [
  'certificates',
  'certificate_wishes',
  'certificate_orders',
  'certificate_challenges',
  'authority_uses',
  'certificate_clients',
]

const ownRow = statement<{ seconds: number; fence: bigint }, [kind: string, id: string]>(
  'test-certificate-timer',
  `select extract(epoch from due_at - now())::float8 as seconds, fence
   from due_directory
   where kind = $1 and id = $2`,
)

const activeRow = statement<{ active: number; total: number }, [hostname: string]>(
  'test-active-orders',
  `select (count(*) filter (where ended_at is null))::integer as active, count(*)::integer as total
   from certificate_orders
   where hostname = $1`,
)

const dueRecords = statement<Timer, []>(
  'test-due-records',
  `update due_directory
   set claimed_until = now() + interval '1 minute', fence = fence + 1, attempts = attempts + 1
   where kind = 'challenge_record' and due_at <= now()
   returning kind, project_id as project, id, fence, attempts`,
)

/** The process ends here, as far as the store and the authority can observe. */
export class Crash extends Error {}

export type CertificatesEnvironment = Awaited<ReturnType<typeof openEnvironment>>

type EnvironmentOptions = {
  at?: number
  allowance?: Allowance
  isReserved?: (hostname: string) => boolean
}

export async function openEnvironment({
  at = Date.now(),
  allowance = defaultAllowance,
  isReserved,
}: EnvironmentOptions = {}) {
  const storage = await cloneDatabase()
  const database = openDatabase({ url: storage.appUrl, poolMax: 10, onError: () => {} })
  const clock = { now: at }
  const now = () => clock.now
  const lookUp = (hostname: string, token: string) => findChallenge(database.run, hostname, token, now())
  /** The TXT records of the zones, as `name value`. */
  const zone = new Set<string>()
  const lookUpTxt = async (name: string) =>
    [...zone].filter((record) => record.startsWith(`${name} `)).map((record) => record.slice(name.length + 1))
  const authorities = [PRIMARY, BACKUP].map((name) => fakeAuthority({ name, now, look: lookUp, lookUpTxt }))
  const [primary, backup] = authorities
  if (!primary || !backup) throw new Error('there are two authorities')
  const world = {
    ring: [newRingKey('first')],
    selfCheck: (async (hostname, token, keyAuthorization) =>
      (await lookUp(hostname, token)) === keyAuthorization
        ? { ok: true }
        : { ok: false, code: 'http.not_us', detail: 'another answer' }) as SelfCheck,
    onStep: (() => {}) as (name: string) => void,
    zone,
    records: {
      present: async (name, value) => void zone.add(`${name} ${value}`),
      remove: async (name, value) => void zone.delete(`${name} ${value}`),
      missing: async (name, value) => (zone.has(`${name} ${value}`) ? undefined : 'It is not shown'),
    } as ChallengeRecords,
  }
  // New for each piece of work, as after a restart.
  const deps = (): CertificateDeps => ({
    database,
    keys: openKeys(world.ring),
    now,
    newId,
    allowance,
    isReserved,
    randomBytes,
    openAcme: (name, account) => authorities.find((one) => one.name === name)?.acmeFor(account),
    selfCheck: world.selfCheck,
    challengeRecords: world.records,
    onStep: world.onStep,
  })
  const requestOf = (hostname: string, changes: Partial<CertificateRequest> = {}): CertificateRequest => ({
    hostname,
    generation: 1n,
    client: `owner of ${hostname}`,
    registered: hostname.split('.').slice(-2).join('.'),
    authorities: [PRIMARY, BACKUP],
    evidence: 'as first seen',
    notify: { kind: 'asker', project: 7n, id: hostname },
    ...changes,
  })
  const claim = async (hostname: string): Promise<Timer> => {
    const [due] = await database.run(claimTimer, 'certificate', hostname)
    if (!due) throw new Error(`there is no timer for ${hostname}`)
    return due
  }

  return {
    storage,
    database,
    clock,
    world,
    primary,
    backup,
    deps,
    requestOf,
    claim,
    request: (hostname: string, changes: Partial<CertificateRequest> = {}) => {
      for (const authority of authorities) authority.expects(hostname)
      const request = requestOf(hostname, changes)
      return database.transaction({}, (db) => advance.requestCertificate(db, deps(), request))
    },
    retry: (hostname: string) => database.transaction({}, (db) => advance.retryNow(db, deps(), hostname)),
    drop: (hostname: string) => database.transaction({}, (db) => advance.dropCertificate(db, deps(), hostname)),
    /** Works once, as a worker that claimed it would. Returns the seconds until it requests to be called again. */
    work: async (hostname: string): Promise<number | void> => certificateWork(deps()).work(await claim(hostname)),
    /** Works repeatedly, advancing the clock as requested, until there is nothing to do for that long. */
    async settle(hostname: string, patienceMs = 60_000): Promise<void> {
      for (let round = 0; round < 500; round++) {
        const seconds = await this.work(hostname)
        if (seconds === undefined || seconds * 1000 > patienceMs) return
        clock.now += Math.ceil(seconds * 1000)
      }
      throw new Error('it does not settle')
    },
    /** Removes the TXT records that are due for removal. */
    async clean(): Promise<void> {
      for (const due of await database.run(dueRecords)) await challengeRecordWork(deps()).work(due)
    },
    /** As much later as it takes for every record to be removed. */
    async cleanLater(): Promise<void> {
      for (const due of await database.run(claimTimersOf, CHALLENGE_RECORD_DUE, 0n))
        await challengeRecordWork(deps()).work(due)
    },
    async sweep(): Promise<void> {
      for (const table of certificateTables) await removeExpired(database, table, now)
    },
    state: (hostname: string) => advance.stateOf(database.run, hostname, now()),
    servable: (hostname: string, generation = 1n) => advance.findServable(database.run, hostname, generation, now()),
    records: (hostname: string) => advance.readRecords(database.run, hostname),
    timer: async (kind: string, id: string) => (await database.run(ownRow, kind, id))[0],
    counts: async (hostname: string) => (await database.run(activeRow, hostname))[0] ?? { active: 0, total: 0 },
    resetNotify: (hostname: string) => setTimer(database.run, { kind: 'asker', project: 7n, id: hostname }, 1000),
    close: () => database.close(),
  }
}
