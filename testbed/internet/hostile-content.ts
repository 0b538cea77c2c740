// Hostile answers, second part: well-formed messages with impossible, endless or poisonous content.

import {
  both,
  honest,
  hostileClass,
  overTcp,
  strange,
  txt,
  zoneOfName,
  type HostileClass,
  type Truth,
} from './hostile-class.ts'
import {
  asked,
  caaData,
  flag,
  ipv4,
  labels,
  optRecord,
  option,
  record,
  reply,
  soaData,
  types,
  wireName,
  type PacketQuestion,
  type RecordLies,
  type PacketReply,
} from './packets.ts'

type Say = (question: PacketQuestion, truth: Truth, zone: string) => PacketReply

const answer =
  (say: Say): HostileClass['play'] =>
  (question, truth) =>
    both(reply(question, say(question, truth, zoneOfName(question.name))))
const says = (about: string, say: Say): HostileClass => hostileClass(about, answer(say))
const strangely = (about: string, say: Say): HostileClass => strange(about, answer(say))
/** Only for names that exist: not, as with a `*` record, for a random one. */
const named = (about: string, say: Say): HostileClass =>
  says(about, (question, truth, zone) =>
    question.name.startsWith('petstore-wildcard-') ? { rcode: 3, authority: [soa(zone)] } : say(question, truth, zone),
  )
/** A mistake that does not affect the rest of the answer: the token is there. */
const believable = (made: HostileClass): HostileClass => ({ ...made, mayBeBelieved: true })
const tells = (about: string, say: Say): HostileClass =>
  hostileClass(about, (question, truth) =>
    overTcp(question, reply(question, say(question, truth, zoneOfName(question.name)))),
  )

const alias = (target: string, owner: Buffer = asked, lies: RecordLies = {}): Buffer =>
  record(owner, types.CNAME, wireName(target), lies)
const address = (value = '127.0.80.1', owner: Buffer = asked): Buffer => record(owner, types.A, ipv4(value))
const ns = (zone: string, name: string): Buffer => record(wireName(zone), types.NS, wireName(name))
const soa = (zone: string): Buffer => record(wireName(zone), types.SOA, soaData(zone))

// Created once: they are sent often, and creating them takes longer than sending them.
const longText = txt(...Array.from({ length: 250 }, () => 'a'.repeat(255)))
const manyStrings = txt(...Array.from({ length: 255 }, () => 'b'.repeat(254)))
const manyAddresses = Buffer.concat(Array.from({ length: 4_000 }, (_, n) => address(`10.${n >> 8}.${n & 255}.1`)))
const manyTexts = Buffer.concat(Array.from({ length: 3_999 }, () => txt('')))

const nameserversOfZone = new Map<string, Buffer>()
function manyNameservers(zone: string): Buffer {
  const made =
    nameserversOfZone.get(zone) ?? Buffer.concat(Array.from({ length: 1_000 }, (_, n) => ns(zone, `ns${n}.${zone}`)))
  nameserversOfZone.set(zone, made)
  return made
}

const size: Record<string, HostileClass> = {
  'text-64k': tells('A text of nearly 64 KiB in one record.', () => ({ answers: [longText] })),
  'text-255x255': tells('255 strings of 254 characters.', () => ({ answers: [manyStrings] })),
  'records-4000': tells('4,000 addresses.', () => ({ answers: [manyAddresses], counts: { answers: 4_000 } })),
  'texts-4000': tells('4,000 texts, one of them right.', (_, { token }) => ({
    answers: [manyTexts, txt(token)],
    counts: { answers: 4_000 },
  })),
  'nameservers-1000': tells('A thousand nameservers.', (_q, _t, zone) => ({
    flags: flag.response,
    authority: [manyNameservers(zone)],
    counts: { authority: 1_000 },
  })),
  'text-empty': says('One empty text.', () => ({ answers: [txt('')] })),
  'text-split': strangely('The right text, split into single characters.', (question, truth) =>
    question.type === types.TXT && question.name.startsWith('_')
      ? { answers: [txt(...truth.token.split(''))] }
      : honest(question, truth),
  ),
}

/** Aliases from the queried name over `hops` names; the last leads to `last`. */
function chain(question: PacketQuestion, hops: number, last: string, zone: string): PacketReply {
  const name = (index: number): string => (index === 0 ? question.name : `hop${index}.${zone}`)
  return {
    answers: Array.from({ length: hops }, (_, n) => alias(n === hops - 1 ? last : name(n + 1), wireName(name(n)))),
  }
}

const hopOf = (name: string): number => Number(/^hop(\d+)\./.exec(name)?.[1] ?? 0)

const aliases: Record<string, HostileClass> = {
  'two-aliases': named('Two aliases for one name.', (_, { target }) => ({
    answers: [alias('elsewhere.test'), alias(target)],
  })),
  'alias-and-address': named('An alias and an address for one name.', () => ({
    answers: [address('192.0.2.1'), alias('elsewhere.test')],
  })),
  'alias-and-text': believable(
    named('The right alias, and a text next to it.', (question, truth, zone) =>
      question.type === types.TXT && question.name !== zone && !question.name.startsWith('_')
        ? { answers: [txt('v=spf1 -all')] }
        : honest(question, truth),
    ),
  ),
  'alias-at-apex': strangely('The zone itself is an alias, and its mail is lost.', (question, truth, zone) =>
    question.name === zone && question.type !== types.SOA && question.type !== types.NS
      ? { answers: [alias(truth.target)] }
      : honest(question, truth),
  ),
  'loop-1': says('An alias for itself.', ({ name }) => ({ answers: [alias(name)] })),
  'loop-2': says('Two aliases for each other.', ({ name }, _t, zone) => ({
    answers: [alias(`other.${zone}`), alias(name, wireName(`other.${zone}`))],
  })),
  'loop-n': says('A loop of seven aliases, one for each query.', ({ name }, _t, zone) => ({
    answers: [alias(`hop${(hopOf(name) % 7) + 1}.${zone}`)],
  })),
  'chain-9': strangely('Nine aliases to the right target.', (question, { target }, zone) =>
    chain(question, 9, target, zone),
  ),
  'chain-12': strangely('Twelve aliases to the right target.', (question, { target }, zone) =>
    chain(question, 12, target, zone),
  ),
  'chain-16': strangely('Sixteen aliases to the right target.', (question, { target }, zone) =>
    chain(question, 16, target, zone),
  ),
  'chain-20': strangely('Twenty aliases to the right target.', (question, { target }, zone) =>
    chain(question, 20, target, zone),
  ),
  'chain-endless': says('An endless chain: a new alias for every query.', ({ name }, _t, zone) => ({
    answers: [alias(`hop${hopOf(name) + 1}.${zone}`)],
  })),
  dname: says('The whole zone is an alias (DNAME).', (_q, { target }, zone) => ({
    answers: [record(wireName(zone), types.DNAME, wireName('elsewhere.test')), alias(`x.${target}`)],
  })),
  'dname-of-root': says('A DNAME for the root.', (_q, { target }) => ({
    answers: [record(Buffer.from([0]), types.DNAME, wireName('elsewhere.test')), alias(target)],
  })),
  'no-such-name-with-alias': says('NXDOMAIN with an alias to a name that does not exist.', (_q, _t, zone) => ({
    rcode: 3,
    answers: [alias(`nowhere.${zone}`)],
    authority: [soa(zone)],
  })),
  'alias-to-root': says('An alias to the root.', () => ({ answers: [record(asked, types.CNAME, Buffer.from([0]))] })),
}

const refusing = (about: string, rcode: number): HostileClass => says(about, () => ({ rcode }))

const codes: Record<string, HostileClass> = {
  'empty-without-soa': says('No records and no SOA, so no negative TTL.', () => ({})),
  'no-such-name-without-soa': says('NXDOMAIN without a SOA.', () => ({ rcode: 3 })),
  servfail: refusing('SERVFAIL.', 2),
  refused: refusing('REFUSED.', 5),
  formerr: refusing('FORMERR.', 1),
  notimp: refusing('NOTIMP.', 4),
  badvers: refusing('BADVERS.', 16),
  'rcode-15': refusing('An unassigned response code.', 15),
  'rcode-extended': refusing('An extended response code of 12 bits.', 3_841),
  'refused-with-answer': says('REFUSED with the answer.', (question, truth) => ({
    ...honest(question, truth),
    rcode: 5,
  })),
  'servfail-with-answer': says('SERVFAIL with the answer.', (question, truth) => ({
    ...honest(question, truth),
    rcode: 2,
  })),
  'negative-ttl-huge': says('NXDOMAIN with a negative TTL of 136 years.', (_q, _t, zone) => {
    const data = soaData(zone)
    data.writeUInt32BE(0xffffffff, data.length - 4)
    return { rcode: 3, authority: [record(wireName(zone), types.SOA, data, { ttl: 0xffffffff })] }
  }),
}

const edns: Record<string, HostileClass> = {
  'no-edns': strangely('Does not support EDNS.', (question, truth) => ({ ...honest(question, truth), edns: 'none' })),
  'edns-formerr': strangely('FORMERR for EDNS, the right answer without it.', (question, truth) =>
    question.hasEdns ? { rcode: 1, edns: 'none' } : honest(question, truth),
  ),
  'edns-dropped': strange('Drops queries with EDNS, and answers those without.', (question, truth) =>
    question.hasEdns ? { udp: [], tcp: 'hang' } : both(reply(question, honest(question, truth))),
  ),
  'edns-twice': says('Two OPT records.', (question, truth) => ({
    ...honest(question, truth),
    additional: [optRecord()],
  })),
  'edns-option-longer': says('An option that is longer than its record.', (question, truth) => ({
    ...honest(question, truth),
    edns: optRecord(option(15, Buffer.from([0, 9]), 4_000)),
  })),
  'edns-error-poison': says('An error text with markup and line ends.', () => ({
    rcode: 2,
    edns: optRecord(
      option(
        15,
        Buffer.concat([Buffer.from([0, 22]), Buffer.from('<script>alert(1)</script>\r\nfake log line\0\u202e')]),
      ),
    ),
  })),
  'edns-error-long': says('An error text of 1,000 characters.', () => ({
    rcode: 2,
    edns: optRecord(option(15, Buffer.concat([Buffer.from([0, 22]), Buffer.alloc(1_000, 'x')]))),
  })),
  'edns-error-short': says('An error of one byte.', () => ({
    rcode: 2,
    edns: optRecord(option(15, Buffer.from([1]))),
  })),
}

const living = (about: string, ttl: number): HostileClass =>
  strangely(about, (question, truth) =>
    question.name.startsWith('_') || question.name === zoneOfName(question.name)
      ? honest(question, truth)
      : { answers: [alias(truth.target, asked, { ttl })] },
  )

const times: Record<string, HostileClass> = {
  'ttl-0': living('A TTL of zero.', 0),
  'ttl-31-bits': living('A TTL of 68 years.', 0x7fffffff),
  'ttl-32-bits': living('A TTL that is negative, or 136 years.', 0xffffffff),
}

const poisons: Record<string, Buffer> = {
  nul: Buffer.from('a\0b'),
  'line-ends': Buffer.from('a\r\nSet-Cookie: x=1\r\n'),
  markup: Buffer.from('<img src=x onerror=alert(1)>'),
  'high-bytes': Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80]),
  'right-to-left': Buffer.from('\u202eelgoog\u2066'),
  quotes: Buffer.from(`"'\\";--$(id)\`id\``),
  escapes: Buffer.from('\u001b[2J\u001b]0;x\u0007'),
}

const poisonous: Record<string, HostileClass> = Object.fromEntries(
  Object.entries(poisons).flatMap(([name, bytes]) => [
    [`text-${name}`, says(`A text with ${name}.`, () => ({ answers: [txt(bytes)] }))],
    [
      `label-${name}`,
      says(`An alias to a name with ${name}.`, () => ({
        answers: [record(asked, types.CNAME, labels(bytes, 'test'))],
      })),
    ],
  ]),
)

const regions: Record<string, HostileClass> = {
  'dot-in-label': says('A target whose first label contains dots.', (_, { target }) => ({
    answers: [record(asked, types.CNAME, labels(target))],
  })),
  'answers-for-others': says('Answers only for other names.', (_q, { target, token }) => ({
    answers: [
      alias(target, wireName('other.test')),
      record(wireName('_petstore.other.test'), types.TXT, labels(token).subarray(0, -1)),
    ],
  })),
  'answer-in-authority': says('The answer in the wrong section.', (question, truth) => ({
    authority: honest(question, truth).answers ?? [],
  })),
  'answer-in-additional': says('The answer in the last section.', (question, truth) => ({
    additional: honest(question, truth).answers ?? [],
  })),
  'class-chaos': says('The answer in class CHAOS.', (_, { target }) => ({
    answers: [alias(target, asked, { klass: 3 })],
  })),
  'class-any': says('The answer in class 255.', (_, { target }) => ({
    answers: [alias(target, asked, { klass: 255 })],
  })),
  'case-folded': strangely('Repeats the question in lower case.', (question, truth) => ({
    ...honest(question, truth),
    question: Buffer.concat([wireName(question.name), question.section.subarray(-4)]),
  })),
  'not-authoritative': says('The answer without the authoritative flag.', (question, truth) => ({
    ...honest(question, truth),
    flags: flag.response,
  })),
  'any-other-type': says('An unknown record type.', () => ({ answers: [record(asked, 65_280, Buffer.from('abc'))] })),
  'caa-critical-unknown': says('A critical CAA record with an unknown tag.', () => ({
    answers: [record(asked, types.CAA, caaData(128, 'x'.repeat(200), '<b>'))],
  })),
}

const referral = (
  about: string,
  say: (question: PacketQuestion, zone: string) => Pick<PacketReply, 'authority' | 'additional'>,
): HostileClass => says(about, (question, _truth, zone) => ({ flags: flag.response, ...say(question, zone) }))

const glued = (about: string, type: number, data: Buffer): HostileClass =>
  referral(about, ({ name }) => ({
    authority: [ns(name, 'ns1.glue.test')],
    additional: [record(wireName('ns1.glue.test'), type, data)],
  }))

const ipv6 = (...bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(bytes), Buffer.alloc(16 - bytes.length)])
const mapped = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1])
const translated = Buffer.from([0, 100, 255, 155, 0, 0, 0, 0, 0, 0, 0, 0, 169, 254, 169, 254])

const referrals: Record<string, HostileClass> = {
  'referral-to-itself': referral('Refers to itself.', (_q, zone) => ({ authority: [ns(zone, `ns1.${zone}`)] })),
  'referral-upward': referral('Refers to the root.', () => ({ authority: [ns('', 'a.root-servers.test')] })),
  'referral-sideways': referral('Refers to a zone that was not queried.', () => ({
    authority: [ns('petstore.test', 'ns1.hostile.test')],
  })),
  'referral-endless': referral('Refers one label deeper each time.', ({ name }, zone) => ({
    authority: [ns(name, `ns1.deeper.${name}`.slice(0, 200)), ns(zone, `ns1.${zone}`)],
  })),
  'referral-loop': referral('Two zones whose nameservers are in each other.', (_q, zone) => ({
    authority: [ns(zone, `ns1.loop.${zone}`), ns(`loop.${zone}`, `ns1.${zone}`)],
  })),
  'nameserver-metadata': strangely('One more nameserver of its own, at 169.254.169.254.', (question, truth, zone) => {
    const other = `ns9.${zone}`
    if (question.name === other)
      return question.type === types.A ? { answers: [address('169.254.169.254')] } : { authority: [soa(zone)] }
    const isNameservers = question.name === zone && question.type === types.NS
    return isNameservers ? { answers: [ns(zone, `ns1.${zone}`), ns(zone, other)] } : honest(question, truth)
  }),
  'glue-loopback': glued('A nameserver at 127.0.0.1.', types.A, ipv4('127.0.0.1')),
  'glue-metadata': glued('A nameserver at 169.254.169.254.', types.A, ipv4('169.254.169.254')),
  'glue-private': glued('A nameserver at 10.0.0.1.', types.A, ipv4('10.0.0.1')),
  'glue-unspecified': glued('A nameserver at 0.0.0.0.', types.A, ipv4('0.0.0.0')),
  'glue-broadcast': glued('A nameserver at 255.255.255.255.', types.A, ipv4('255.255.255.255')),
  'glue-unique-local': glued('A nameserver at fd00::.', types.AAAA, ipv6(0xfd)),
  'glue-mapped': glued('A nameserver at ::ffff:127.0.0.1.', types.AAAA, mapped),
  'glue-translated': glued('A nameserver at 64:ff9b::a9fe:a9fe.', types.AAAA, translated),
}

export const contentClasses: Record<string, HostileClass> = {
  ...size,
  ...aliases,
  ...codes,
  ...edns,
  ...times,
  ...poisonous,
  ...regions,
  ...referrals,
}
