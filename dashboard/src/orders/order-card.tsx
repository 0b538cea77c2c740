// A request on the board: the animal's picture, who asks for it, the beginning of the message, and what a member
// should know at a glance. It is a link to the page of the request; a mouse can drag it into another column.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Link } from '@tanstack/react-router'
import { CalendarDays, Clock, Eraser, Hourglass, StickyNote, UsersRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { StageBadge } from '../ui/stage.tsx'
import { shortDate, shortTime, timeWords } from '../ui/time.tsx'
import { visitorName } from '../ui/visitor-name.ts'
import { OrderMenu } from './order-menu.tsx'
import { OrderPicture } from './order-picture.tsx'
import type { Moves } from './use-moves.tsx'
import { animalOf, erasedWords } from './views.ts'

const words = texts.orders

type CardProps = {
  order: ManagedOrder
  moves: Moves
  now: number
  /** It came while the page was open. */
  isFresh: boolean
  /** Not where all have the same, and a heading above them says it. */
  showsStage: boolean
  /** Undefined: it cannot be dragged. */
  onDrag: ((order: ManagedOrder | undefined) => void) | undefined
}

export const cardId = (id: bigint) => `request-${id}`

export function OrderCard({ order, moves, now, isFresh, showsStage, onDrag }: CardProps) {
  const { kind, mayEdit } = useProject()
  const { stage, message, visit, erased } = order
  const isUnconfirmed = !order.isConfirmed && !erased
  const isNew = isFresh && stage === 'new'
  return (
    <li
      className="card order"
      data-busy={moves.busy === order.id || undefined}
      draggable={onDrag !== undefined}
      onDragStart={({ dataTransfer }) => {
        // Without data, some browsers do not drag.
        dataTransfer.setData('text/plain', String(order.id))
        dataTransfer.effectAllowed = 'move'
        onDrag?.(order)
      }}
      onDragEnd={() => onDrag?.(undefined)}
    >
      <div className="row whole tight order-head">
        <OrderPicture order={order} size={48} />
        <div className="grow">
          <Title order={order} Heading={showsStage ? 'h2' : 'h3'} />
          <p className="plain quiet small order-animal">
            <bdi>{words.for(animalOf(order))}</bdi>
          </p>
        </div>
        {mayEdit && <OrderMenu order={order} moves={moves} now={now} />}
      </div>
      {(isNew || showsStage || isUnconfirmed) && (
        <div className="row tight">
          {isNew && <Badge tone="wait">{words.fresh}</Badge>}
          {showsStage && <StageBadge stage={stage} kind={kind} />}
          {isUnconfirmed && <Badge tone="warn">{words.unconfirmed}</Badge>}
        </div>
      )}
      {visit !== null && (
        <Fact of={CalendarDays} className="order-visit">
          {shortTime(visit.at)}
        </Fact>
      )}
      {message !== '' && <p className="plain order-begin">{message}</p>}
      <div className="order-facts">
        <Fact of={Clock}>{timeWords((showsStage && order.decidedAt) || order.createdAt)}</Fact>
        {order.position !== null && order.queueLength > 1 && (
          <Fact of={UsersRound}>{words.inLine(order.position, order.queueLength)}</Fact>
        )}
        {order.isHolding && (
          <Fact of={Hourglass}>
            {words.hold.short} {order.heldUntil !== null && shortDate(order.heldUntil)}
          </Fact>
        )}
        {erased && <Fact of={Eraser}>{erasedWords(erased)}</Fact>}
        {order.notes > 0 && <Fact of={StickyNote}>{words.notesCount(order.notes)}</Fact>}
      </div>
    </li>
  )
}

/** Names may be written from right to left: each keeps to itself. The link covers the card. */
function Title({ order, Heading }: { order: ManagedOrder; Heading: 'h2' | 'h3' }) {
  const { slug } = useProject()
  return (
    <Heading className="order-name">
      <Link
        id={cardId(order.id)}
        to="/projects/$project/requests/$order"
        params={{ project: slug, order: String(order.id) }}
        draggable={false}
        className="order-link"
      >
        <bdi>{visitorName(order)}</bdi> <span className="visually-hidden">{words.for(animalOf(order))}</span>
      </Link>
    </Heading>
  )
}

type FactProps = { of: LucideIcon; className?: string; children: ReactNode }

const Fact = ({ of, className = '', children }: FactProps) => (
  <span className={`order-fact ${className}`}>
    <Icon of={of} size={14} />
    <span>{children}</span>
  </span>
)
