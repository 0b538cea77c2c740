// The contract lists every kind of history event, so that each client has a text for it. The
// types allow no other kind; this test reads the sources, so that the list has no kind that is
// never written.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainEventKinds } from '@petstore-platform/contract/platform/domain-shapes'
import { expect, test } from 'vitest'

const written = (text: string) =>
  [...text.matchAll(/'((?:domain|certificate)\.[a-z_]+)'/g)].map(([, kind = '']) => kind)

test('The server writes every kind of event that the contract lists, and no other', () => {
  const domains = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: domains }).filter((file) => !/\.(test|fake)\.ts$/.test(file))
  const kinds = sources.flatMap((file) => written(readFileSync(join(domains, file), 'utf8')))
  expect([...new Set(kinds)].toSorted()).toEqual([...domainEventKinds].toSorted())
})

test('A kind that is on no list is reported (negative control)', () => {
  expect(written(`insertEvent(db, { kind: 'certificate.lost', code: null })`)).toEqual(['certificate.lost'])
})
