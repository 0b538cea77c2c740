// The table of retention covers the schema: what can expire is removed, by a condition on columns that exist.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expiredRows, oldRowsOfProjects, retentionOf, type ExpiredRows } from './retention.ts'

const schema = readFileSync(join(import.meta.dirname, '../../schema.sql'), 'utf8')

type Table = { columns: string[]; key: string; isWalled: boolean; mayBeUpdated: boolean }

const tables = new Map<string, Table>(
  [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([^;]*)/gm)].map(([, name = '', body = '']) => [
    name,
    {
      columns: [...body.matchAll(/^ {2}(?!constraint\b)(\w+) /gm)].map(([, column = '']) => column),
      key: /primary key \(([^)]*)\)/.exec(body)?.[1] ?? '',
      isWalled: schema.includes(`alter table ${name} enable row level security`),
      mayBeUpdated: new RegExp(`^grant [^;]*\\bupdate on table ${name} to`, 'm').test(schema),
    },
  ]),
)

/** The time at which a row ends, or until which something holds. */
const END = /(?:_until|(?:^|_)(?:expires|ends|ended|finished|free|closed|removed|deleted|revoked|released|dropped)_at)$/

const elsewhere: Readonly<Record<string, string>> = {
  authority_accounts: 'paused_until ends a pause, and the account stays',
  deployments: 'the newest are kept, however old: limit_deployments, with each new one',
  domain_mails: 'with the last of its domains: forget_removed_domains',
  due_directory: 'claimed_until ends a claim, and the timer stays',
  edge_directory: 'a revoked edge stays listed',
  holder_directory: 'shows who held a name, and when',
  invited_directory: 'with the invitation',
  projects: 'erase_deleted_project, in the upkeep of the project; the slug is never used again',
  request_confirmations: 'a timer of each: orders/confirmation.io.ts',
}

const tablesWithoutEnd = (isRemoved: (table: string) => boolean) =>
  [...tables].filter(([table, { columns }]) => columns.some((name) => END.test(name)) && !isRemoved(table))
const namesOf = (found: readonly (readonly [string, Table])[]) => found.map(([name]) => name).sort()

const isRemoved = (table: string) => retentionOf(table) !== undefined

describe('a table whose rows can expire', () => {
  test('is in the table of retention, or is listed with a reason', () => {
    expect(tables.size).toBeGreaterThan(70)
    expect(namesOf(tablesWithoutEnd(isRemoved))).toEqual(Object.keys(elsewhere).sort())
  })

  test('and is in neither, is found (negative control)', () => {
    const found = tablesWithoutEnd((table) => table !== 'share_directory' && isRemoved(table))
    expect(namesOf(found)).toContain('share_directory')
  })
})

/** What a row of the table of retention says that the schema does not. */
function faultsOf(name: string, { key, expired, isNeverUpdated = false, orderBy }: ExpiredRows): string[] {
  const table = tables.get(name)
  if (!table) return ['no such table']
  const timed = [...expired.matchAll(/\b(\w+_(?:at|until|start)|at|slot) (?:<|is )/g)].map(([, column = '']) => column)
  const unknown = [...timed, ...(orderBy ? [orderBy] : [])].filter((column) => !table.columns.includes(column))
  return [
    ...unknown.map((column) => `no column ${column}`),
    ...(table.key === key ? [] : ['another primary key']),
    ...(table.isWalled ? ['its rows are visible to one project only'] : []),
    ...(table.mayBeUpdated === isNeverUpdated ? ['another right to update'] : []),
  ]
}

describe('the rows that have expired', () => {
  test.each(Object.entries<ExpiredRows>(expiredRows))('of %s are named as in the schema', (name, rows) => {
    expect(faultsOf(name, rows)).toEqual([])
  })

  test('are not named by another key, a column that does not exist, or in a table of projects (negative control)', () => {
    const { sessions } = expiredRows
    expect(faultsOf('sessions', { ...sessions, key: 'digest' })).toEqual(['another primary key'])
    expect(faultsOf('sessions', { ...sessions, expired: 'ended_at < now()' })).toEqual(['no column ended_at'])
    expect(faultsOf('sessions', { ...sessions, isNeverUpdated: true })).toEqual(['another right to update'])
    expect(faultsOf('photos', sessions)).toContain('its rows are visible to one project only')
  })
})

test('what is too old in a project is removed by a function of the schema', () => {
  for (const rows of Object.values<{ function: string }>(oldRowsOfProjects)) {
    expect(schema).toContain(`function public.${rows.function}(of_project bigint, `)
  }
})
