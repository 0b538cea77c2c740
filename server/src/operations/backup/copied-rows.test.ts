import { expect, test } from 'vitest'
import { countCopiedRows } from './copied-rows.ts'

const photo = 'f'.repeat(5000)
const dump = [
  '-- a comment about COPY public.orders',
  'SET row_security = off;',
  'COPY public.pets (project_id, id, name) FROM stdin;',
  '1\t1\tJuno',
  '1\t2\tCOPY public.orders (id) FROM stdin;',
  `1\t3\t${photo}`,
  '1\t4\t\\\\.',
  '\\.',
  '',
  'COPY public."order" (id) FROM stdin;',
  '\\.',
  "SELECT pg_catalog.setval('public.pet_ids', 4, true);",
  '',
].join('\n')

test.each([1, 7, 200, 4096, 100_000])('rows are counted, in chunks of %i bytes', (size) => {
  const counter = countCopiedRows()
  const bytes = Buffer.from(dump)
  for (let at = 0; at < bytes.length; at += size) counter.push(bytes.subarray(at, at + size))
  expect(counter.rows()).toEqual({ pets: 4, order: 0 })
})
