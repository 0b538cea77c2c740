// What an owner has to do in their DNS, one change after the other: first what is in the way, then what takes its
// place. Derived from the records as the server returns them; pure.

import type { DomainRecord, HeldRecord } from '@petstore-platform/contract/platform/domain-shapes'

export type ChangeKind = 'delete' | 'add' | 'change' | 'keep' | 'wait'

export type Change = {
  kind: ChangeKind
  /** Counted among those with something to do, from 1 on. */
  number: number | null
  record: DomainRecord
  /** Of a deletion, what to delete; otherwise the other current records of that name. */
  lines: readonly HeldRecord[]
  /** How many records are deleted before this one is added. */
  replaces: number
}

type Unnumbered = Omit<Change, 'number'>

export function changesOf(records: readonly DomainRecord[]): Change[] {
  // One that is in the way of several wanted records is deleted once.
  const deleted = new Set<string>()
  let count = 0
  return records
    .flatMap((record) => ofRecord(record, deleted))
    .map((change) => ({ ...change, number: isToDo(change.kind) ? ++count : null }))
}

function ofRecord(record: DomainRecord, deleted: Set<string>): Unnumbered[] {
  const { action, have, fullName } = record
  if (action !== 'delete_others') return [{ kind: action, record, lines: have, replaces: 0 }]
  const inTheWay = have.filter(({ todo }) => todo === 'delete')
  const others = have.filter(({ todo }) => todo !== 'delete')
  const toDelete = inTheWay.filter(({ line }) => !deleted.has(`${fullName} ${line}`))
  for (const { line } of toDelete) deleted.add(`${fullName} ${line}`)
  return [
    ...(toDelete.length > 0 ? [{ kind: 'delete' as const, record, lines: toDelete, replaces: 0 }] : []),
    { kind: 'add', record, lines: others, replaces: inTheWay.length },
  ]
}

const isToDo = (kind: ChangeKind): boolean => kind !== 'keep' && kind !== 'wait'

/** How many changes there are, and whether the domain needs any of them. */
export function countOf(changes: readonly Change[]): { count: number; isRequired: boolean } {
  const toDo = changes.filter(({ kind }) => isToDo(kind))
  return { count: toDo.length, isRequired: toDo.some(({ record }) => record.required) }
}

/** A current record is written `TYPE value`. */
export function partsOf(line: string): { type: string; value: string } {
  const [type = '', ...rest] = line.split(' ')
  return { type, value: rest.join(' ') }
}
