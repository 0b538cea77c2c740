// What is there now, line by line, and what is to be done with each line: in the way and
// to be deleted, to be changed, or to be left alone. A line that says what one of the
// wanted records must say is never marked for deletion.

import type { DomainRecord } from '@petstore/contract/platform/domain-shapes'

export type LineMark = 'right' | 'leave' | 'change' | 'delete'
type Line = { text: string; mark: LineMark }

/** For lines that are not as they must be. */
const marks: Readonly<Record<DomainRecord['action'], LineMark>> = {
  keep: 'right',
  add: 'leave',
  change: 'change',
  delete_others: 'delete',
  wait: 'leave',
}

export function linesOf({ have, action }: DomainRecord, records: readonly DomainRecord[]): Line[] {
  const wanted = new Set(records.map(({ type, value }) => plain(`${type} ${value}`)))
  return [...new Set(have)].map((text) => ({ text, mark: wanted.has(plain(text)) ? 'right' : marks[action] }))
}

/** The dot that some providers want at the end of a value is not there when it is read. */
const plain = (line: string): string => line.toLowerCase().replace(/\.$/, '')
