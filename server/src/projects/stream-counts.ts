// How many event streams are open: of an account, of a project, and in all. A stream lives in one process, so these are
// counted in its memory. Pure.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { Counts } from '../foundation/load/counts.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlanRules } from './plan-rules.ts'
import type { ProjectId } from './scope.io.ts'

/** Streams of others end at any time. */
const RETRY_SECONDS = 10

export type CountedStream = {
  /** Refuses if the project has as many streams as its plan includes. */
  enter: (project: ProjectId, slug: string, plan: PlanName) => void
  /** May be called more than once. */
  release: () => void
}

export type StreamCounts = {
  /** Refuses if the account or the process has as many streams as it may. */
  open(account: string): CountedStream
}

/** The limits that apply, among those of an installation. */
export type StreamLimits = Pick<PlanRules, 'most'> & {
  other: Pick<PlanRules['other'], 'accountStreams' | 'processStreams'>
}

export function createStreamCounts({ most, other }: StreamLimits): StreamCounts {
  const ofAccounts = new Counts<string>()
  const ofProjects = new Counts<ProjectId>()
  let inAll = 0
  return {
    open(account) {
      const { accountStreams, processStreams } = other
      if (inAll >= processStreams) throw tooManyStreams(`This server has ${inAll} open event streams, its limit.`)
      if (ofAccounts.of(account) >= accountStreams) {
        throw tooManyStreams(`Your account has ${accountStreams} open event streams, the limit. Close another page.`)
      }
      ofAccounts.add(account, 1)
      inAll += 1
      const projects = new Set<ProjectId>()
      let isReleased = false
      return {
        enter(project, slug, plan) {
          if (projects.has(project) || isReleased) return
          const mostOfProject = most(plan, 'streams')
          if (ofProjects.of(project) >= mostOfProject) {
            const included = `the plan '${plan}' includes no more`
            throw tooManyStreams(`The project '${slug}' has ${mostOfProject} open event streams; ${included}.`)
          }
          projects.add(project)
          ofProjects.add(project, 1)
        },
        release() {
          if (isReleased) return
          isReleased = true
          inAll -= 1
          ofAccounts.add(account, -1)
          for (const project of projects) ofProjects.add(project, -1)
        },
      }
    },
  }
}

const tooManyStreams = (sentence: string) =>
  new Refusal('rate_limited', `${sentence} Retry in ${RETRY_SECONDS} s.`, { 'Retry-After': String(RETRY_SECONDS) })
