// The name of the visitor of a request, or a word for one whose details have been erased.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import * as texts from '../texts/texts.ts'

export const visitorName = ({ visitor: { name } }: Pick<ManagedOrder, 'visitor'>): string =>
  name === '' ? texts.orders.erased.visitor : name
