// One way in which a domain can be in trouble, as zones on real nameservers, and
// the cause that must be found first. A cause counts as known only if a fixture on
// the world brings it about; what real servers refuse to send comes from the
// hostile responder.

import type { CauseCode } from '../../server/src/domains/causes/causes.ts'
import type { Known, Wanted } from '../../server/src/domains/observing/evidence.ts'
import type { WebRoleName } from '../internet/web.ts'
import type { World, WorldZone } from '../internet/world.ts'

export type Fixture = {
  /** A sentence, and the name of its test. */
  says: string
  /** The root cause; null if nothing is wrong and the name verifies. */
  cause: CauseCode | null
  /** What must be noticed beside it, at least. */
  also?: readonly CauseCode[]
  hostname: string
  /** A fixture has zones of its own, so that none disturbs another. */
  zones: readonly WorldZone[]
  /** Which of the world's web servers stands at an address of the open internet; others are never asked there. */
  plays?: Readonly<Record<string, WebRoleName>>
  wanted?: Partial<Wanted>
  known?: Partial<Known>
  /** Whether the resolvers remember answers, as real ones do; without it they ask each time. */
  remembers?: boolean
  /** What happens before the look: a resolver is asked, a record is changed. */
  before?: (world: World) => Promise<void>
}

export const TARGET = 'happy-paws.petstore.test'
export const PLATFORM_HOST = 'petstore.test'
export const TOKEN = 'petstore-verify=c0rpu5c0rpu5c0rpu5c0rpu5c0'
