// What happens after the decision on an order: the visitor is notified, or a member has to reach
// them, by the way that the visitor left.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import * as texts from '../texts/texts.ts'
import { reachOf, wayOf } from './contact-link.ts'

const words = texts.orders

export function Reach({ contact }: { contact: string }) {
  const link = reachOf(contact)
  return link === undefined ? contact : <a href={link}>{contact}</a>
}

type Decided = Pick<ManagedOrder, 'visitor' | 'notifiesVisitor'>

export const Next = ({ order: { visitor, notifiesVisitor } }: { order: Decided }) =>
  notifiesVisitor ? (
    words.notifies(visitor.name)
  ) : (
    <>
      {words.reaching[wayOf(visitor.contact)](visitor.name)} <Reach contact={visitor.contact} />
    </>
  )

/** Before the decision, next to the contact. */
export const Notified = ({ order: { visitor, notifiesVisitor } }: { order: Decided }) =>
  notifiesVisitor ? words.notifies(visitor.name) : words.notNotified[wayOf(visitor.contact)](visitor.name)

/** The same where there can be no link. */
export const nextWords = ({ visitor, notifiesVisitor }: Decided): string =>
  notifiesVisitor
    ? words.notifies(visitor.name)
    : `${words.reaching[wayOf(visitor.contact)](visitor.name)} ${visitor.contact}`
