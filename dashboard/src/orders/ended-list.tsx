// The requests that have ended, newest first, with their outcome. Most can be reopened for some time.

import { Button } from '@mantine/core'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { useNow } from '../ui/now.ts'
import { Empty, Loaded } from '../ui/states.tsx'
import { OrderCard } from './order-card.tsx'
import type { Moves } from './use-moves.tsx'
import { columnOf, useOrderPages } from './use-orders.ts'

const words = texts.orders
const SECONDS_MS = 5000

export function EndedList({ moves }: { moves: Moves }) {
  const { slug } = useProject()
  const ended = useOrderPages(slug, 'ended')
  const now = useNow(SECONDS_MS)
  const { items, more, isLoadingMore } = columnOf(ended)
  return (
    <div className="stack" role="group" aria-label={words.closedLabel}>
      <Loaded from={ended}>
        {() =>
          items.length === 0 ? (
            <Empty of="requests" title={words.empty.closed}>
              <p>{words.emptyClosed}</p>
            </Empty>
          ) : (
            <ul className="order-tiles">
              {items.map((order) => (
                <OrderCard
                  key={String(order.id)}
                  order={order}
                  moves={moves}
                  now={now}
                  isFresh={false}
                  showsStage
                  onDrag={undefined}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {more && (
        <div>
          <Button variant="default" onClick={more} loading={isLoadingMore}>
            {texts.common.more}
          </Button>
        </div>
      )}
    </div>
  )
}
