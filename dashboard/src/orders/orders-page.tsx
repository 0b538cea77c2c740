// The inbox of orders. Open orders come first; new ones appear automatically and are
// announced, whichever orders are shown.

import { Link, useSearch } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { OrderList } from './order-list.tsx'
import type { OrderSearch, OrderView } from './search.ts'
import { useArrivals, WATCHED_MAX } from './use-orders.ts'
import { animalOf } from './views.ts'
import './orders.css'

const words = texts.orders
const searchOf: Record<OrderView, OrderSearch> = { waiting: {}, decided: { show: 'decided' }, all: { show: 'all' } }

export function OrdersPage() {
  const { slug, mayEdit } = useProject()
  const { show: view = 'waiting' } = useSearch({ from: '/projects/$project/orders' })
  const { waitingCount, latest, isFresh } = useArrivals(slug)
  return (
    <Page title={words.title} lead={words.lead}>
      {!mayEdit && <div className="note">{words.viewer}</div>}
      <nav className="seg order-views" aria-label={words.viewsLabel}>
        {(Object.keys(searchOf) as OrderView[]).map((name) => (
          <Link
            key={name}
            to="/projects/$project/orders"
            params={{ project: slug }}
            search={searchOf[name]}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words.views[name]} {name === 'waiting' && <Waiting count={waitingCount} />}
          </Link>
        ))}
      </nav>
      <div role="status" aria-live="polite" className="order-news">
        {latest && (
          <div className="note good row apart order-arrived">
            <span>{words.arrived(latest.visitor.name, animalOf(latest))}</span>
            {view === 'decided' && (
              <Link to="/projects/$project/orders" params={{ project: slug }} search={searchOf.waiting}>
                {words.showWaiting}
              </Link>
            )}
          </div>
        )}
      </div>
      <OrderList key={view} view={view} isFresh={isFresh} />
    </Page>
  )
}

function Waiting({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null
  const shown = count < WATCHED_MAX ? String(count) : `${WATCHED_MAX}+`
  return (
    <span className="count">
      <span aria-hidden>{shown}</span>
      <span className="visually-hidden">{words.waitingCount(shown)}</span>
    </span>
  )
}
