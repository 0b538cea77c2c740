// Decides what to do with each present DNS record: delete it because it conflicts, change it,
// or keep it. A record with the value of one of the wanted records is never to be deleted,
// whatever becomes of its neighbours.

import type { HeldRecord } from '@petstore-platform/contract/platform/domain-shapes'
import type { RecordAdvice } from '../judging/judgement.ts'

/** For records with a wrong value. */
const todos: Readonly<Record<RecordAdvice['action'], HeldRecord['todo']>> = {
  keep: 'keep',
  add: 'leave',
  change: 'change',
  delete_others: 'delete',
  wait: 'leave',
}

export function linesOf({ have, action }: RecordAdvice, records: readonly RecordAdvice[]): HeldRecord[] {
  const wanted = new Set(records.map(({ type, value }) => plain(`${type} ${value}`)))
  return [...new Set(have)].map((line) => ({ line, todo: wanted.has(plain(line)) ? 'keep' : todos[action] }))
}

/** The trailing dot that some providers require is not in the value when it is read. */
const plain = (line: string): string => line.toLowerCase().replace(/\.$/, '')
