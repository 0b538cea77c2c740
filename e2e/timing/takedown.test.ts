// Takedown, with processes as operators run them: a second after `projects suspend` nothing of the project succeeds at any
// service or edge, also after a deployment; and resumed, all is back.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { measureTakedown, takedownFault } from '../../testbed/experiments/takedown/main.ts'

test('a suspended project is closed within a second everywhere; without notes to caches it is not (control)', async () => {
  const [figures, control] = await measureTakedown(await cloneDatabase())
  printFigures({ figures, control })
  expect(figures && takedownFault(figures)).toBeUndefined()
  expect(figures?.requests).toBeGreaterThan(200)
  expect(control && takedownFault(control)).toMatch(/succeeded/)
})
