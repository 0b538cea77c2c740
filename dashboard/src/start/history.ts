// The numbers and charts of the last weeks, from the history of the overview: one number for each day, the last one is
// today. Pure. A chart is drawn once there is enough to compare.

import type { Overview } from './views.ts'

const WEEK = 7

type Trend = {
  total: number
  /** The difference to the time before it, once that is complete. */
  change: number | undefined
  before: number
  /** Empty while there is too little to draw. */
  chart: readonly number[]
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Orders of the last seven days, drawn by day for two weeks once there is a week of them. */
export const orderTrend = ({ orders }: Overview['history']): Trend => ({
  ...compared(orders, WEEK),
  chart: orders.length < WEEK ? [] : padded(orders, 2 * WEEK),
})

/** Homes of the last four weeks, drawn by week for as many whole weeks as there are. */
export function homeTrend({ homes }: Overview['history']): Trend {
  const weeks = Math.floor(homes.length / WEEK)
  const byWeek = Array.from({ length: weeks }, (_, index) => {
    const end = homes.length - (weeks - 1 - index) * WEEK
    return sum(homes.slice(end - WEEK, end))
  })
  return { ...compared(homes, 4 * WEEK), chart: weeks < 2 || sum(byWeek) === 0 ? [] : byWeek }
}

function compared(values: readonly number[], days: number): Pick<Trend, 'total' | 'change' | 'before'> {
  const total = sum(values.slice(-days))
  const before = sum(values.slice(-2 * days, -days))
  return { total, before, change: values.length < 2 * days || total === before ? undefined : total - before }
}

/** Before the first order there were none. */
const padded = (values: readonly number[], length: number) => [
  ...Array.from({ length: Math.max(0, length - values.length) }, () => 0),
  ...values.slice(-length),
]
