// The table of causes lists every known cause of trouble by its code, with its severity, its
// actor and the text for owners. It is the only source of all three. A code is part of the
// contract: add freely, never rename.

import type { Cause } from './cause.ts'
import { authorityCauses, caaCauses } from './authority.ts'
import { namesCauses, ownershipCauses } from './names.ts'
import { pointingCauses } from './pointing.ts'
import { reachCauses } from './reach.ts'
import { servingCauses } from './serving.ts'
import { zoneCauses } from './zone.ts'

const table = {
  ...namesCauses,
  ...ownershipCauses,
  ...pointingCauses,
  ...zoneCauses,
  ...caaCauses,
  ...reachCauses,
  ...authorityCauses,
  ...servingCauses,
}

export type CauseCode = keyof typeof table

export const causes: Readonly<Record<CauseCode, Cause>> = table
export const causeCodes = Object.keys(table) as readonly CauseCode[]
