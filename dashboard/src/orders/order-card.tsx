// One order: the visitor, the animal, the message, the status; and the decision, for members who may make it.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AtSign, BellOff, BellRing, Check, Hourglass, Mail, Phone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Avatar } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Time, timeWords } from '../ui/time.tsx'
import { wayOf, type Reach as Way } from './contact-link.ts'
import type { Decision } from './decide-dialog.tsx'
import { Notified, Reach } from './next-step.tsx'
import { animalOf, statusViews } from './views.ts'

const words = texts.orders
const wayIcons: Record<Way, LucideIcon> = { email: Mail, phone: Phone, other: AtSign }

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
  const { mayEdit } = useProject()
  const { visitor, message, status, createdAt } = order
  const { label, tone, isWaiting } = statusViews[status]
  return (
    <li className="card order">
      <div className="stack">
        <div className="row whole">
          <Avatar name={visitor.name} />
          <div className="grow">
            <div className="row tight">
              <Title order={order} />
              {isFresh && isWaiting && <Badge tone="wait">{words.fresh}</Badge>}
              {showsStatus && <Badge tone={tone}>{label}</Badge>}
            </div>
            <p className="plain quiet small">
              {words.asked} <Time at={createdAt} />
            </p>
          </div>
        </div>
        {message === '' ? (
          <p className="plain quiet order-none">{words.noMessage}</p>
        ) : (
          <blockquote className="order-message">{message}</blockquote>
        )}
      </div>
      <div className="stack order-aside">
        {isWaiting && mayEdit && <Decide order={order} onDecide={onDecide} />}
        <dl className="order-facts">
          <Fact of={wayIcons[wayOf(visitor.contact)]} name={words.reach}>
            <Reach contact={visitor.contact} />
          </Fact>
          {isWaiting ? (
            <Fact of={Hourglass} name={words.hold}>
              <Held order={order} animal={animalOf(order)} />
            </Fact>
          ) : (
            <Fact of={Check} name={words.outcome}>
              {statusViews[status].outcome(nameOf(order.decidedBy ?? ''), timeWords(order.decidedAt ?? createdAt))}
            </Fact>
          )}
          {isWaiting && mayEdit && (
            <Fact of={order.notifiesVisitor ? BellRing : BellOff} name={words.next}>
              <Notified order={order} />
            </Fact>
          )}
        </dl>
      </div>
    </li>
  )
}

/** Names may be written from right to left: each keeps to itself. */
function Title({ order }: { order: ManagedOrder }) {
  const { slug } = useProject()
  return (
    <h2>
      <bdi className="order-visitor">{order.visitor.name}</bdi> <span className="quiet">{words.wants}</span>{' '}
      <Link to="/projects/$project/animals" params={{ project: slug }} search={{ name: order.petName }}>
        <bdi>{animalOf(order)}</bdi>
      </Link>
    </h2>
  )
}

function Decide({ order, onDecide }: Pick<CardProps, 'order' | 'onDecide'>) {
  const animal = animalOf(order)
  return (
    <div className="order-decide">
      <Button
        leftSection={<Icon of={Check} size={18} />}
        onClick={() => onDecide({ order, kind: 'approve' })}
        aria-label={words.approveOf(animal, order.visitor.name)}
      >
        {words.approve}
      </Button>
      <Button
        variant="default"
        onClick={() => onDecide({ order, kind: 'decline' })}
        aria-label={words.declineOf(animal, order.visitor.name)}
      >
        {words.decline}
      </Button>
    </div>
  )
}

/** The icon is for the eye; screen readers read the name. */
const Fact = ({ of, name, children }: { of: LucideIcon; name: string; children: ReactNode }) => (
  <div>
    <dt>
      <Icon of={of} size={16} />
      <span className="visually-hidden">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
)

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
