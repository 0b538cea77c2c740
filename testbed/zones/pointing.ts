// All fixtures of pointing: the target of the name, and what prevents it from pointing here.

import type { Fixture } from './fixture.ts'
import { addressFixtures } from './pointing-addresses.ts'
import { cnameFixtures } from './pointing-cname.ts'
import { missingFixtures } from './pointing-missing.ts'

export const pointingFixtures: readonly Fixture[] = [...missingFixtures, ...cnameFixtures, ...addressFixtures]
