// Domains that become live in a test: with an authority in memory, and one edge that confirms
// exactly what the test lets it confirm.

import { randomBytes } from 'node:crypto'
import { defaultAllowance } from '../../src/certificates/budget.ts'
import { certificateWork } from '../../src/certificates/jobs.io.ts'
import { openKeys } from '../../src/certificates/key-encryption.io.ts'
import { findChallenge } from '../../src/certificates/stored-queries.ts'
import { addDomain } from '../../src/domains/domains.io.ts'
import { letsEncrypt } from '../../../testbed/evidence/evidence.ts'
import { acknowledge, insertEdge, readClock } from '../../src/fleet/directory.io.ts'
import { fakeAuthority } from '../../../testbed/harness/fake-acme.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { newRingKey } from '../certificates/environment.ts'
import { claimTimer } from '../foundation/claim-timers.ts'
import type { DomainOwner, DomainsEnvironment } from './environment.ts'

const GOING_LIVE_EDGE = 'edg_000000000000000000000001'

// A real edge polls every second. This one speaks only when the test does, and a busy machine may let more time pass
// between two lines than an edge may be silent.
const stayConnectedRow = statement<never, [edge: string]>(
  'test-edge-stays-connected',
  `update edge_directory
   set seen_at = now() + interval '1 day'
   where id = $1`,
)

export type GoingLive = Awaited<ReturnType<typeof startGoingLive>>

export async function startGoingLive(environment: DomainsEnvironment) {
  const { database, deps, clock } = environment
  const keys = openKeys([newRingKey('first')])
  Object.assign(deps, { keys })
  const now = () => clock.now
  const authority = fakeAuthority({
    name: letsEncrypt.domain,
    now,
    look: (hostname, token) => findChallenge(database.run, hostname, token, now()),
  })
  await insertEdge(database.run, { id: GOING_LIVE_EDGE, name: 'edge-1', digest: 'of none', enrolmentSeconds: 0 })
  const work = certificateWork({
    database,
    keys,
    now,
    newId,
    allowance: defaultAllowance,
    randomBytes,
    openAcme: (name, account) => (name === letsEncrypt.domain ? authority.acmeFor(account) : undefined),
    selfCheck: () => Promise.resolve({ ok: true }),
  })
  const acknowledged = async (seq: number): Promise<void> => {
    await acknowledge(database.run, [{ edge: GOING_LIVE_EDGE, seq }])
    await database.run(stayConnectedRow, GOING_LIVE_EDGE)
  }
  const going = {
    authority,
    /** Runs the certificate's own worker until it has nothing to do now. */
    async issues(hostname: string): Promise<void> {
      for (let round = 0; round < 20; round++) {
        const [due] = await database.run(claimTimer, 'certificate', hostname)
        const seconds = due && (await work.work(due))
        if (seconds === undefined || seconds > 20) return
        clock.now += Math.ceil(seconds * 1000)
      }
    },
    /** The edge has everything. */
    confirmed: async (): Promise<void> => acknowledged((await readClock(database.run)).head),
    /** The edge is connected, and has nothing new. */
    seen: (): Promise<void> => acknowledged(0),
    point(owner: DomainOwner, hostname: string): void {
      environment.says(hostname, [`${hostname} CNAME ${owner.target}`, `${owner.target} A 192.0.2.10`])
      authority.expects(hostname)
    },
    /** Adds the only domain of the owner, and has it live. */
    async live(owner: DomainOwner, hostname: string): Promise<void> {
      going.point(owner, hostname)
      await addDomain(deps, owner, hostname)
      await going.issues(hostname)
      await environment.looks(owner)
      await going.confirmed()
      await environment.looks(owner)
    },
  }
  return going
}
