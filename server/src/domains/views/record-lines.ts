// What is to be done with each line that is there now: in the way and to be deleted, to
// be changed, or to be left alone. A line that says what one of the wanted records must
// say is never to be deleted, whatever becomes of its neighbours.

import type { HeldRecord } from '@petstore/contract/platform/domain-shapes'
import type { RecordAdvice } from '../judging/judgement.ts'

/** For lines that are not as they must be. */
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

/** The dot that some providers want at the end of a value is not there when it is read. */
const plain = (line: string): string => line.toLowerCase().replace(/\.$/, '')
