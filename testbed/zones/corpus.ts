// All fixtures, by topic.

import { caaFixtures } from './caa.ts'
import { driftFixtures } from './drift.ts'
import type { Fixture } from './fixture.ts'
import { nameFixtures } from './names.ts'
import { ownershipFixtures } from './ownership.ts'
import { pointingFixtures } from './pointing.ts'
import { propagationFixtures } from './propagation.ts'
import { reachFixtures } from './reach.ts'
import { zoneFixtures } from './zone.ts'

export const corpus = {
  names: nameFixtures,
  ownership: ownershipFixtures,
  pointing: pointingFixtures,
  zone: zoneFixtures,
  propagation: propagationFixtures,
  caa: caaFixtures,
  reach: reachFixtures,
  drift: driftFixtures,
} as const satisfies Record<string, readonly Fixture[]>

export type Topic = keyof typeof corpus
