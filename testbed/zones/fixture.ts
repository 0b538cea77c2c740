// A fixture: one kind of trouble with a domain, as zones on real nameservers, and the cause that
// must be found first. A cause counts as known only if a fixture on the test internet produces
// it; what real servers refuse to send comes from the hostile responder.

import type { CauseCode } from '../../server/src/domains/causes/causes.ts'
import type { Known, Wanted } from '../../server/src/domains/observing/evidence.ts'
import type { WebRoleName } from '../internet/web.ts'
import type { World, WorldZone } from '../internet/world.ts'

export type Fixture = {
  /** A sentence, and the name of its test. */
  says: string
  /** The root cause; null if nothing is wrong and the name verifies. */
  cause: CauseCode | null
  /** Other causes that must be found too, at least. */
  also?: readonly CauseCode[]
  hostname: string
  /** A fixture has zones of its own, so that none disturbs another. */
  zones: readonly WorldZone[]
  /**
   * The web server of the test internet that plays an address of the open internet; other such
   * addresses are never contacted.
   */
  plays?: Readonly<Record<string, WebRoleName>>
  wanted?: Partial<Wanted>
  known?: Partial<Known>
  /** Whether the resolvers cache answers, as real ones do; otherwise they query each time. */
  remembers?: boolean
  /** Steps before the check: a resolver is queried, a record is changed. */
  before?: (world: World) => Promise<void>
}

export const TARGET = 'happy-paws.petstore.test'
export const PLATFORM_HOST = 'petstore.test'
export const TOKEN = 'petstore-verify=c0rpu5c0rpu5c0rpu5c0rpu5c0'
