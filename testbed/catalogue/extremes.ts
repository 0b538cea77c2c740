// Extreme but valid values: names of the maximum length, letters of every alphabet, dozens of
// records, and third-party text of the maximum length.

import {
  EVIDENCE_LENGTH_MAX,
  EVIDENCE_LINES_MAX,
  type Domain,
  type DomainRecord,
  type HeldRecord,
  type Trouble,
} from '@petstore-platform/contract/platform/domain-shapes'
import { domainOf, filled, statusScenes } from './domains.ts'
import { HOST, TARGET } from './placeholder-values.ts'

/** 253 characters, the maximum in DNS. */
export const LONGEST_NAME = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.${'d'.repeat(50)}.happy-paws`
const UMLAUTS = 'xn--gre-vom-hof-llb57b.example'

const states: Readonly<Record<DomainRecord['state'], true>> = {
  right: true,
  missing: true,
  wrong: true,
  conflicting: true,
  unknown: true,
}
const actions: Readonly<Record<DomainRecord['action'], true>> = {
  keep: true,
  add: true,
  change: true,
  delete_others: true,
  wait: true,
}
const todos: Readonly<Record<HeldRecord['todo'], true>> = { keep: true, leave: true, change: true, delete: true }
const types: Readonly<Record<DomainRecord['type'], true>> = {
  CNAME: true,
  ALIAS: true,
  ANAME: true,
  A: true,
  AAAA: true,
  TXT: true,
  CAA: true,
}
const keysOf = <Key extends string>(table: Readonly<Record<Key, true>>) => Object.keys(table) as Key[]

const record = (changes: Partial<DomainRecord>): DomainRecord => ({
  type: 'CNAME',
  name: 'shop',
  fullName: HOST,
  value: TARGET,
  ttl: 3600,
  have: [],
  state: 'missing',
  action: 'add',
  required: true,
  ...changes,
})

/** Every type, and every state with every action, next to the instruction for every line. */
export const everyRecord: readonly DomainRecord[] = [
  ...keysOf(types).map((type) => record({ type, value: `value-of-${type}`, required: type !== 'CAA' })),
  ...keysOf(states).flatMap((state) =>
    keysOf(actions).map((action) =>
      record({
        state,
        action,
        value: `${state}-${action}.example`,
        have: keysOf(todos).map((todo) => ({ line: `TXT ${todo}`, todo })),
      }),
    ),
  ),
]

/** `text` in every field that can hold third-party text. */
export function strangersDomain(now: number, text: string): Domain {
  const short = text.slice(0, EVIDENCE_LENGTH_MAX)
  const trouble: Trouble = {
    ...filled('dns.cname_wrong'),
    until: null,
    advice: `${HOST} points to \`${short}\`, that is ${short}.`,
  }
  return {
    ...domainOf(now, statusScenes.action_required),
    rootCause: trouble,
    also: [{ ...trouble, code: 'zone.servfail_other' }],
    records: [
      record({
        name: short,
        value: short,
        have: [{ line: `TXT ${short}`, todo: 'change' }],
        state: 'wrong',
        action: 'change',
      }),
    ],
    provider: { id: 'other', name: short, dnsPage: null },
    propagation: { note: short, until: null },
    evidence: [{ server: short, question: short, answer: short, ms: 3 }],
    redirect: { to: short, status: 301, isActive: false },
  }
}

export function extremes(now: number): Readonly<Record<string, Domain>> {
  const wide = (letter: string) => letter.repeat(EVIDENCE_LENGTH_MAX)
  const shop = domainOf(now, statusScenes.action_required)
  return {
    'longest name': domainOf(now, { hostname: LONGEST_NAME, records: [`${LONGEST_NAME} A 192.0.2.7`] }),
    'longest name, live': {
      ...domainOf(now, { ...statusScenes.live, hostname: LONGEST_NAME }),
      redirect: { to: LONGEST_NAME, status: 308, isActive: true },
    },
    'letters of another alphabet': domainOf(now, { hostname: UMLAUTS }),
    'words without an end': strangersDomain(now, wide('W')),
    'words that run from right to left': strangersDomain(now, 'שלום '.repeat(20)),
    'much evidence': {
      ...shop,
      evidence: Array.from({ length: EVIDENCE_LINES_MAX }, (_, index) => ({
        server: `${wide('s').slice(4)}${index}`,
        question: wide('q'),
        answer: wide('a'),
        ms: index * 1000,
      })),
    },
    'many records': {
      ...shop,
      records: Array.from({ length: 40 }, (_, index) =>
        record({
          type: 'A',
          value: `192.0.2.${index}`,
          have: Array.from({ length: 12 }, (_, n) => ({ line: `A 198.51.100.${n}`, todo: 'leave' as const })),
        }),
      ),
    },
    'much to notice': { ...shop, also: Array.from({ length: 12 }, noticed) },
  }
}

const noticed = (_: unknown, index: number): Trouble => {
  const { advice, ...rest } = filled('zone.lame_ns')
  return { ...rest, until: null, advice: `${index + 1}: ${advice}` }
}
