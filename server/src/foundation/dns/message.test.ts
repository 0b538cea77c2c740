import { encode, type Answer as Packet } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DnsAnswer } from './answer.ts'
import { decodeAnswer, encodeQuestion, isAskable, type DnsQuestion } from './message.ts'

const AUTHORITATIVE = 0x0400
const TRUNCATED = 0x0200

const questionOf = (changes: Partial<DnsQuestion> = {}): DnsQuestion => ({
  id: 4711,
  name: 'sHop.Willow.tEst',
  type: 'A',
  isRecursive: false,
  isUnchecked: false,
  wantsSignatures: false,
  ...changes,
})

type Reply = { answers?: Packet[]; authorities?: Packet[]; additionals?: Packet[]; flags?: number; id?: number }

function reply(
  question: DnsQuestion,
  { answers = [], authorities = [], additionals = [], flags, id }: Reply = {},
): Buffer {
  return encode({
    type: 'response',
    id: id ?? question.id,
    flags: flags ?? AUTHORITATIVE,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    answers,
    authorities,
    additionals,
  })
}

function answerTo(question: DnsQuestion, bytes: Uint8Array, overTcp = true): DnsAnswer {
  const decoded = decodeAnswer(bytes, question, overTcp)
  if (decoded === 'malformed') throw new Error('malformed')
  return decoded.answer
}

/** A hand-made message: header counts, then the bytes that follow the question. */
function raw(question: DnsQuestion, counts: [number, number, number], rest: readonly number[], flags = 0x8400): Buffer {
  const bytes = reply(question)
  bytes.writeUInt16BE(flags, 2)
  for (const [index, count] of counts.entries()) bytes.writeUInt16BE(count, 6 + 2 * index)
  return Buffer.concat([bytes, Buffer.from(rest)])
}

const HERE = [0xc0, 12]
const head = (type: number, length: number, ttl = [0, 0, 0, 60]) => [0, type, 0, 1, ...ttl, length >> 8, length & 255]

test('an answer that a resolver has validated is marked, if signatures were requested', () => {
  const [AUTHENTIC, RECURSION] = [0x0020, 0x0100]
  const validatedIn = (changes: Partial<DnsQuestion>, flags: number) => {
    const question = questionOf(changes)
    return answerTo(question, reply(question, { flags })).isValidated
  }
  const signed = { isRecursive: true, wantsSignatures: true }
  expect(validatedIn(signed, RECURSION | AUTHENTIC)).toBe(true)
  expect(validatedIn(signed, RECURSION)).toBeUndefined()
  expect(validatedIn({ isRecursive: true }, RECURSION | AUTHENTIC)).toBeUndefined()
})

describe('a query', () => {
  test("requests a nameserver's own answer, with room for 1232 bytes", () => {
    const bytes = encodeQuestion(questionOf())
    expect(Buffer.from(bytes.subarray(0, 12)).toString('hex')).toBe('126700000001000000000001')
    expect(Buffer.from(bytes.subarray(-11)).toString('hex')).toBe('00002904d0000000000000')
  })

  test('requests recursion, no validation, and signatures from a resolver', () => {
    const bytes = encodeQuestion(questionOf({ isRecursive: true, isUnchecked: true, wantsSignatures: true }))
    expect(Buffer.from(bytes.subarray(2, 4)).toString('hex')).toBe('0110')
    expect(Buffer.from(bytes.subarray(-4)).toString('hex')).toBe('80000000')
  })

  test.each(['shop.willow.test', '_petstore.a.test', '', 'test', `${'a'.repeat(63)}.test`])(
    'may contain the name %s',
    (name) => {
      expect(isAskable(name)).toBe(true)
    },
  )

  test.each([
    'a\\000b.test',
    'a..test',
    'a.test.',
    '.',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(127)}b`,
    'a b',
    'ä.test',
  ])('may not contain the name %s', (name) => {
    expect(isAskable(name)).toBe(false)
  })
})

describe('an answer', () => {
  test('of every known type is decoded as it was written', () => {
    const question = questionOf({ type: 'TXT' })
    const name = 'Shop.willow.test'
    const answers: Packet[] = [
      { type: 'A', name, ttl: 60, data: '192.0.2.1' },
      { type: 'AAAA', name, ttl: 60, data: '2001:db8::1' },
      { type: 'CNAME', name, ttl: 60, data: 'Happy-Paws.petstore.test' },
      { type: 'NS', name, ttl: 60, data: 'ns1.willow.test' },
      { type: 'DNAME', name, ttl: 60, data: 'other.test' },
      { type: 'MX', name, ttl: 60, data: { preference: 10, exchange: 'mail.willow.test' } },
      { type: 'TXT', name, ttl: 60, data: ['petstore-', 'verify=1'] },
      { type: 'CAA', name, ttl: 60, data: { flags: 128, tag: 'issue', value: 'ca.test; a=b' } },
      {
        type: 'DS',
        name,
        ttl: 60,
        data: { keyTag: 7, algorithm: 13, digestType: 2, digest: Buffer.from('abcd', 'hex') },
      },
      { type: 'SRV', name, ttl: 60, data: { port: 1, target: 'x.test' } },
      { type: 'SOA', name, ttl: 2 ** 31, data: { mname: 'ns1.test', rname: 'me.test', serial: 9, minimum: 300 } },
    ]
    const base = { name: 'shop.willow.test', ttl: 60 }
    expect(answerTo(question, reply(question, { answers })).records).toEqual([
      { ...base, type: 'A', address: '192.0.2.1' },
      { ...base, type: 'AAAA', address: '2001:db8::1' },
      { ...base, type: 'CNAME', target: 'happy-paws.petstore.test' },
      { ...base, type: 'NS', target: 'ns1.willow.test' },
      { ...base, type: 'DNAME', target: 'other.test' },
      { ...base, type: 'MX', target: 'mail.willow.test' },
      { ...base, type: 'TXT', text: 'petstore-verify=1', strings: ['petstore-', 'verify=1'] },
      { ...base, type: 'CAA', isCritical: true, flags: 128, tag: 'issue', value: 'ca.test; a=b' },
      { ...base, type: 'DS', keyTag: 7, algorithm: 13, digestType: 2, digest: 'abcd' },
      { ...base, type: 'OTHER', of: 'TYPE33' },
      { ...base, ttl: 0, type: 'SOA', primary: 'ns1.test', serial: 9, minimum: 300 },
    ])
  })

  test('contains key tag and digest of a key as RFC 4509 computes them', () => {
    const key =
      'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw=='
    const question = questionOf({ name: 'dskey.example.com', type: 'DNSKEY' })
    const answers: Packet[] = [
      {
        type: 'DNSKEY',
        name: 'DSKEY.example.com',
        ttl: 86_400,
        data: { flags: 256, algorithm: 5, key: Buffer.from(key, 'base64') },
      },
    ]
    expect(answerTo(question, reply(question, { answers })).records).toMatchObject([
      {
        keyTag: 60_485,
        flags: 256,
        algorithm: 5,
        sha256: 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      },
    ])
  })

  test('contains the expiry of a signature', () => {
    const question = questionOf()
    const data = {
      typeCovered: 'A',
      algorithm: 13,
      labels: 3,
      originalTTL: 60,
      expiration: 1_800_000_000,
      inception: 1,
      keyTag: 9,
      signersName: 'willow.test',
      signature: Buffer.alloc(64),
    }
    const answers: Packet[] = [{ type: 'RRSIG', name: 'shop.willow.test', ttl: 60, data }]
    expect(answerTo(question, reply(question, { answers })).records).toMatchObject([
      { type: 'RRSIG', covers: 'A', keyTag: 9, signer: 'willow.test', expiresAt: 1_800_000_000_000 },
    ])
  })

  test("keeps its sections, its error and the server's explanation apart", () => {
    const question = questionOf()
    const opt = [0, 0, 41, 4, 208, 1, 0, 0, 0, 0, 12, 0, 15, 0, 8, 0, 6, ...Buffer.from('bad\nsg')]
    const bytes = raw(question, [0, 0, 1], opt, 0x8002)
    expect(answerTo(question, bytes)).toMatchObject({
      rcode: 'RCODE18',
      isAuthoritative: false,
      errors: [{ code: 6, text: 'bad\\010sg' }],
      additional: [],
    })
  })

  test.each([
    [0, 'NOERROR'],
    [1, 'FORMERR'],
    [2, 'SERVFAIL'],
    [3, 'NXDOMAIN'],
    [4, 'NOTIMP'],
    [5, 'REFUSED'],
    [11, 'RCODE11'],
  ])('with code %i has the rcode %s', (code, rcode) => {
    expect(answerTo(questionOf(), reply(questionOf(), { flags: code })).rcode).toBe(rcode)
  })

  test('with high bits of the code in EDNS has the rcode BADVERS', () => {
    const bytes = raw(questionOf(), [0, 0, 1], [0, 0, 41, 4, 208, 1, 0, 0, 0, 0, 0])
    expect(answerTo(questionOf(), bytes).rcode).toBe('BADVERS')
  })

  test('with changed letter case is accepted and marked', () => {
    const bytes = reply(questionOf({ name: 'shop.willow.test' }))
    expect(answerTo(questionOf(), bytes).isCaseKept).toBe(false)
    expect(answerTo(questionOf(), reply(questionOf())).isCaseKept).toBeUndefined()
  })

  test('that is truncated has to be requested again over TCP, whatever is left of it', () => {
    const bytes = raw(questionOf(), [9, 0, 0], [1, 2, 3], 0x8400 | TRUNCATED)
    expect(decodeAnswer(bytes, questionOf(), false)).toMatchObject({ isTruncated: true })
    expect(decodeAnswer(bytes, questionOf(), true)).toBe('malformed')
  })

  test('without the question counts only if the server could not answer', () => {
    const bytes = Buffer.from([18, 103, 0x80, 5, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(answerTo(questionOf(), bytes).rcode).toBe('REFUSED')
    bytes[3] = 0
    expect(decodeAnswer(bytes, questionOf(), false)).toBe('malformed')
  })
})

describe('a message that does not answer the query is malformed:', () => {
  const label = (text: string) => [text.length, ...Buffer.from(text)]
  test.each<[string, Buffer]>([
    ['another id', reply(questionOf(), { id: 1 })],
    ['another name', reply(questionOf({ name: 'shop.other.test' }))],
    ['another type', reply(questionOf({ type: 'AAAA' }))],
    ['a question instead', raw(questionOf(), [0, 0, 0], [], 0x0400)],
    ['another opcode', raw(questionOf(), [0, 0, 0], [], 0xa400)],
    ['nothing', Buffer.alloc(0)],
    ['half a header', Buffer.alloc(11)],
    ['more records than bytes', raw(questionOf(), [1, 0, 0], [])],
    ['a name that points to itself', raw(questionOf(), [1, 0, 0], [0xc0, 34, ...head(1, 4), 1, 2, 3, 4])],
    ['a name that points forward', raw(questionOf(), [1, 0, 0], [0xc0, 60, ...head(1, 4), 1, 2, 3, 4])],
    ['a label of an unknown kind', raw(questionOf(), [1, 0, 0], [0x40, ...head(1, 4), 1, 2, 3, 4])],
    ['an address of three bytes', raw(questionOf(), [1, 0, 0], [...HERE, ...head(1, 3), 1, 2, 3])],
    ['an address of five bytes', raw(questionOf(), [1, 0, 0], [...HERE, ...head(1, 5), 1, 2, 3, 4, 5])],
    ['a name longer than its record', raw(questionOf(), [1, 0, 0], [...HERE, ...head(5, 3), ...label('abc'), 0])],
    ['a name shorter than its record', raw(questionOf(), [1, 0, 0], [...HERE, ...head(5, 4), 1, 97, 0, 0])],
    ['a text longer than its record', raw(questionOf(), [1, 0, 0], [...HERE, ...head(16, 2), 9, 97])],
    ['a key of four bytes', raw(questionOf(), [1, 0, 0], [...HERE, ...head(48, 4), 1, 1, 3, 13])],
    ['more than 64 KiB', Buffer.concat([reply(questionOf()), Buffer.alloc(65_536)])],
  ])('%s', (_, bytes) => {
    expect(decodeAnswer(bytes, questionOf(), true)).toBe('malformed')
  })

  test('labels that only look like ours', () => {
    const question = questionOf({ name: 'a.b' })
    const bytes = Buffer.from([18, 103, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 97, 46, 98, 0, 0, 1, 0, 1])
    expect(decodeAnswer(bytes, question, false)).toBe('malformed')
    expect(decodeAnswer(reply(question), question, false)).not.toBe('malformed')
  })
})

describe('hostile data in an answer', () => {
  test('is escaped, and different bytes never give the same text', () => {
    const target = [7, 97, 46, 0, 10, 60, 92, 255, 0]
    const question = questionOf()
    const cname = raw(question, [1, 0, 0], [...HERE, ...head(5, target.length), ...target])
    expect(answerTo(question, cname).records).toMatchObject([{ target: 'a\\046\\000\\010\\060\\092\\255' }])
    const text = [4, 13, 10, 92, 34]
    const txt = raw(question, [1, 0, 0], [...HERE, ...head(16, text.length), ...text])
    expect(answerTo(question, txt).records).toMatchObject([{ text: '\\013\\010\\092"' }])
  })

  test('of another class is left out', () => {
    const bytes = raw(questionOf(), [1, 0, 0], [...HERE, 0, 1, 0, 3, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4])
    expect(answerTo(questionOf(), bytes)).toMatchObject({ records: [], isCut: false })
  })

  test('in large amounts is truncated to a hundred records per section, and few characters', () => {
    const one = [...HERE, ...head(1, 4), 1, 2, 3, 4]
    const many = raw(questionOf(), [4000, 0, 0], Array.from({ length: 4000 }, () => one).flat())
    expect(answerTo(questionOf(), many)).toMatchObject({ isCut: true })
    expect(answerTo(questionOf(), many).records).toHaveLength(100)

    const text = Array.from({ length: 255 }, () => [255, ...Buffer.alloc(255)]).flat()
    const long = raw(questionOf(), [1, 0, 0], [...HERE, ...head(16, text.length), ...text])
    const [record] = answerTo(questionOf(), long).records
    expect(record?.type === 'TXT' && record.text).toHaveLength(255)
  })

  test('never throws, and is decoded in less than 50 ms, whatever the bytes', () => {
    const question = questionOf({ type: 'TXT' })
    const honest = reply(question, {
      answers: [
        { type: 'TXT', name: 'shop.willow.test', ttl: 60, data: ['token'] },
        { type: 'CAA', name: 'shop.willow.test', ttl: 60, data: { tag: 'issue', value: 'ca.test' } },
        {
          type: 'SOA',
          name: 'willow.test',
          ttl: 60,
          data: { mname: 'ns1.test', rname: 'me.test', serial: 9, minimum: 300 },
        },
      ],
    })
    const change = fc.tuple(fc.nat(honest.length - 1), fc.nat(255))
    const plain = /^[ -~]*$/
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat(honest.length), (changes, end) => {
        const bytes = Buffer.from(honest)
        for (const [at, byte] of changes) bytes[at] = byte
        const decoded = decodeAnswer(bytes.subarray(0, end || bytes.length), question, true)
        expect(JSON.stringify(decoded)).toMatch(plain)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(Object.entries(worstCases()))('is decoded in less than 50 ms: %s', (_, bytes) => {
    decodeAnswer(bytes, questionOf(), true)
    const before = process.threadCpuUsage()
    decodeAnswer(bytes, questionOf(), true)
    expect(process.threadCpuUsage(before).user).toBeLessThan(50_000)
  })
})

/** The most work that 64 KiB can cause. */
function worstCases(): Record<string, Buffer> {
  const fill = (one: readonly number[]) => Array.from({ length: Math.floor(65_000 / one.length) }, () => one).flat()
  const counts = (one: readonly number[]): [number, number, number] => [Math.floor(65_000 / one.length), 0, 0]
  const small = [0, ...head(1, 4), 1, 2, 3, 4]
  const longName = [...Array.from({ length: 127 }, () => [1, 0]).flat(), 0, ...head(99, 0)]
  const names = [...HERE, ...head(5, 255), ...Array.from({ length: 127 }, () => [1, 0]).flat(), 0]
  const key = [...HERE, ...head(48, 600), ...Buffer.alloc(600)]
  // Every pointer leads to the one before it: 8,000 steps for each name, if they are followed.
  const chain = Array.from({ length: 8000 }, (_, index) => [
    0xc0 + ((32 + 2 * index) >> 8),
    (32 + 2 * index) & 255,
  ]).flat()
  const chains = [...HERE, ...head(99, chain.length), ...chain]
  const down = [...head(1, 4), 1, 2, 3, 4]
  const ends = Array.from({ length: 2000 }, () => [0xfe, 0x80, ...down]).flat()
  return {
    'many small records': raw(questionOf(), counts(small), fill(small)),
    'many long names': raw(questionOf(), counts(longName), fill(longName)),
    'many long names in data': raw(questionOf(), counts(names), fill(names)),
    'many keys': raw(questionOf(), counts(key), fill(key)),
    'a chain of pointers': raw(questionOf(), [2001, 0, 0], [...chains, ...ends]),
    'one text of 64 KiB': raw(
      questionOf(),
      [1, 0, 0],
      [...HERE, ...head(16, 64_000), ...fill([249, ...Buffer.alloc(249)]).slice(0, 64_000)],
    ),
  }
}
