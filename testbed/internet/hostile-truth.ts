// Whether a message that left the hostile responder told the truth after all: a
// mutation may heal a lie. Read by another reader than the product's (dns-packet),
// and strictly: an authoritative answer without error, to exactly the question that
// was asked, over the wire that was asked, with the one record that proves something.
//
// Who was verified without any such message has been verified falsely.

import { decode } from 'dns-packet'
import type { Truth } from './hostile-class.ts'
import { types, type PacketQuestion } from './packets.ts'

/** What the message proves of the name that was asked for; null if nothing. */
export function provenBy(bytes: Buffer, question: PacketQuestion, truth: Truth): 'cname' | 'txt' | null {
  const isToken = question.type === types.TXT && question.name.startsWith('_petstore.')
  if (!isToken && (question.type !== types.CNAME || question.name.startsWith('_'))) return null
  const records = recordsIn(bytes, question)
  if (isToken) return records.some((record) => textOf(record) === truth.token) ? 'txt' : null
  return records.some((record) => record.type === 'CNAME' && same(record.data, truth.target)) ? 'cname' : null
}

function recordsIn(bytes: Buffer, question: PacketQuestion) {
  // Most messages fail here, so that the others can be read with care: the id, and an authoritative answer without
  // error to a query that is not cut.
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== question.id || (bytes.readUInt16BE(2) & 0xfe0f) !== 0x8400)
    return []
  try {
    // What stands behind the answers takes nothing from them, and may be broken.
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

/** Quotes, spaces and backslashes are overlooked, as the product does. */
function textOf(record: { type: string; data?: unknown }): string | null {
  if (record.type !== 'TXT') return null
  const parts: unknown[] = Array.isArray(record.data) ? record.data : [record.data]
  return parts
    .map((part) => String(part))
    .join('')
    .replace(/["'\\\s]/g, '')
}
