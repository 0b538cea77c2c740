// Every cause of trouble that we know, by its code: how grave it is, who must act,
// and what people read. The only source of all three. A code is part of the
// contract: add freely, never rename.

import type { Cause } from './cause.ts'
import { authorityCauses } from './causes/authority.ts'
import { caaCauses } from './causes/caa.ts'
import { namesCauses } from './causes/names.ts'
import { ownershipCauses } from './causes/ownership.ts'
import { pointingCauses } from './causes/pointing.ts'
import { reachCauses } from './causes/reach.ts'
import { servingCauses } from './causes/serving.ts'
import { zoneCauses } from './causes/zone.ts'

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
