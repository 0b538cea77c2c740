// The requests of a project: a board of the open ones by stage, or the list of those that have ended. New ones appear
// automatically and are announced, with the counts, whichever are shown.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { stageLabel } from '../ui/stage.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { Board } from './board.tsx'
import { EndedList } from './ended-list.tsx'
import type { OrderSearch, OrderView } from './search.ts'
import { useAnnouncement } from './use-announcement.ts'
import { useMoves } from './use-moves.tsx'
import { useArrivals, useOpenOrders, type OpenOrders } from './use-orders.ts'
import { animalOf, columnNames } from './views.ts'
import './orders.css'

const words = texts.orders
const searchOf: Record<OrderView, OrderSearch> = { open: {}, closed: { show: 'closed' } }

export function OrdersPage() {
  const { slug, mayEdit } = useProject()
  const { show: view = 'open' } = useSearch({ from: '/projects/$project/requests' })
  const open = useOpenOrders(slug)
  const { latest, isFresh } = useArrivals(open.data)
  const shown = useRef<HTMLDivElement>(null)
  const moves = useMoves(shown)
  return (
    <Page title={words.title} lead={words.lead} actions={<Views open={open.data} />}>
      {!mayEdit && <div className="note">{words.viewer}</div>}
      <News open={open.data} latest={latest} view={view} />
      <div ref={shown} tabIndex={-1} className="stack order-shown">
        {view === 'closed' ? (
          <EndedList moves={moves} />
        ) : (
          <Loaded from={open}>
            {(data) =>
              columnNames.every((column) => data[column].items.length === 0) ? (
                <NoOrders />
              ) : (
                <Board open={data} moves={moves} isFresh={isFresh} />
              )
            }
          </Loaded>
        )}
      </div>
      {moves.dialogs}
    </Page>
  )
}

function Views({ open }: { open: OpenOrders | undefined }) {
  const { slug } = useProject()
  const isMore = open !== undefined && columnNames.some((column) => open[column].more)
  const count = open ? columnNames.reduce((sum, column) => sum + open[column].items.length, 0) : 0
  const shown = texts.common.counts.number(count, isMore)
  return (
    <nav className="seg order-views" aria-label={words.viewsLabel}>
      {(Object.keys(searchOf) as OrderView[]).map((name) => (
        <Link
          key={name}
          to="/projects/$project/requests"
          params={{ project: slug }}
          search={searchOf[name]}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {words.views[name]}{' '}
          {name === 'open' && count > 0 && (
            <span className="count">
              <span aria-hidden>{shown}</span>
              <span className="visually-hidden">{words.openCount(shown)}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}

type NewsProps = { open: OpenOrders | undefined; latest: ManagedOrder | undefined; view: OrderView }

/** The live region is always there, so that what appears in it is read aloud. */
function News({ open, latest, view }: NewsProps) {
  const { slug, kind } = useProject()
  const arrived = latest && words.arrived(latest.visitor.name, animalOf(latest))
  const counts =
    open && words.counts(columnNames.map((name) => words.countOf(stageLabel(name, kind), open[name].shown)))
  const announced = useAnnouncement(counts && [arrived, counts].filter(Boolean).join(' '))
  return (
    <div className="order-news">
      <p role="status" className="visually-hidden plain">
        {announced}
      </p>
      {arrived !== undefined && (
        <div className="note good row apart order-arrived">
          <span>{arrived}</span>
          {view === 'closed' && (
            <Link to="/projects/$project/requests" params={{ project: slug }} search={searchOf.open}>
              {words.showOpen}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

function NoOrders() {
  const { slug } = useProject()
  return (
    <Empty of="requests" title={words.empty.open}>
      <p>{words.emptyText}</p>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/projects/$project/site" params={{ project: slug }} {...props} />}
      >
        {words.toSite}
      </Button>
    </Empty>
  )
}
