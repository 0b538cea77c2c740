import { expect, test } from 'vitest'
import { countOf } from './count-sources.ts'

test('counts what a newcomer meets, and neither tests nor fakes', () => {
  const files = new Map([
    ['server/src/main.ts', 'one\ntwo\n'],
    ['server/src/animals/pets.ts', 'export type PetDeps = {}\ntype ListOptions = {}\n'],
    ['server/src/animals/pets.test.ts', 'type TestDeps = {}\n'],
    ['server/src/animals/pets.fake.ts', 'type FakeDeps = {}\n'],
    ['server/src/program/schedule.ts', 'every(1)\n'],
    ['server/src/program/serve.ts', 'every(1)\nif (list.every(isDone)) every(2)\n'],
    ['testbed/main.ts', 'one\n'],
    ['server/migrations/0001-foundation.sql', ''],
    ['docs/decisions/0001-code-organisation.md', ''],
    ['docs/decisions/README.md', ''],
  ])
  expect(countOf(files)).toEqual({
    'server/src, lines without tests': 7,
    'server/src, files without tests': 4,
    'server/src, files at its root': 1,
    'server/src/animals, files side by side': 1,
    'largest folder of server/src, files': 2,
    'types named …Deps or …Options': 2,
    'every(…) outside a schedule': 2,
    'testbed, lines': 1,
    migrations: 1,
    decisions: 1,
  })
})
