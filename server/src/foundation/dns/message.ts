// `encodeQuestion` and `decodeAnswer` convert between DNS messages and data. Encoding uses
// dns-packet. Decoding is our own: dns-packet loses the exact bytes of a label (a dot in a label, a
// byte that is not UTF-8) and follows pointers without limit, and the messages come from servers
// that may be hostile. Guarantees:
// - a message that does not answer exactly this query is malformed, never an exception;
// - work and memory are bounded by the size of the message, and the result by far less than that.

import { CHECKING_DISABLED, DNSSEC_OK, RECURSION_DESIRED, encode } from 'dns-packet'
import type { DnsAnswer, DnsRecord, ExtendedError, QuestionType } from './answer.ts'
import { OPT, readHead, readRecord, skipRecord, typeNumbers, type RecordHead } from './records.ts'
import {
  Malformed,
  bytesLeft,
  cursorAt,
  plainBytes,
  readBytes,
  readLabels,
  readPart,
  readShort,
  type Cursor,
} from './wire-reader.ts'

export type DnsQuestion = {
  id: number
  /** As sent, with letters in mixed case. */
  name: string
  type: QuestionType
  /** Requests recursion from a resolver, rather than a nameserver's own answer. */
  isRecursive: boolean
  /** Requests that a resolver does not validate. */
  isUnchecked: boolean
  wantsSignatures: boolean
  /** Without EDNS. */
  isPlain?: boolean
}

export const MESSAGE_BYTES_MAX = 65_535
/** The largest UDP payload that passes every network unfragmented. */
const UDP_BYTES = 1232
const RECORDS_MAX = 100
/** Characters of names and texts that are kept of one message. */
const LETTERS_MAX = 16_384
const ERRORS_MAX = 5
const ERROR_TEXT_MAX = 200
const AUTHENTIC_DATA = 0x0020

/** True for names that can be queried: a name with escapes was read from another server's answer, and cannot. */
export const isAskable = (name: string): boolean =>
  name.length <= 253 && /^(?:[!#%*+,/0-9:=?A-Z[\]^_a-z{|}~-]{1,63}(?:\.(?!$)|$))*$/.test(name)

export function encodeQuestion({
  id,
  name,
  type,
  isRecursive,
  isUnchecked,
  wantsSignatures,
  isPlain = false,
}: DnsQuestion): Uint8Array {
  const additionals = isPlain ? [] : [edns(wantsSignatures)]
  return encode({
    type: 'query',
    id,
    flags: (isRecursive ? RECURSION_DESIRED : 0) | (isUnchecked ? CHECKING_DISABLED : 0),
    questions: [{ name: name === '' ? '.' : name, type, class: 'IN' }],
    additionals,
  })
}

const edns = (wantsSignatures: boolean) => ({
  type: 'OPT' as const,
  name: '.',
  udpPayloadSize: UDP_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: wantsSignatures ? DNSSEC_OK : 0,
  flag_do: wantsSignatures,
  options: [],
})

/** `isTruncated`: the whole answer must be requested over TCP. */
export type Decoded = { answer: DnsAnswer; isTruncated: boolean }

export function decodeAnswer(bytes: Uint8Array, question: DnsQuestion, overTcp: boolean): Decoded | 'malformed' {
  if (bytes.length > MESSAGE_BYTES_MAX) return 'malformed'
  try {
    return decode(cursorAt(bytes), question, overTcp)
  } catch (error) {
    if (error instanceof Malformed) return 'malformed'
    throw error
  }
}

function decode(cursor: Cursor, question: DnsQuestion, overTcp: boolean): Decoded {
  const id = readShort(cursor)
  const flags = readShort(cursor)
  const [questions, answers, authorities, additionals] = [
    readShort(cursor),
    readShort(cursor),
    readShort(cursor),
    readShort(cursor),
  ]
  const opcode = (flags >> 11) & 15
  if (id !== question.id || (flags & 0x8000) === 0 || opcode !== 0) throw new Malformed('not an answer to this')
  const isCaseKept = readQuestion(cursor, questions, question, flags & 15)

  const isTruncated = (flags & 0x0200) !== 0 && !overTcp
  const bare: DnsAnswer = {
    kind: 'answer',
    rcode: rcodeText(flags & 15),
    isAuthoritative: (flags & 0x0400) !== 0,
    records: [],
    authority: [],
    additional: [],
    errors: [],
    overTcp,
    isCut: (flags & 0x0200) !== 0,
    ...(isCaseKept ? {} : { isCaseKept }),
    ...((flags & AUTHENTIC_DATA) !== 0 && question.isRecursive && question.wantsSignatures && { isValidated: true }),
  }
  // The rest of a truncated answer may end anywhere.
  if (isTruncated) return { answer: bare, isTruncated }

  const keeping = { letters: LETTERS_MAX, isCut: false }
  const records = readSection(cursor, answers, keeping).records
  const authority = readSection(cursor, authorities, keeping).records
  const last = readSection(cursor, additionals, keeping)
  const opt = last.opt && optionsOf(last.opt)
  return {
    isTruncated,
    answer: {
      ...bare,
      rcode: rcodeText((flags & 15) + 16 * (opt?.highRcode ?? 0)),
      records,
      authority,
      additional: last.records,
      errors: opt?.errors ?? [],
      isCut: bare.isCut || keeping.isCut,
    },
  }
}

/** True if the letters came back as they were sent. A server that cannot answer may omit the question. */
function readQuestion(cursor: Cursor, count: number, { name, type }: DnsQuestion, rcode: number): boolean {
  if (count === 0 && [1, 2, 4, 5].includes(rcode)) return true
  if (count !== 1) throw new Malformed('number of questions')
  const labels = readLabels(cursor).map((label) => Buffer.from(label).toString('latin1'))
  const [askedType, klass] = [readShort(cursor), readShort(cursor)]
  const came = labels.join('.')
  // A dot inside a label would make other labels look like ours.
  const isSame = came.toLowerCase() === name.toLowerCase() && !labels.some((label) => label.includes('.'))
  if (!isSame || askedType !== typeNumbers[type] || klass !== 1) throw new Malformed('another question')
  return came === name
}

type Keeping = { letters: number; isCut: boolean }

function readSection(cursor: Cursor, count: number, keeping: Keeping) {
  const records: DnsRecord[] = []
  let opt: RecordHead | null = null
  for (let index = 0; index < count; index += 1) {
    if (records.length >= RECORDS_MAX || keeping.letters <= 0) {
      skipRecord(cursor)
      keeping.isCut = true
      continue
    }
    const head = readHead(cursor)
    if (head.type === OPT) {
      // RFC 6891: there is at most one, and it contains the upper half of the error code.
      if (opt) throw new Malformed('two OPT records')
      opt = head
      continue
    }
    const record = readRecord(head)
    if (record === null) continue
    keeping.letters -= lettersOf(record)
    records.push(record)
  }
  return { records, opt }
}

const lettersOf = (record: DnsRecord): number =>
  Object.values(record).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 4), 0)

function optionsOf({ ttl, data }: RecordHead): { highRcode: number; errors: ExtendedError[] } {
  const errors: ExtendedError[] = []
  while (bytesLeft(data) > 0) {
    const code = readShort(data)
    const option = readPart(data, readShort(data))
    // RFC 8914.
    if (code !== 15 || errors.length >= ERRORS_MAX) continue
    const error = readShort(option)
    errors.push({ code: error, text: plainBytes(readBytes(option, bytesLeft(option))).slice(0, ERROR_TEXT_MAX) })
  }
  return { highRcode: Math.floor(ttl / 2 ** 24), errors }
}

const rcodes: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  16: 'BADVERS',
}
const rcodeText = (number: number): string => rcodes[number] ?? `RCODE${number}`
