// The outbox on a real PostgreSQL and a real SMTP server: a mail exists exactly if its cause was
// committed, it is sent once, and no fault of a recipient or of the relay loses it.

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { noticeKinds } from '../../src/accounts/account-actions.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { statement, type Db } from '../../src/foundation/postgres/postgres.io.ts'
import { claimTimers } from '../../src/foundation/postgres/timer-leases.io.ts'
import type { SentKinds } from '../../src/mail/jobs.io.ts'
import { isMailKind, mailKinds, queueMail, type MailKindName } from '../../src/program/mail-kinds.ts'
import { dropMails, listRelayFailures, retryMails } from '../../src/mail/outbox-queries.ts'
import { startMailEnvironment, until, type MailEnvironment } from './environment.ts'

/** A digest waits, and takes in what comes in the meantime. */
const kinds = Object.keys(mailKinds).filter((kind) => isMailKind(kind) && kind !== 'digest') as MailKindName[]

const countRow = statement<{ count: number }, [recipient: string]>(
  'test-count',
  `select count(*)::int as count from mail_directory where recipient = $1`,
)
const timersRow = statement<{ count: number }, []>('test-timers', `select count(*)::int as count from due_directory`)
const ageRow = statement<never, [seconds: number]>(
  'test-age',
  `update mail_directory set queued_at = queued_at - make_interval(secs => $1), valid_until = valid_until - make_interval(secs => $1)`,
)

describe('queued in a transaction', () => {
  let on: MailEnvironment
  beforeAll(async () => {
    on = await startMailEnvironment()
  })

  const counted = async (recipient: string) => (await on.database.run(countRow, recipient))[0]?.count
  /** Random commits and rollbacks; returns the number of commits. */
  const tried = async (
    decisions: readonly boolean[],
    kind: MailKindName,
    queue: typeof queueMail,
    recipient: string,
  ) => {
    for (const commits of decisions) {
      await on.database
        .transaction({}, async (db) => {
          await queue(db, { kind, recipient })
          if (!commits) throw new Error('rolled back')
        })
        .catch(() => {})
    }
    return decisions.filter(Boolean).length
  }

  test.each(kinds)('%s: there are as many mails as commits', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 8 }), async (decisions) => {
        const recipient = newId('acc')
        expect(await tried(decisions, kind, queueMail, recipient)).toBe(await counted(recipient))
      }),
      { numRuns: 12 },
    )
  })

  test('a mail that is queued outside the transaction survives a rollback (negative control)', async () => {
    const recipient = newId('acc')
    const outside: typeof queueMail = (_: Db, mail) => on.database.transaction({}, (db) => queueMail(db, mail))
    const commits = await tried([true, false, true, false], 'password_changed', outside, recipient)
    expect(await counted(recipient)).toBeGreaterThan(commits)
  })
})

describe('sent', () => {
  test('once each by eight workers, and the outbox is empty of timers afterwards', async () => {
    const on = await startMailEnvironment()
    const recipients = await Promise.all(Array.from({ length: 60 }, (_, n) => on.account(`person-${n}@shop.example`)))
    for (const recipient of recipients) for (const kind of noticeKinds) await on.queue(recipient, kind)
    const workers = Array.from({ length: 8 }, () => on.startWorker())
    await until(async () => (await on.database.run(timersRow))[0]?.count === 0)
    await Promise.all(workers.map((worker) => worker.stop()))
    const ids = on.relay.received.map(({ messageId }) => messageId)
    expect(ids).toHaveLength(recipients.length * noticeKinds.length)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set((await on.outbox()).map(({ state }) => state))).toEqual(new Set(['sent']))
    expect(on.errors).toEqual([])
  })

  test('twice by two workers that do not claim (negative control)', async () => {
    const on = await startMailEnvironment()
    await on.queue(await on.account('mia@shop.example'))
    const [due] = await claimTimers(on.database.run, 'mail_urgent', 1, 60)
    if (!due) throw new Error('nothing is due')
    await Promise.all([on.work().work(due), on.work().work(due)])
    expect(on.relay.received).toHaveLength(2)
  })

  test('again, with the same Message-ID, if the worker died before it could record it', async () => {
    const on = await startMailEnvironment()
    await on.queue(await on.account('mia@shop.example'))
    const [due] = await claimTimers(on.database.run, 'mail_urgent', 1, 0.001)
    if (!due) throw new Error('nothing is due')
    // Another worker has taken over while this one was sending.
    const [next] = await claimTimers(on.database.run, 'mail_urgent', 1, 60)
    if (!next) throw new Error('the claim has not expired')
    expect(await on.work().work(due)).toBeUndefined()
    expect(on.relay.received).toHaveLength(0)
    await on.work().work(next)
    expect(on.relay.received.map(({ messageId }) => messageId)).toEqual([`${due.id}@petstore.example`])
  })

  test('not at all to an account that is gone, or to an address that relays would read differently', async () => {
    const on = await startMailEnvironment()
    await on.queue('acc_000000000000000000000000')
    await on.queue(await on.account('"quoted, local"@shop.example'))
    const worker = on.startWorker()
    await until(async () => (await on.outbox()).every(({ state }) => state === 'dropped'))
    await worker.stop()
    expect(new Set((await on.outbox()).map(({ outcome }) => outcome))).toEqual(new Set(['address', 'recipient gone']))
    expect(on.relay.received).toEqual([])
  })

  test('not at all once it is too old', async () => {
    const on = await startMailEnvironment()
    await on.queue(await on.account('mia@shop.example'))
    await on.database.run(ageRow, 3 * 24 * 3600 + 1)
    const worker = on.startWorker()
    await until(async () => (await on.outbox()).every(({ state }) => state === 'dropped'))
    await worker.stop()
    expect((await on.outbox()).map(({ outcome }) => outcome)).toEqual(['too old'])
  })

  test('at most five times an hour per kind to one recipient, however many workers there are', async () => {
    const on = await startMailEnvironment()
    const [mia, tom] = [await on.account('mia@shop.example'), await on.account('tom@shop.example')]
    for (let n = 0; n < 12; n++) await on.queue(mia)
    await on.queue(mia, 'passkey_added')
    await on.queue(tom)
    const workers = Array.from({ length: 4 }, () => on.startWorker())
    await until(async () => (await on.outbox()).every(({ state }) => state !== 'queued'))
    await Promise.all(workers.map((worker) => worker.stop()))
    const rows = await on.outbox()
    const dropped = rows.filter(({ outcome }) => outcome === 'limit of the recipient')
    // Twelve mails may be sent in two windows.
    expect(on.relay.received.filter(({ to }) => to === 'tom@shop.example')).toHaveLength(1)
    expect(on.relay.received.filter(({ to }) => to === 'mia@shop.example').length).toBeLessThanOrEqual(11)
    expect(dropped.length).toBeGreaterThanOrEqual(2)
  })
})

describe('a recipient that the relay rejects', () => {
  test('for good: the mail has bounced, and the others are sent', async () => {
    const on = await startMailEnvironment({ onRecipient: (to) => (to.startsWith('gone') ? '550 5.1.1 No' : undefined) })
    await on.queue(await on.account('gone@shop.example'))
    await on.queue(await on.account('mia@shop.example'))
    const worker = on.startWorker()
    await until(async () => (await on.outbox()).every(({ state }) => state !== 'queued'))
    await worker.stop()
    expect(await on.outbox()).toMatchObject([
      { state: 'bounced', outcome: '550 5.1.1' },
      { state: 'sent', outcome: '250' },
    ])
  })

  test('for now: it is tried again when an operator asks for it', async () => {
    let isBusy = true
    const on = await startMailEnvironment({ onRecipient: () => (isBusy ? '450 4.2.1 Greylisted' : undefined) })
    await on.queue(await on.account('mia@shop.example'))
    const worker = on.startWorker()
    await until(async () => (await on.outbox())[0]?.outcome === '450 4.2.1')
    expect(await listRelayFailures(on.database.run)).toEqual([])
    isBusy = false
    await until(async () => (await retryMails(on.database.run)) === 1)
    await on.relay.arrived(1)
    await until(async () => (await on.outbox())[0]?.state === 'sent')
    await worker.stop()
    expect((await on.outbox())[0]?.attempts).toBe(2)
  })
})

describe('a relay that fails', () => {
  test('pauses its queue, says why, loses nothing, and goes on without help', async () => {
    let isDown = true
    const on = await startMailEnvironment({ onRecipient: () => (isDown ? '421 4.3.2 Closing' : undefined) })
    const accounts = await Promise.all(Array.from({ length: 5 }, (_, n) => on.account(`person-${n}@shop.example`)))
    for (const account of accounts) await on.queue(account)
    const worker = on.startWorker()
    await until(async () => (await listRelayFailures(on.database.run))[0]?.failures === 2)
    expect(await listRelayFailures(on.database.run)).toMatchObject([{ queue: 'urgent', outcome: 'connection 421' }])
    isDown = false
    await on.relay.arrived(5)
    await until(async () => (await on.outbox()).every(({ state }) => state === 'sent'))
    await until(async () => (await listRelayFailures(on.database.run)).length === 0)
    await worker.stop()
    expect(on.relay.received).toHaveLength(5)
  })

  test('for notifications does not delay an urgent mail', async () => {
    const on = await startMailEnvironment({ onMessage: (to) => (to.startsWith('slow') ? 'hang' : undefined) })
    const slow = await Promise.all(Array.from({ length: 4 }, (_, n) => on.account(`slow-${n}@shop.example`)))
    for (const account of slow) await on.queue(account, 'passkey_added', 'bulk')
    const timeouts = { connectMs: 60_000, greetingMs: 60_000, idleMs: 60_000, attemptMs: 60_000 }
    const workers = [on.startWorker({ queue: 'bulk', timeouts }), on.startWorker()]
    await on.queue(await on.account('mia@shop.example'))
    await on.relay.arrived(1)
    const others = (await on.outbox()).filter(({ kind }) => kind === 'passkey_added')
    expect(others.map(({ outcome }) => outcome)).toEqual(slow.map(() => null))
    // Ends the attempts that hang.
    await on.relay.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
  })
})

test('an operator ends queued mails, and their timers find nothing to do', async () => {
  const on = await startMailEnvironment()
  await on.queue(await on.account('mia@shop.example'))
  expect(await dropMails(on.database.run, new Date(Date.now() - 60_000))).toBe(0)
  expect(await dropMails(on.database.run, new Date(Date.now() + 60_000))).toBe(1)
  const worker = on.startWorker()
  await until(async () => (await on.database.run(timersRow))[0]?.count === 0)
  await worker.stop()
  expect(on.relay.received).toEqual([])
})

test('a digest takes in what comes while it waits, and nothing once it is being sent', async () => {
  const on = await startMailEnvironment()
  const recipient = await on.account('mia@shop.example')
  const queue = () => on.database.transaction({}, (db) => queueMail(db, { kind: 'digest', recipient, project: 7n }))
  await queue()
  await queue()
  expect(await on.outbox()).toHaveLength(1)
  const [due] = await claimTimers(on.database.run, 'mail', 1, 60)
  if (!due) throw new Error('nothing is due')
  // Composed while something else happens, as if the worker were slow.
  const kinds: SentKinds = {
    ...on.kinds,
    digest: {
      ...mailKinds.digest,
      compose: async () => {
        await queue()
        return { because: 'empty' }
      },
    },
  }
  await on.work({ queue: 'bulk', kinds }).work(due)
  expect((await on.outbox()).map(({ state }) => state).toSorted()).toEqual(['dropped', 'queued'])
})
