// What can be done with a request, as the server says: the usual next step first. After a change, the way to take it
// back, for as long as there is one.

import type { ManagedOrder, OrderMove } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BellOff, BellRing, Undo2 } from 'lucide-react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNow } from '../ui/now.ts'
import { Section } from '../ui/page.tsx'
import { stageLabel } from '../ui/stage.tsx'
import { timeWords } from '../ui/time.tsx'
import { wayOf } from './contact-link.ts'
import { isUndoable, type Moves } from './use-moves.tsx'
import { moveViews, offered, usualMoves } from './views.ts'

const words = texts.orders

export function NextStep({ order, moves }: { order: ManagedOrder; moves: Moves }) {
  const { mayEdit } = useProject()
  const { visitor } = order
  // A visit that is arranged is changed where it is shown.
  const possible = mayEdit ? offered(order).filter((move) => move !== 'visit_set' || order.visit === null) : []
  const usual = possible.find((move) => move === usualMoves[order.stage])
  return (
    <Section title={words.next}>
      {mayEdit && order.undoUntil !== null && <Undo order={order} until={order.undoUntil} moves={moves} />}
      {usual && (
        <div className="stack tight">
          <MoveButton order={order} move={usual} moves={moves} isUsual />
          <p className="plain quiet small">{moveViews[usual].meaning(visitor.name)}</p>
        </div>
      )}
      {possible.length > (usual ? 1 : 0) && (
        <div className="order-moves" role="group" aria-label={words.other}>
          {possible
            .filter((move) => move !== usual)
            .map((move) => (
              <MoveButton key={move} order={order} move={move} moves={moves} />
            ))}
        </div>
      )}
      {order.decidedAt !== null && <Outcome order={order} at={order.decidedAt} />}
      {!order.erased && (
        <p className="plain quiet small order-notified">
          <Icon of={order.notifiesVisitor ? BellRing : BellOff} size={16} />
          <span>
            {order.notifiesVisitor
              ? words.notifies(visitor.name)
              : words.notNotified[wayOf(visitor.contact)](visitor.name)}
          </span>
        </p>
      )}
    </Section>
  )
}

function Outcome({ order: { stage, decidedBy, decline }, at }: { order: ManagedOrder; at: string }) {
  const { slug, kind } = useProject()
  const { data: members } = useQuery(query('listMembers', { project: slug }))
  const by = members?.find(({ id }) => id === decidedBy)?.name
  const label = stageLabel(stage, kind)
  return (
    <>
      <p className="plain quiet">
        {by === undefined ? words.outcomeAlone(label, timeWords(at)) : words.outcome(label, by, timeWords(at))}
      </p>
      {decline && <p className="plain quiet">{words.decline.because(words.decline.reasons[decline.reason])}</p>}
      {decline && decline.text !== '' && (
        <blockquote className="order-message" aria-label={words.decline.said}>
          {decline.text}
        </blockquote>
      )}
    </>
  )
}

type MoveProps = { order: ManagedOrder; move: OrderMove; moves: Moves; isUsual?: boolean }

function MoveButton({ order, move, moves, isUsual = false }: MoveProps) {
  const { kind } = useProject()
  const { action, icon, isForward } = moveViews[move]
  return (
    <Button
      {...(!isUsual && { variant: 'default', size: 'xs' })}
      {...(!isForward && { 'data-tone': 'danger' })}
      leftSection={isUsual && <Icon of={icon} size={18} />}
      onClick={() => moves.move(order, move)}
      loading={isUsual && moves.busy === order.id}
    >
      {action(order, kind)}
    </Button>
  )
}

function Undo({ order, until, moves }: { order: ManagedOrder; until: string; moves: Moves }) {
  const now = useNow()
  if (!isUndoable(order, now)) return null
  return (
    <div className="row apart order-undo">
      <span className="small">{words.undoFor(Math.max(1, Math.floor((Date.parse(until) - now) / 1000)))}</span>
      <Button size="xs" variant="default" leftSection={<Icon of={Undo2} size={16} />} onClick={() => moves.undo(order)}>
        {words.undo}
      </Button>
    </div>
  )
}
