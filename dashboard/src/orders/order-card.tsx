// One order: the animal, the visitor, the message, the status; and the decision, for
// members who may make it.

import type { ManagedOrder } from '@petstore/contract/platform/orders'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Time, timeWords } from '../ui/time.tsx'
import type { Decision } from './decide-dialog.tsx'
import { Notified, Reach } from './next-step.tsx'
import { animalOf, statusViews } from './views.ts'

const words = texts.orders

type CardProps = {
  order: ManagedOrder
  isFresh: boolean
  /** Not where all orders have the same. */
  showsStatus: boolean
  /** By the identifier of the account. */
  nameOf: (account: string) => string
  onDecide: (decision: Decision) => void
}

export function OrderCard({ order, isFresh, showsStatus, nameOf, onDecide }: CardProps) {
  const { slug, mayEdit } = useProject()
  const { visitor, message, status, createdAt } = order
  const { label, tone, isWaiting } = statusViews[status]
  const animal = animalOf(order)
  return (
    <li className="card stack order">
      <div className="row apart order-head">
        <div className="row">
          <h2>
            <Link to="/projects/$project/animals" params={{ project: slug }} search={{ name: order.petName }}>
              {animal}
            </Link>
          </h2>
          {isFresh && isWaiting && <Badge tone="good">{words.fresh}</Badge>}
          {showsStatus && <Badge tone={tone}>{label}</Badge>}
        </div>
        <span className="quiet small">
          {words.asked} <Time at={createdAt} />
        </span>
      </div>
      <dl className="order-facts">
        <dt>{words.from}</dt>
        <dd>{visitor.name}</dd>
        <dt>{words.reach}</dt>
        <dd>
          <Reach contact={visitor.contact} />
        </dd>
      </dl>
      {message === '' ? (
        <p className="order-text quiet">{words.noMessage}</p>
      ) : (
        <blockquote className="order-message">{message}</blockquote>
      )}
      <p className="order-text small quiet">
        {isWaiting ? <Held order={order} animal={animal} /> : <Outcome order={order} nameOf={nameOf} />}
      </p>
      {isWaiting && mayEdit && (
        <p className="order-text small quiet">
          <Notified order={order} />
        </p>
      )}
      {isWaiting && mayEdit && (
        <div className="row">
          <Button
            onClick={() => onDecide({ order, kind: 'approve' })}
            aria-label={words.approveOf(animal, visitor.name)}
          >
            {words.approve}
          </Button>
          <Button
            variant="default"
            onClick={() => onDecide({ order, kind: 'decline' })}
            aria-label={words.declineOf(animal, visitor.name)}
          >
            {words.decline}
          </Button>
        </div>
      )}
    </li>
  )
}

const Held = ({ order: { visitor, expiresAt }, animal }: { order: ManagedOrder; animal: string }) =>
  expiresAt === null ? (
    words.heldOpen(animal, visitor.name)
  ) : (
    <>
      {words.heldBefore(animal, visitor.name)}
      <Time at={expiresAt} />
      {words.heldAfter}
    </>
  )

const Outcome = ({ order, nameOf }: { order: ManagedOrder; nameOf: (account: string) => string }) =>
  statusViews[order.status].outcome(nameOf(order.decidedBy ?? ''), timeWords(order.decidedAt ?? order.createdAt))
