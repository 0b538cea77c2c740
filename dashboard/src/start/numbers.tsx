// The numbers of animals by status, and of open orders. Each number links to what it
// counts.

import type { PetStatus } from '@petstore/contract/pets'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import type { Overview } from './views.ts'

const { numbers: words } = texts.start
const labels: Readonly<Record<PetStatus, string>> = {
  available: words.available,
  pending: words.pending,
  sold: words.sold,
}
const statuses = Object.keys(labels) as PetStatus[]

export function Numbers({ overview: { animals, openOrders } }: { overview: Overview }) {
  const { slug } = useProject()
  return (
    <section aria-label={words.title} className="numbers">
      {statuses.map((status) => (
        <Link key={status} to="/projects/$project/animals" params={{ project: slug }} search={{ status }}>
          <Tile label={labels[status]}>{countWords(animals[status])}</Tile>
        </Link>
      ))}
      <Link to="/projects/$project/orders" params={{ project: slug }}>
        <Tile label={words.openOrders} isUrgent={openOrders > 0}>
          {words.count(openOrders)}
        </Tile>
      </Link>
    </section>
  )
}

const Tile = ({ label, isUrgent = false, children }: { label: string; isUrgent?: boolean; children: ReactNode }) => (
  <span className={isUrgent ? 'card number urgent' : 'card number'}>
    <span className="quiet small">{label}</span> <span className="number-value">{children}</span>
  </span>
)

const countWords = ({ count, isMore }: Overview['animals'][PetStatus]): string =>
  isMore ? words.more(count) : words.count(count)
