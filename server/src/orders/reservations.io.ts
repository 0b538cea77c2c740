// Places a request for an animal for a visitor of the site. Of any number of concurrent requests
// for the same animal, in any number of processes, at most as many are accepted as its queue has
// places.

import type { ProjectId } from '../projects/scope.io.ts'
import { place } from './advance.io.ts'
import type { OrderRow } from './order-queries.ts'
import { readVisitor, type VisitorWords } from './visitor.ts'
import type { OrderContext } from './write-step.io.ts'

export type ReservationRequest = VisitorWords & { petId: bigint }

/** The order; or a refusal: invalid_field, not_found, not_available, queue_full. */
export async function reserve(context: OrderContext, project: ProjectId, input: ReservationRequest): Promise<OrderRow> {
  return place(context, project, { petId: input.petId, ...readVisitor(input) })
}
