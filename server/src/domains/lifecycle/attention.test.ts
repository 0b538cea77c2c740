import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../foundation/time.ts'
import {
  decideMails,
  noAttention,
  persistence,
  renewalStage,
  type Attention,
  type DomainMail,
  type Persistence,
} from './attention.ts'
import { initialState } from './lifecycle.ts'
import type { LifecycleState } from './states.ts'

const START = Date.UTC(2027, 0, 1)
const added: LifecycleState = { ...initialState('dom_1', START), checkedAt: START, routing: 'wrong' }
const blocked: LifecycleState = { ...added, cause: 'dns.cname_wrong', severity: 'blocks' }
const other: LifecycleState = { ...added, cause: 'caa.blocked', severity: 'blocks' }
const fine: LifecycleState = { ...added, ownership: 'proven', routing: 'pointing', certificate: 'queued' }
const live: LifecycleState = { ...fine, certificate: 'deployed', liveAt: START }
const drifted: LifecycleState = {
  ...live,
  routing: 'drifted',
  driftSince: START - 10 * MINUTE,
  cause: 'drift.pointed_away',
  severity: 'warns',
}
const down: LifecycleState = { ...live, certificate: 'expired', cause: 'zone.servfail_other', severity: 'blocks' }

/** The mails of a sequence of checks: each at its minute, with the state that it finds. */
function mailsOf(
  checks: readonly (readonly [minute: number, state: LifecycleState, isCheck?: boolean])[],
  { rules = persistence, first = noAttention }: { rules?: Persistence; first?: Attention } = {},
): string[] {
  let [attention, before] = [first, checks[0]?.[1] ?? added]
  const mailed = new Map<string, number>()
  const sent: string[] = []
  for (const [minute, after, isCheck = true] of checks) {
    const now = START + minute * MINUTE
    const lastMailedAt = mailed.get(after.cause ?? '') ?? null
    const decided = decideMails({ before, after, attention, isCheck, lastMailedAt, failing: null }, now, rules)
    for (const mail of decided.mails) {
      sent.push(textOf(mail, minute))
      if (mail.kind === 'domain_alert' || mail.kind === 'domain_reminder') mailed.set(mail.cause ?? '', now)
    }
    ;({ attention } = decided)
    before = after
  }
  return sent
}
const textOf = ({ kind, cause }: DomainMail, minute: number) => `${minute} ${kind}${cause === null ? '' : ` ${cause}`}`

const DAY_MINUTES = 24 * 60

describe('which mails a sequence of checks causes', () => {
  test.each<[says: string, checks: Parameters<typeof mailsOf>[0], mails: string[]]>([
    ['a problem that lasts is mailed once', minutes(blocked, 0, 5, 10, 15, 60), ['10 domain_alert dns.cname_wrong']],
    [
      'one that ends before is not mailed',
      [
        [0, blocked],
        [9, blocked],
        [10, fine],
      ],
      [],
    ],
    [
      'one check is not enough',
      [
        [0, blocked, false],
        [30, blocked, true],
      ],
      [],
    ],
    [
      'a request to check does not count as a check',
      [
        [0, blocked],
        [30, blocked, false],
      ],
      [],
    ],
    [
      'a different cause is counted anew',
      [
        [0, other],
        [9, other],
        [10, blocked],
        [19, blocked],
      ],
      [],
    ],
    [
      'each cause is mailed',
      minutes(other, 0, 10).concat(minutes(blocked, 11, 21)),
      ['10 domain_alert caa.blocked', '21 domain_alert dns.cname_wrong'],
    ],
    [
      'the same cause is mailed once a day',
      minutes(blocked, 0, 10).concat([[11, fine]], minutes(blocked, 20, 40, 200)),
      ['10 domain_alert dns.cname_wrong'],
    ],
    [
      'and again on the next day',
      minutes(blocked, 0, 10).concat([[11, fine]], minutes(blocked, 1000, 1450)),
      ['10 domain_alert dns.cname_wrong', '1450 domain_alert dns.cname_wrong'],
    ],
    ['a cause that needs time is never mailed', minutes({ ...blocked, severity: 'waits' }, 0, 60, 2000), []],
    [
      'a cause of ours is not mailed before the domain was live',
      minutes({ ...blocked, cause: 'zone.servfail_other' }, 0, 60, 600),
      [],
    ],
    [
      'a live domain that is down for an hour is, whoever must act',
      minutes(down, 0, 30, 59, 60),
      ['60 domain_alert zone.servfail_other'],
    ],
    ['a live domain that waits is not', minutes({ ...down, severity: 'waits' }, 0, 60, 90), []],
    [
      'a live domain that points elsewhere was found by two checks',
      [
        [0, live],
        [1, drifted],
      ],
      ['1 domain_alert drift.pointed_away'],
    ],
    [
      'restored follows an alert',
      [
        [0, live],
        [1, drifted],
        [2, live],
        [3, live],
      ],
      ['1 domain_alert drift.pointed_away', '2 domain_restored'],
    ],
    [
      'and only an alert',
      [
        [0, live],
        [1, { ...drifted, severity: 'waits' }],
        [2, live],
      ],
      [],
    ],
    [
      'a domain is live once',
      [
        [0, fine],
        [1, live],
        [2, { ...live, rest: 'paused' }, false],
        [3, live],
      ],
      ['1 domain_live'],
    ],
    [
      'an alert before the domain is live needs no restoration',
      minutes(blocked, 0, 10).concat([[11, live]]),
      ['10 domain_alert dns.cname_wrong', '11 domain_live'],
    ],
    [
      'that no record exists is remembered after one day and three',
      minutes(
        { ...blocked, cause: 'dns.no_record' },
        0,
        60,
        DAY_MINUTES,
        DAY_MINUTES + 5,
        3 * DAY_MINUTES,
        3 * DAY_MINUTES + 5,
        5 * DAY_MINUTES,
        9 * DAY_MINUTES,
      ),
      [`${DAY_MINUTES} domain_reminder dns.no_record`, `${3 * DAY_MINUTES} domain_reminder dns.no_record`],
    ],
    [
      'a reminder comes a day after the alert',
      minutes(blocked, 0, 10, DAY_MINUTES, DAY_MINUTES + 10),
      ['10 domain_alert dns.cname_wrong', `${DAY_MINUTES + 10} domain_reminder dns.cname_wrong`],
    ],
    ['what waits is not remembered', minutes({ ...blocked, severity: 'waits' }, 0, DAY_MINUTES, 3 * DAY_MINUTES), []],
    [
      'a domain that is paused and was live is mailed',
      minutes({ ...live, rest: 'paused' }, 0, 60),
      ['60 domain_alert plan.lapsed'],
    ],
    ['a dormant domain is not', minutes({ ...blocked, rest: 'dormant' }, 0, 60), []],
    ['a removed domain is not', minutes({ ...blocked, ownership: 'released', removedAt: START }, 0, 60), []],
    [
      'a renewal that fails is no alert',
      minutes({ ...live, certificate: 'renewal_failing', cause: 'caa.blocked', severity: 'warns' }, 0, 60),
      [],
    ],
  ])('%s', (_, checks, mails) => {
    expect(mailsOf(checks)).toEqual(mails)
  })
})

function minutes(state: LifecycleState, ...all: readonly number[]): (readonly [number, LifecycleState])[] {
  return all.map((minute) => [minute, state])
}

test('a hundred changes within an hour cause at most two mails, and more without the rule of persistence', () => {
  const codes = ['dns.cname_wrong', 'caa.blocked', 'dns.no_record', 'dns.conflict_a', 'own.txt_missing'] as const
  const changes = Array.from({ length: 100 }, (_, index) => {
    const cause = codes[index % codes.length] ?? null
    return [index * 0.6, index % 2 === 0 ? { ...blocked, cause } : fine] as const
  })
  expect(mailsOf(changes).length).toBeLessThanOrEqual(2)
  expect(mailsOf(changes, { rules: { lasts: 0, checks: 1, downFor: 0 } }).length).toBeGreaterThan(2)
})

test('a failing renewal is mailed at a third, at a sixth and a day before the end, each once for a certificate', () => {
  const ninety = { serial: 'a', notBefore: START, notAfter: START + 90 * DAY }
  const state: LifecycleState = { ...live, certificate: 'renewal_failing', cause: 'caa.blocked', severity: 'warns' }
  const daysMailed = (failing: typeof ninety, first: Attention) => {
    let attention = first
    const found: number[] = []
    for (let hour = 0; hour < 90 * 24; hour++) {
      const checked = { before: state, after: state, attention, isCheck: true, lastMailedAt: null, failing }
      const decided = decideMails(checked, START + hour * HOUR)
      if (decided.mails.some(({ kind }) => kind === 'renewal_failing')) found.push(hour / 24)
      ;({ attention } = decided)
    }
    return { found, attention }
  }
  const { found, attention } = daysMailed(ninety, noAttention)
  expect(found).toEqual([60, 75, 89])
  expect(daysMailed(ninety, attention).found).toEqual([])
  expect(daysMailed({ ...ninety, serial: 'b' }, attention).found).toEqual([60, 75, 89])
  expect(renewalStage(ninety, START + 59 * DAY)).toBe(0)
})
