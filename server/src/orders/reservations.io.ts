// Reserves an animal for a visitor of the site. Of any number of concurrent requests for
// the same animal, in any number of processes, exactly one succeeds; the others get the
// message that it is no longer available.

import type { ProjectId } from '../projects/scope.io.ts'
import { place, type OrderAdvanceDeps } from './advance.io.ts'
import type { OrderRow } from './order-queries.ts'
import { readVisitor, type VisitorWords } from './visitor.ts'

export type ReservationRequest = VisitorWords & { petId: bigint }

/** The order; or a refusal: invalid_field, not_found, not_available. */
export async function reserve(deps: OrderAdvanceDeps, project: ProjectId, wish: ReservationRequest): Promise<OrderRow> {
  return place(deps, project, { petId: wish.petId, ...readVisitor(wish) })
}
