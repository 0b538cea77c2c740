// The contract lists what the history of a domain can tell, so that whoever shows it
// has words for all of it. The types allow no other; here the sources are read, so
// that nothing stands on the list either that nobody writes.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainEventKinds } from '@petstore/contract/platform/domain-shapes'
import { expect, test } from 'vitest'

const written = (text: string) =>
  [...text.matchAll(/'((?:domain|certificate)\.[a-z_]+)'/g)].map(([, kind = '']) => kind)

test('The server writes every kind of event that the contract lists, and no other', () => {
  const domains = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: domains }).filter((file) => !/\.(test|fake)\.ts$/.test(file))
  const kinds = sources.flatMap((file) => written(readFileSync(join(domains, file), 'utf8')))
  expect([...new Set(kinds)].toSorted()).toEqual([...domainEventKinds].toSorted())
})

test('A kind that is on no list would be seen', () => {
  expect(written(`insertEvent(db, { kind: 'certificate.lost', code: null })`)).toEqual(['certificate.lost'])
})
