// The invariants at the head of `lifecycle.ts`, for random facts at random moments, checked
// after every step. In addition, the steps of the procedure one by one.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../foundation/time.ts'
import {
  certificateTransitions,
  domainFacts,
  initialState,
  next,
  ownershipTransitions,
  restTransitions,
  routingTransitions,
  type Fact,
  type DomainFact,
  type Root,
} from './lifecycle.ts'
import type { LifecycleState } from './states.ts'
import { isServed, statusOf } from './status.ts'

const start = Date.UTC(2027, 0, 1)
const added = initialState('dom_000000000000000000000001', start)
const live: LifecycleState = {
  ...added,
  ownership: 'proven',
  proof: 'cname',
  routing: 'pointing',
  certificate: 'deployed',
  checkedAt: start,
  liveAt: start,
}

const roots = [
  null,
  { code: 'dns.no_record', severity: 'blocks', until: null },
  { code: 'dns.cname_wrong', severity: 'blocks', until: null },
  { code: 'prop.old_ttl', severity: 'waits', until: start + DAY },
  { code: 'zone.lame_ns', severity: 'warns', until: null },
] as const

/** Derived facts are not part of the input. */
type InputFact = Exclude<DomainFact, 'drift_confirmed' | 'time_passed'>
const isInput = (kind: DomainFact): kind is InputFact => kind !== 'drift_confirmed' && kind !== 'time_passed'

const factOf = (kind: InputFact, root: (typeof roots)[number] = null): Fact => {
  if (kind === 'looked') return { kind, root }
  return kind === 'proof_seen' ? { kind, proof: 'txt' } : { kind }
}

/** Facts that one check may report together, or one other fact alone. */
const looks: readonly (readonly InputFact[])[] = [
  ['points_here', 'proof_seen', 'looked'],
  ['points_away', 'proof_missing', 'looked'],
  ['record_missing', 'proof_missing', 'looked'],
  ['record_conflicts', 'looked'],
  ['propagating', 'looked'],
  ['not_reachable', 'looked'],
  ['held_by_other', 'points_here', 'looked'],
  ...domainFacts.filter(isInput).map((kind) => [kind]),
]

type Step = {
  isFirst: boolean
  before: LifecycleState
  facts: readonly Fact[]
  now: number
  after: ReturnType<typeof next>
}

function everyStep(check: (step: Step) => void): void {
  const step = fc.record({
    kinds: fc.constantFrom(...looks),
    root: fc.constantFrom(...roots),
    wait: fc.constantFrom(1000, 5000, MINUTE, 5 * MINUTE, 10 * MINUTE, HOUR, DAY, 8 * DAY, 31 * DAY),
  })
  const life = fc.array(step, { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(fc.constantFrom(added, live), life, (born, steps) => {
      let before = born
      let now = start
      for (const { kinds, root, wait } of steps) {
        now += wait
        const facts = kinds.map((kind) => factOf(kind, root))
        const after = next(before, facts, now)
        check({ isFirst: before === born, before, facts, now, after })
        before = after.life
      }
    }),
    { numRuns: 400 },
  )
}

const rootIn = ({ cause, severity, causeUntil }: LifecycleState): Root | null =>
  cause && severity && { code: cause, severity, until: causeUntil }

/** No certificate of the hostname is valid. */
const withoutCertificate = [
  'certificate_queued',
  'certificate_validating',
  'certificate_blocked',
  'certificate_rate_limited',
  'certificate_expired',
] as const

const has = (facts: readonly Fact[], ...kinds: DomainFact[]) => facts.some(({ kind }) => kinds.includes(kind))

describe('the lifecycle, for random facts', () => {
  test('gives every domain that is neither removed nor live a code and a time of its next check', () => {
    everyStep(({ after: { life }, now }) => {
      const status = statusOf(life)
      if (status.name === 'removed') expect([life.nextCheckAt, life.removedAt]).toEqual([null, expect.any(Number)])
      else expect(life.nextCheckAt).toBeGreaterThan(now)
      if ('code' in status) expect([status.code, status.nextCheckAt]).toEqual([expect.any(String), life.nextCheckAt])
      else expect(['live', 'removed']).toContain(status.name)
    })
  })

  test('keeps a served hostname served until removal, another proof, the plan or the expiry of its certificate', () => {
    everyStep(({ before, facts, after: { life } }) => {
      const isEnded = has(facts, 'removal_requested', 'proven_by_another', 'plan_lapsed', ...withoutCertificate)
      if (isServed(before) && !isEnded) expect(isServed(life)).toBe(true)
      if (has(facts, 'removal_requested')) expect(isServed(life)).toBe(false)
    })
  })

  test('changes nothing about a hostname that points here when DNS cannot be queried', () => {
    everyStep(({ before, facts, after: { life } }) => {
      if (before.routing !== 'pointing' || !has(facts, 'not_reachable')) return
      expect([life.routing, life.ownership]).toEqual([before.routing, before.ownership])
    })
  })

  test('treats a served hostname as pointing elsewhere only after two checks ten minutes apart', () => {
    const seen: number[] = []
    everyStep(({ isFirst, before, facts, now, after: { life } }) => {
      if (isFirst || !isServed(before) || before.routing !== 'pointing') seen.length = 0
      if (has(facts, 'points_away', 'record_missing', 'record_conflicts')) seen.push(now)
      if (before.routing === 'pointing' && isServed(before) && life.routing === 'drifted') {
        expect(seen.length).toBeGreaterThanOrEqual(2)
        expect(now - (seen[0] ?? now)).toBeGreaterThanOrEqual(10 * MINUTE)
      }
      if (isServed(before) && before.routing === 'pointing') expect(['pointing', 'drifted']).toContain(life.routing)
    })
  })

  test('keeps a removed or moved domain so', () => {
    everyStep(({ before, after: { life, events, effects } }) => {
      if (before.removedAt === null) return
      expect([life, events, effects]).toEqual([before, [], []])
    })
  })

  test('emits no event when nothing happened', () => {
    everyStep(({ before, after: { life, events } }) => {
      const [from, to] = [statusOf(before), statusOf(life)]
      const isSame =
        JSON.stringify([from.name, 'code' in from && from.code, before.ownership, before.routing]) ===
        JSON.stringify([to.name, 'code' in to && to.code, life.ownership, life.routing])
      if (isSame) expect(events).toEqual([])
    })
  })

  test('does not notify watchers when only the time of the next check changes', () => {
    everyStep(({ before, after: { life } }) => {
      const again = next(life, [{ kind: 'looked', root: rootIn(life) }], (life.nextCheckAt ?? before.addedAt) - 1)
      if (!isServed(life) && again.life.rest === life.rest && life.checkedAt !== null) expect(again.effects).toEqual([])
    })
  })

  test('gives no certificate to a hostname that the project does not hold, or no longer holds', () => {
    everyStep(({ after: { life } }) => {
      if (life.ownership !== 'proven') expect(life.certificate).toBe('none')
    })
  })

  test('makes a project the holder only by a proof', () => {
    everyStep(({ before, facts, after: { life } }) => {
      if (before.ownership !== 'proven' && life.ownership === 'proven') expect(has(facts, 'proof_seen')).toBe(true)
    })
  })
})

test('a lifecycle in which one check demotes a served hostname is reported (negative control)', () => {
  const wrong = (before: LifecycleState, facts: readonly Fact[], now: number) => {
    const { life } = next({ ...before, certificate: 'none' }, facts, now)
    return { ...life, certificate: before.certificate }
  }
  expect(wrong(live, [{ kind: 'points_away' }], start + HOUR).routing).toBe('wrong')
  expect(next(live, [{ kind: 'points_away' }], start + HOUR).life.routing).toBe('pointing')
})

describe('drift', () => {
  const away: Fact[] = [{ kind: 'points_away' }, { kind: 'looked', root: roots[2] }]
  const here: Fact[] = [{ kind: 'points_here' }, { kind: 'looked', root: null }]
  const at = (minutes: number) => start + minutes * MINUTE
  const run = (...steps: [minutes: number, facts: Fact[]][]) =>
    steps.reduce((life, [minutes, facts]) => next(life, facts, at(minutes)).life, live)

  test('is confirmed when two of three checks, ten minutes apart, have found it', () => {
    expect(run([0, away]).routing).toBe('pointing')
    expect(run([0, away], [5, away]).routing).toBe('pointing')
    expect(run([0, away], [10, away])).toMatchObject({ routing: 'drifted', cause: 'dns.cname_wrong' })
    expect(run([0, away], [5, here], [10, away]).routing).toBe('drifted')
    expect(run([0, away], [5, here], [6, here], [10, away]).routing).toBe('pointing')
    expect(run([0, away], [5, here], [6, here], [7, here], [20, away]).routing).toBe('pointing')
  })

  test('is detected within seventy minutes, since the second check comes soon', () => {
    const first = next(live, here, at(0)).life.nextCheckAt ?? 0
    const second = next(next(live, here, at(0)).life, away, first).life.nextCheckAt ?? 0
    expect(second - at(0)).toBeLessThanOrEqual(70 * MINUTE)
  })

  test('ends with the first check that finds the hostname here', () => {
    const { life, events } = next(run([0, away], [10, away]), here, at(15))
    expect([life.routing, life.driftChecks, life.driftSince]).toEqual(['pointing', 0, null])
    expect(events.map(({ kind }) => kind)).toEqual(['domain.restored'])
  })

  test('for a week, with an expired certificate, makes the domain dormant', () => {
    const drifted = run([0, away], [10, away])
    const expired = next(drifted, [{ kind: 'certificate_expired' }], at(20)).life
    expect(statusOf(next(expired, away, at(60)).life).name).not.toBe('dormant')
    expect(statusOf(next(expired, away, start + 7 * DAY).life).name).toBe('dormant')
  })
})

test.each<[string, LifecycleState, Fact[], string, string[]]>([
  ['the record is missing', added, [{ kind: 'record_missing' }, { kind: 'looked', root: roots[1] }], 'pending_dns', []],
  [
    'the record is wrong',
    added,
    [{ kind: 'points_away' }, { kind: 'looked', root: roots[2] }],
    'action_required',
    ['domain.action_required'],
  ],
  [
    'the record is correct, and some resolvers have cached the old one',
    added,
    [{ kind: 'points_here' }, { kind: 'looked', root: roots[3] }],
    'waiting',
    ['domain.dns_detected'],
  ],
  [
    'everything is right',
    added,
    [{ kind: 'points_here' }, { kind: 'proof_seen', proof: 'cname' }, { kind: 'looked', root: null }],
    'issuing',
    ['domain.dns_detected', 'domain.verified'],
  ],
  [
    'the certificate is on the edges',
    { ...live, certificate: 'issued' },
    [{ kind: 'certificate_deployed' }],
    'live',
    ['domain.live'],
  ],
  [
    'a renewal is refused',
    { ...live, certificate: 'renewing' },
    [{ kind: 'certificate_renewal_failing' }],
    'degraded',
    ['domain.degraded'],
  ],
  ['the owner removes it', live, [{ kind: 'removal_requested' }], 'removed', ['domain.removed']],
  ['another project proves it', live, [{ kind: 'proven_by_another' }], 'removed', ['domain.moved']],
  ['the plan lapses', live, [{ kind: 'plan_lapsed' }], 'paused', ['domain.paused']],
  ['the plan is restored', { ...live, rest: 'paused' }, [{ kind: 'plan_restored' }], 'live', ['domain.resumed']],
])('when %s', (_, before, facts, status, events) => {
  const after = next(before, facts, start + MINUTE)
  expect(statusOf(after.life).name).toBe(status)
  expect(after.events.map(({ kind }) => kind)).toEqual(events)
})

test('every state can be reached, and every fact changes some state', () => {
  const axes: Readonly<Record<string, Readonly<Record<string, string>>>>[] = [
    ownershipTransitions,
    routingTransitions,
    certificateTransitions,
    restTransitions,
  ]
  const cells = axes.flatMap((axis) => Object.values(axis).flatMap((row) => Object.entries(row)))
  const used = new Set(cells.map(([kind]) => kind))
  // It carries the time and the cause, which are not states of an axis.
  expect(domainFacts.filter((kind) => !used.has(kind))).toEqual(['looked'])
  const reached = new Set(['unproven', 'unknown', 'none', 'awake', ...cells.map(([, state]) => state)])
  const states = axes.flatMap((axis) => Object.keys(axis))
  expect(states.filter((state) => !reached.has(state))).toEqual([])
})
