// The usage of the plan, as a bar where there is a limit.

import type { Limits } from '@petstore-platform/contract/platform/projects'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Meter } from '../ui/chart.tsx'
import { amountOf, limitLabels, limitList } from './views.ts'

const { plan: words } = texts.projects
const ALMOST = 0.8

export function UsageBars() {
  const { limits } = useProject()
  const used = useUsed()
  return (
    <div className="usage" role="group" aria-label={words.usage}>
      {limitList.map((limit) => (
        <Bar key={limit} limit={limit} most={limits[limit]} used={used[limit]} />
      ))}
    </div>
  )
}

type Used = { count: number; isMore: boolean } | undefined

/** How much of each there is; undefined for what is not counted, or not known yet. */
function useUsed(): Readonly<Record<keyof Limits, Used>> {
  const { slug, usage } = useProject()
  const { data } = useQuery(query('getOverview', { project: slug }))
  const animals = data && Object.values(data.animals)
  const domains = data && Object.values(data.domains)
  return {
    animals: animals && { count: sum(animals.map(({ count }) => count)), isMore: animals.some(({ isMore }) => isMore) },
    members: { count: usage.members, isMore: false },
    keys: { count: usage.keys, isMore: false },
    importRows: undefined,
    customDomains: domains && { count: sum(domains), isMore: false },
    photoBytes: { count: usage.photoBytes, isMore: false },
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

function Bar({ limit, most, used }: { limit: keyof Limits; most: number; used: Used }) {
  const label = limitLabels[limit]
  const share = used && most > 0 ? used.count / most : undefined
  return (
    <div className="usage-line">
      <span className="usage-name">{label}</span>
      <span className="quiet num">
        {wordsOf(limit, most, used)}
        {share !== undefined && share >= ALMOST && <strong>. {share >= 1 ? words.full : words.almost}</strong>}
      </span>
      {share !== undefined && <Meter share={share} />}
    </div>
  )
}

function wordsOf(limit: keyof Limits, most: number, used: Used): string {
  const limited = most === 0 ? words.none : amountOf(limit, most)
  if (limit === 'importRows') return words.atMost(limited)
  if (used === undefined) return limited
  if (most === 0 && used.count === 0) return words.none
  const count = used.isMore ? words.moreThan(used.count) : amountOf(limit, used.count)
  return words.of(count, amountOf(limit, most))
}
