// A visitor reserves an animal, through the site. Of any number who ask for the
// same animal at once, in any number of processes, exactly one gets it; the others
// read that it is not available any more.

import type { ProjectId } from '../projects/scope.io.ts'
import { place, type OrderAdvanceDeps } from './advance.io.ts'
import type { OrderRow } from './order-queries.ts'
import { readVisitor, type VisitorWords } from './visitor.ts'

export type ReservationRequest = VisitorWords & { petId: bigint }

/** The order; or a refusal: invalid_field, not_found, not_available. */
export async function reserve(deps: OrderAdvanceDeps, project: ProjectId, wish: ReservationRequest): Promise<OrderRow> {
  return place(deps, project, { petId: wish.petId, ...readVisitor(wish) })
}
