// The numbers of the store: animals by status, and orders and homes of the last weeks with their charts. Each number
// links to what it counts. A store without animals has none to show.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { Link } from '@tanstack/react-router'
import { Heart, Hourglass, Inbox, PawPrint } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Bars, Line } from '../ui/chart.tsx'
import { Stat } from '../ui/stat.tsx'
import { homeTrend, orderTrend } from './history.ts'
import type { Overview } from './views.ts'

const { numbers: words } = texts.start

export function Numbers({ overview: { animals, history } }: { overview: Overview }) {
  const { slug } = useProject()
  const orders = orderTrend(history)
  const homes = homeTrend(history)
  if (Object.values(animals).every(({ count }) => count === 0)) return null
  return (
    <section aria-label={words.title} className="home-numbers">
      <Link
        to="/projects/$project/animals"
        params={{ project: slug }}
        search={{ status: 'available' }}
        className="card stat"
      >
        <Stat of={PawPrint} name={words.available} value={countWords(animals.available)}>
          <Caption>{words.availableText}</Caption>
        </Stat>
      </Link>
      <Link
        to="/projects/$project/animals"
        params={{ project: slug }}
        search={{ status: 'pending' }}
        className="card stat"
      >
        <Stat of={Hourglass} name={words.pending} value={countWords(animals.pending)}>
          <Caption>{words.pendingText}</Caption>
        </Stat>
      </Link>
      <Link to="/projects/$project/requests" params={{ project: slug }} className="card stat">
        <Stat of={Inbox} name={words.orders} value={words.count(orders.total)} change={changeWords(orders.change)}>
          {orders.chart.length > 0 ? (
            <Bars
              values={orders.chart}
              recent={7}
              says={words.ordersChart(words.count(orders.total), words.count(orders.before))}
            />
          ) : (
            <Caption>{words.ordersText}</Caption>
          )}
        </Stat>
      </Link>
      <Link
        to="/projects/$project/requests"
        params={{ project: slug }}
        search={{ show: 'closed' }}
        className="card stat"
      >
        <Stat of={Heart} name={words.homes} value={words.count(homes.total)} change={changeWords(homes.change)}>
          {homes.chart.length > 0 ? (
            <Line values={homes.chart} isSecond says={words.homesChart(homes.chart.length)} />
          ) : (
            <Caption>{words.homesText}</Caption>
          )}
        </Stat>
      </Link>
    </section>
  )
}

const Caption = ({ children }: { children: string }) => <span className="stat-caption">{children}</span>

const countWords = ({ count, isMore }: Overview['animals'][PetStatus]): string =>
  isMore ? words.more(count) : words.count(count)

const changeWords = (change: number | undefined) => (change === undefined ? undefined : words.change(change))
