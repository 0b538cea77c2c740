// The orders of one view, newest first, with more where there are more. The keyboard is
// at the list when the order in which it was has gone to another one.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Empty, Loaded } from '../ui/states.tsx'
import { DecideDialog, type Decision } from './decide-dialog.tsx'
import { OrderCard } from './order-card.tsx'
import type { OrderView } from './search.ts'
import { useOrders, type Arrivals } from './use-orders.ts'

const words = texts.orders

export function OrderList({ view, isFresh }: { view: OrderView } & Pick<Arrivals, 'isFresh'>) {
  const { slug } = useProject()
  const orders = useOrders(slug, view)
  const members = useQuery({ ...query('listMembers', { project: slug }), enabled: view !== 'waiting' })
  const nameOf = (account: string) => members.data?.find(({ id }) => id === account)?.name ?? words.formerMember
  const [decision, setDecision] = useState<Decision>()
  const list = useRef<HTMLDivElement>(null)
  return (
    <div ref={list} tabIndex={-1} className="stack order-list" role="group" aria-label={words.listLabel[view]}>
      <Loaded from={orders}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          if (items.length === 0) return <NoOrders view={view} />
          return (
            <ul className="stack order-items">
              {items.map((order) => (
                <OrderCard
                  key={String(order.id)}
                  order={order}
                  isFresh={isFresh(order)}
                  showsStatus={view !== 'waiting'}
                  nameOf={nameOf}
                  onDecide={setDecision}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {orders.hasNextPage && (
        <div>
          <Button
            variant="default"
            onClick={() => void orders.fetchNextPage()}
            loading={orders.isFetchingNextPage}
            disabled={orders.isFetching && !orders.isFetchingNextPage}
          >
            {texts.common.more}
          </Button>
        </div>
      )}
      <DecideDialog decision={decision} onClose={() => setDecision(undefined)} backTo={list} />
    </div>
  )
}

function NoOrders({ view }: { view: OrderView }) {
  const { slug } = useProject()
  return (
    <Empty of="requests" title={words.empty[view]}>
      <p>{view === 'decided' ? words.emptyDecided : words.emptyText}</p>
      {view !== 'decided' && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/projects/$project/site" params={{ project: slug }} {...props} />}
        >
          {words.toSite}
        </Button>
      )}
    </Empty>
  )
}
