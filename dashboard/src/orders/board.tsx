// The open requests by stage: columns on a desk, one list on a phone. A request is moved by dragging it into another
// column, or by its menu. The keyboard stays with the request that was moved.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { takeLostFocus } from '../ui/focus.ts'
import { useNow } from '../ui/now.ts'
import { stageLabel } from '../ui/stage.tsx'
import { cardId, OrderCard } from './order-card.tsx'
import type { ColumnOrders, OpenOrders } from './use-orders.ts'
import type { Moves } from './use-moves.tsx'
import { columnNames, dropMove, type Column } from './views.ts'

const words = texts.orders
const SECONDS_MS = 5000

type BoardProps = { open: OpenOrders; moves: Moves; isFresh: (order: ManagedOrder) => boolean }

export function Board({ open, moves, isFresh }: BoardProps) {
  const { mayEdit } = useProject()
  const board = useRef<HTMLDivElement>(null)
  const now = useNow(SECONDS_MS)
  const [dragged, setDragged] = useState<ManagedOrder>()
  // A card that has come to another column, or has left the board, had the focus. It may have left its column a moment
  // before it comes to the other: in between, the board has the focus.
  const { last } = moves
  useLayoutEffect(() => {
    if (last === undefined) return
    const card = document.getElementById(cardId(last))
    if (document.activeElement === board.current) card?.focus({ preventScroll: true })
    takeLostFocus(card)
    takeLostFocus(board.current)
  }, [last, open])
  return (
    <>
      {mayEdit && <p className="plain quiet small order-how">{words.howToMove}</p>}
      <div ref={board} tabIndex={-1} className="board" role="group" aria-label={words.boardLabel}>
        {columnNames.map((column) => (
          <BoardColumn
            key={column}
            column={column}
            orders={open[column]}
            moves={moves}
            now={now}
            isFresh={isFresh}
            dragged={dragged}
            onDrag={mayEdit ? setDragged : undefined}
          />
        ))}
      </div>
    </>
  )
}

type ColumnProps = {
  column: Column
  orders: ColumnOrders
  moves: Moves
  now: number
  isFresh: (order: ManagedOrder) => boolean
  dragged: ManagedOrder | undefined
  onDrag: ((order: ManagedOrder | undefined) => void) | undefined
}

function BoardColumn({ column, orders, moves, now, isFresh, dragged, onDrag }: ColumnProps) {
  const { kind } = useProject()
  const title = useId()
  const [isOver, setIsOver] = useState(false)
  const drop = dragged && dropMove(dragged, column)
  const isTarget = drop !== undefined
  return (
    <section
      className="column"
      data-stage={column}
      data-empty={orders.items.length === 0 || undefined}
      data-target={isTarget || undefined}
      data-over={(isTarget && isOver) || undefined}
      aria-labelledby={title}
      onDragOver={(event) => {
        if (!isTarget) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        onDrag?.(undefined)
        if (dragged && drop) moves.move(dragged, drop)
      }}
    >
      <h2 id={title}>
        {stageLabel(column, kind)} <span className="quiet num">{orders.shown}</span>
      </h2>
      {orders.items.length === 0 ? (
        <p className="plain quiet small column-none">{isTarget ? words.dropHere : words.nothingIn}</p>
      ) : (
        <ul className="column-items">
          {orders.items.map((order) => (
            <OrderCard
              key={String(order.id)}
              order={order}
              moves={moves}
              now={now}
              isFresh={isFresh(order)}
              showsStage={false}
              onDrag={onDrag}
            />
          ))}
        </ul>
      )}
      {orders.more && (
        <Button variant="default" size="xs" onClick={orders.more} loading={orders.isLoadingMore}>
          {texts.common.more}
        </Button>
      )}
    </section>
  )
}
