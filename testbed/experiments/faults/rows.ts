// All faults, in the order of the documentation.

import { limits } from './limits.ts'
import { outages } from './outages.ts'
import { certificates, refusals } from './refusals.ts'
import { renewals } from './renewals.ts'
import type { Row } from './row.ts'

const groups = { limits, outages, refusals, certificates, renewals }

export const rows: readonly Row[] = Object.entries(groups).flatMap(([name, group]) =>
  group().map((row) => ({ ...row, zone: `${name}.test` })),
)

/** A row whose fault is not injected (negative control): this must be detected. */
export const controlOf = (row: Row): Row => ({
  ...row,
  name: 'not-done',
  says: `not injected: ${row.says}`,
  faults: () => [],
})
