// Hostile answers, first part: malformed messages. Each contains the true answer where it can,
// so that a careless parser would verify a domain.

import {
  both,
  framed,
  honest,
  hostileClass,
  overTcp,
  strange,
  truncated,
  type HostileClass,
  type Truth,
} from './hostile-class.ts'
import {
  asked,
  flag,
  ipv4,
  labels,
  record,
  reply,
  strings,
  types,
  wireName,
  type PacketQuestion,
  type PacketReply,
} from './packets.ts'

const lie = (about: string, change: (question: PacketQuestion, truth: Truth) => PacketReply): HostileClass =>
  hostileClass(about, (question, truth) =>
    both(reply(question, { ...honest(question, truth), ...change(question, truth) })),
  )

const bent = (about: string, bend: (bytes: Buffer, question: PacketQuestion) => Buffer): HostileClass =>
  hostileClass(about, (question, truth) => both(bend(reply(question, honest(question, truth)), question)))

/** One answer whose owner name is these bytes. */
const owner = (about: string, bytes: (question: PacketQuestion) => Buffer): HostileClass =>
  lie(about, (question, truth) => ({ answers: [record(bytes(question), types.CNAME, wireName(truth.target))] }))

const pointer = (to: number): Buffer => Buffer.from([0xc0 | (to >> 8), to & 255])
/** The offset of the first answer. */
const answersAt = (question: PacketQuestion): number => 12 + question.section.length

const section = (name: string, type: number, klass = 1): Buffer => {
  const end = Buffer.alloc(4)
  end.writeUInt16BE(type, 0)
  end.writeUInt16BE(klass, 2)
  return Buffer.concat([wireName(name), end])
}

const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 197 + 31) % 256))

const muchNoise = noise(16_384)

/** A thousand pointers, each to the one before; the last is the owner of the answer. */
function pointerChain(question: PacketQuestion): Buffer {
  const from = answersAt(question) + 11
  const chain = Array.from({ length: 1_000 }, (_, index) => pointer(index === 0 ? 12 : from + (index - 1) * 2))
  const carrier = record(Buffer.from([0]), types.TXT, Buffer.concat(chain))
  return Buffer.concat([carrier, record(pointer(from + 999 * 2), types.A, ipv4('127.0.80.1'))])
}

const message: Record<string, HostileClass> = {
  'wrong-id': lie('The id of another query.', ({ id }) => ({ id: id ^ 1 })),
  'wrong-question-name': lie('Repeats a question for another name.', ({ type }) => ({
    question: section('other.hostile.test', type),
  })),
  'wrong-question-type': lie('Repeats a question for another type.', ({ name, type }) => ({
    question: section(name, type === 1 ? 28 : 1),
  })),
  'wrong-question-class': lie('Repeats a question in class CHAOS.', ({ name, type }) => ({
    question: section(name, type, 3),
  })),
  'no-question': lie('Repeats no question at all.', () => ({ question: Buffer.alloc(0), counts: { questions: 0 } })),
  'two-questions': lie('Repeats the question twice.', (question) => ({
    question: Buffer.concat([question.section, question.section]),
    counts: { questions: 2 },
  })),
  'query-bit': lie('Claims to be a query.', () => ({ flags: flag.authoritative })),
  'wrong-opcode': lie('Claims to be an update.', () => ({ flags: flag.response | flag.authoritative | (5 << 11) })),
  echo: hostileClass('Sends the question back as it came.', (question) => both(question.message)),
  garbage: hostileClass('Sends noise.', () => both(noise(200))),
  'garbage-with-id': hostileClass('Sends noise under the right id.', ({ message: sent }) =>
    both(Buffer.concat([sent.subarray(0, 2), noise(200)])),
  ),
  'empty-datagram': hostileClass('Sends a datagram with nothing in it.', () => both(Buffer.alloc(0))),
  'one-byte': hostileClass('Sends one byte.', () => both(Buffer.from([0]))),
  'header-cut': bent('Ends in the middle of the header.', (bytes) => bytes.subarray(0, 11)),
  'header-only': bent('Ends after the header.', (bytes) => bytes.subarray(0, 12)),
  'cut-in-answer': bent('Ends in the middle of the answer.', (bytes, question) =>
    bytes.subarray(0, answersAt(question) + 7),
  ),
  // The announced content is complete and true, and resolvers accept it too: there are only extra bytes after it.
  'trailing-bytes': strange('Has trailing bytes.', (question, truth) =>
    both(Buffer.concat([reply(question, honest(question, truth)), noise(300)])),
  ),
}

const names: Record<string, HostileClass> = {
  'compression-self': owner('A name that points to itself.', (question) => pointer(answersAt(question))),
  'compression-forward': owner('A name that points forward.', (question) => pointer(answersAt(question) + 20)),
  'compression-beyond-end': owner('A name that points beyond the end.', () => pointer(16_000)),
  'compression-into-header': owner('A name that points into the header.', () => pointer(0)),
  'compression-two-loop': lie('Two names that point to each other.', (question) => {
    const at = answersAt(question)
    const first = record(pointer(at + 16), types.A, ipv4('127.0.80.1'))
    return { answers: [first, record(pointer(at), types.A, ipv4('127.0.80.1'))] }
  }),
  'compression-chain': lie('A thousand pointers in a row.', (question) => ({
    answers: [pointerChain(question)],
    counts: { answers: 2 },
  })),
  'label-type-64': owner('A label of an unassigned type.', () => Buffer.from([0x41, 1, 0])),
  'label-type-128': owner('A label of a reserved type.', () => Buffer.from([0x81, 1, 0])),
  'label-runs-out': lie('A label that is longer than the message.', () => ({
    answers: [Buffer.from([63, 97, 98])],
    counts: { answers: 1 },
    edns: 'none',
  })),
  'name-too-long': owner('A name of 1,000 characters.', () =>
    labels(...Array.from({ length: 20 }, () => 'a'.repeat(50))),
  ),
  'label-63': owner('Labels of 63 characters, a name of 255.', () =>
    labels('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)),
  ),
  'target-compression-self': lie('An alias whose target points to itself.', (question) => ({
    answers: [record(asked, types.CNAME, pointer(answersAt(question) + 12))],
  })),
}

const lengths: Record<string, HostileClass> = {
  'data-longer': lie('Claims that an address has 64 KiB.', () => ({
    answers: [record(asked, types.A, ipv4('127.0.80.1'), { length: 65_535 })],
  })),
  'data-shorter': lie('Claims that an address has 2 bytes.', () => ({
    answers: [record(asked, types.A, ipv4('127.0.80.1'), { length: 2 })],
  })),
  'address-empty': lie('An empty address.', () => ({
    answers: [record(asked, types.A, Buffer.alloc(0))],
  })),
  'address-five-bytes': lie('An IPv4 address of 5 bytes.', () => ({
    answers: [record(asked, types.A, Buffer.from([127, 0, 80, 1, 1]))],
  })),
  'address6-four-bytes': lie('An IPv6 address of 4 bytes.', () => ({
    answers: [record(asked, types.AAAA, ipv4('127.0.80.1'))],
  })),
  'alias-data-shorter': lie('An alias whose length ends inside its target.', (_, { target }) => ({
    answers: [record(asked, types.CNAME, wireName(target), { length: 3 })],
  })),
  'text-string-runs-out': lie('A text that is longer than its record.', () => ({
    answers: [record(asked, types.TXT, Buffer.from([200, 97, 98]))],
  })),
  'text-no-strings': lie('A text record without any text.', () => ({
    answers: [record(asked, types.TXT, Buffer.alloc(0))],
  })),
  'caa-tag-runs-out': lie('A CAA record whose tag is longer than the record.', () => ({
    answers: [record(asked, types.CAA, Buffer.from([0, 200, 105]))],
  })),
  'soa-cut': lie('A SOA record that ends too early.', ({ name }) => ({
    answers: [],
    authority: [record(asked, types.SOA, wireName(name))],
  })),
  'count-higher': lie('Claims that there are 3 answers where there is one.', () => ({ counts: { answers: 3 } })),
  'count-lower': lie('Claims that there is no answer, and sends one.', () => ({ counts: { answers: 0 } })),
  'count-65535': lie('Claims that there are 65,535 records in each section.', () => ({
    counts: { questions: 65_535, answers: 65_535, authority: 65_535, additional: 65_535 },
  })),
}

const bytesOf = (question: PacketQuestion, truth: Truth): Buffer => reply(question, honest(question, truth))
const piece = (bytes: Buffer): { pieces: readonly { bytes: Buffer }[] } => ({ pieces: [{ bytes }] })

const tcp: Record<string, HostileClass> = {
  'tcp-refused': hostileClass({ about: 'Truncated, and TCP is refused.', role: 'hostile_udp_only' }, (question) =>
    truncated(question, 'close'),
  ),
  'tcp-hangs': hostileClass('Truncated, and TCP never answers.', (question) => truncated(question, 'hang')),
  'tcp-closes': hostileClass('Truncated, and TCP closes at once.', (question) => truncated(question, 'close')),
  'tcp-resets': hostileClass('Truncated, and TCP is reset.', (question) => truncated(question, 'reset')),
  'tcp-drips': hostileClass('Truncated, and TCP sends a byte every 100 ms.', (question, truth) =>
    truncated(question, {
      pieces: [...framed(bytesOf(question, truth))].map((byte) => ({ bytes: Buffer.from([byte]), afterMs: 100 })),
    }),
  ),
  'tcp-truncated-too': hostileClass('Truncated over TCP as well.', (question) =>
    truncated(question, piece(framed(reply(question, { flags: flag.response | flag.authoritative | flag.truncated })))),
  ),
  'tcp-only': strange('Truncated, and TCP has the right answer.', (question, truth) =>
    overTcp(question, bytesOf(question, truth)),
  ),
  'tcp-in-pieces': strange('Truncated, and TCP has the right answer in many small pieces.', (question, truth) =>
    truncated(question, {
      pieces: [...framed(bytesOf(question, truth))].map((byte) => ({ bytes: Buffer.from([byte]), afterMs: 1 })),
    }),
  ),
  'tcp-length-longer': hostileClass('TCP promises more than it sends, and waits.', (question, truth) =>
    truncated(question, { ...piece(framed(bytesOf(question, truth), 60_000)), thenHang: true }),
  ),
  'tcp-length-shorter': hostileClass('TCP promises less than it sends.', (question, truth) =>
    truncated(question, piece(framed(bytesOf(question, truth), 20))),
  ),
  'tcp-length-zero': hostileClass('TCP promises nothing, and sends something.', (question, truth) =>
    truncated(question, piece(framed(bytesOf(question, truth), 0))),
  ),
  'tcp-half-a-length': hostileClass('TCP sends one byte of the length, and waits.', (question) =>
    truncated(question, { ...piece(Buffer.from([0])), thenHang: true }),
  ),
  'tcp-wrong-id': hostileClass('TCP answers under another id.', (question, truth) =>
    truncated(question, piece(framed(reply(question, { ...honest(question, truth), id: question.id ^ 1 })))),
  ),
  'tcp-garbage': hostileClass('TCP sends noise.', (question) => truncated(question, piece(framed(noise(500))))),
  'tcp-endless': hostileClass('TCP never stops sending.', (question) =>
    truncated(question, { pieces: Array.from({ length: 400 }, () => ({ bytes: muchNoise, afterMs: 5 })) }),
  ),
}

const time: Record<string, HostileClass> = {
  'no-answer': hostileClass('Never answers.', () => ({ udp: [], tcp: 'hang' })),
  late: hostileClass('Answers truly, but after 6 seconds.', (question, truth) => ({
    udp: [{ bytes: bytesOf(question, truth), afterMs: 6_000 }],
    tcp: 'hang',
  })),
  slow: strange('Answers correctly after 300 ms.', (question, truth) => ({
    udp: [{ bytes: bytesOf(question, truth), afterMs: 300 }],
    tcp: piece(framed(bytesOf(question, truth))),
  })),
  'other-port': hostileClass('Answers from another port.', (question, truth) => ({
    udp: [{ bytes: bytesOf(question, truth), fromElsewhere: true }],
    tcp: 'hang',
  })),
  'lie-then-truth': strange('A forged answer under a wrong id, then the right one.', (question, truth) => {
    const forged = reply(question, { id: question.id ^ 1, answers: [record(asked, types.TXT, strings('forged'))] })
    return {
      udp: [{ bytes: forged }, { bytes: bytesOf(question, truth), afterMs: 30 }],
      tcp: piece(framed(bytesOf(question, truth))),
    }
  }),
  twice: strange('The right answer, twice.', (question, truth) => ({
    udp: [{ bytes: bytesOf(question, truth) }, { bytes: bytesOf(question, truth) }],
    tcp: piece(framed(bytesOf(question, truth))),
  })),
  flood: hostileClass('Hundreds of datagrams under wrong ids.', (question, truth) => ({
    udp: underOtherIds(bytesOf(question, truth), 300),
    tcp: 'hang',
  })),
}

function underOtherIds(bytes: Buffer, count: number): { bytes: Buffer }[] {
  const id = bytes.readUInt16BE(0)
  return Array.from({ length: count }, (_, index) => {
    const other = Buffer.from(bytes)
    other.writeUInt16BE((id + index + 1) & 65_535, 0)
    return { bytes: other }
  })
}

export const wireClasses: Record<string, HostileClass> = { ...message, ...names, ...lengths, ...tcp, ...time }
