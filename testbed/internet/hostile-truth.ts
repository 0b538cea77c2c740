// Decides whether a message of the hostile responder was true after all: a mutation may correct
// a lie. It is parsed by another parser than the product's (dns-packet), and strictly: an
// authoritative answer without error, to exactly the query that was sent, over the same
// transport, with the one record that proves something.
//
// A domain that was verified without any such message was verified falsely.

import { decode } from 'dns-packet'
import type { Truth } from './hostile-class.ts'
import { types, type PacketQuestion } from './packets.ts'

/** The proof in the message for the queried name; null if there is none. */
export function provenBy(bytes: Buffer, question: PacketQuestion, truth: Truth): 'cname' | 'txt' | null {
  const isToken = question.type === types.TXT && question.name.startsWith('_petstore.')
  if (!isToken && (question.type !== types.CNAME || question.name.startsWith('_'))) return null
  const records = recordsIn(bytes, question)
  if (isToken) return records.some((record) => textOf(record) === truth.token) ? 'txt' : null
  return records.some((record) => record.type === 'CNAME' && same(record.data, truth.target)) ? 'cname' : null
}

function recordsIn(bytes: Buffer, question: PacketQuestion) {
  // Rejects most messages early, so that the others can be parsed with care: the id must match,
  // and it must be an authoritative answer without error to a query, not truncated.
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== question.id || (bytes.readUInt16BE(2) & 0xfe0f) !== 0x8400)
    return []
  try {
    // The sections after the answers do not affect them, and may be broken.
    const upToAnswers = Buffer.from(bytes).fill(0, 8, 12)
    const { questions = [], answers = [] } = decode(upToAnswers)
    const [first] = questions
    if (questions.length !== 1 || !same(first?.name, question.name)) return []
    return answers.filter((record) => same(record.name, question.name) && 'class' in record && record.class === 'IN')
  } catch {
    return []
  }
}

const same = (one: unknown, other: string): boolean => typeof one === 'string' && one.toLowerCase() === other

/** Quotes, spaces and backslashes are ignored, as in the product. */
function textOf(record: { type: string; data?: unknown }): string | null {
  if (record.type !== 'TXT') return null
  const parts: unknown[] = Array.isArray(record.data) ? record.data : [record.data]
  return parts
    .map((part) => String(part))
    .join('')
    .replace(/["'\\\s]/g, '')
}
