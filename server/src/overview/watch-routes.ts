// The event stream of `/platform/v1`: what changes in the projects and domains that a client names, on one connection.

import { TOPICS_MAX, watch } from '@petstore-platform/contract/platform/watching'
import type { FastifyInstance } from 'fastify'
import type { Person } from '../accounts/guard.io.ts'
import { watch as keepWatched } from '../domains/advance.io.ts'
import type { DomainDeps } from '../domains/check.io.ts'
import { getDomain } from '../domains/domains.io.ts'
import { domainPoll } from '../domains/routes/domain-events.io.ts'
import { plainName } from '../domains/routes/redirect-routes.ts'
import { showDomain } from '../domains/routes/show-domain.io.ts'
import * as domainDirectory from '../domains/store/directory.io.ts'
import { findDomain } from '../domains/store/domain-queries.ts'
import { openSubscriptions, watching, type WatchedTopic } from '../foundation/http/event-stream.io.ts'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { findMember, type Member } from '../projects/membership.io.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import { auditPoll } from '../projects/project-events.io.ts'
import * as queries from '../projects/project-queries.ts'

export type WatchDeps = Pick<PlatformDeps, 'database' | 'inProject' | 'personal'> & { domains: DomainDeps }

/** People do not cause more events than that between two polls. */
const NEWEST = 100
/** Longer than the time between loading a page and subscribing. */
const RECENT_SECONDS = 10

export function watchRoutes(app: FastifyInstance, deps: WatchDeps): void {
  const { database, inProject, personal, domains } = deps
  const ofProjects = openSubscriptions(database, queries.AUDIT_CHANNEL)
  const ofDomains = openSubscriptions(database, domainDirectory.CHANNEL)
  app.addHook('onClose', async () => void (await Promise.all([ofProjects.close(), ofDomains.close()])))
  const memberOf = (person: Person, slug: string) => findMember({ run: database.run, inProject }, person, slug)

  const projectTopic = (topic: string, { project }: Member): WatchedTopic => ({
    topic,
    subscribe: () => ofProjects.subscribeTo(String(project)),
    poll: auditPoll(() => inProject(project, (db) => queries.newestAuditEvents(db, project, NEWEST, RECENT_SECONDS))),
  })
  const domainTopic = async (topic: string, member: Member, hostname: string): Promise<WatchedTopic | undefined> => {
    const { project } = member
    const row = await inProject(project, (db) => findDomain(db, project, hostname))
    return (
      row && {
        topic,
        subscribe: () => ofDomains.subscribeTo(domainDirectory.payloadOf(project, row.id)),
        poll: domainPoll({
          read: () => getDomain(domains, member, hostname).then((view) => showDomain(domains, member, view), asRemoved),
          keepWatched: () => keepWatched(domains, project, hostname),
        }),
      }
    )
  }

  const open = async (person: Person, { topic, slug, hostname }: NamedTopic): Promise<WatchedTopic | undefined> => {
    const member = await memberOf(person, slug)
    const found =
      member && (hostname === undefined ? projectTopic(topic, member) : domainTopic(topic, member, hostname))
    const watched = await found
    return (
      watched && {
        ...watched,
        poll: async () => ((await memberOf(person, slug)) ? watched.poll() : { endedBy: 'not_allowed' }),
      }
    )
  }

  mount(app, watch, personal, async ({ caller, query: { topics }, stay }) => {
    const named = topicsIn(topics)
    const found = await Promise.all(named.map(async (one) => ({ one, watched: await open(caller, one) })))
    if (found.every(({ watched }) => !watched)) throw notFound(named)
    return {
      pieces: watching({ topics: found.map(({ one, watched }) => watched ?? notAllowed(one.topic)), stay }),
    }
  })
}

type NamedTopic = { topic: string; slug: string; hostname: string | undefined }

function topicsIn(topics: string | undefined): NamedTopic[] {
  if (topics === undefined) {
    throw new Refusal('invalid_parameter', `Query parameter 'topics' is required: 1 to ${TOPICS_MAX} topics.`)
  }
  return [...new Set(topics.split(','))].map((topic) => {
    const [slug = '', hostname] = topic.slice(topic.indexOf(':') + 1).split('/')
    return { topic, slug, hostname: hostname === undefined ? undefined : plainName(hostname) }
  })
}

const notFound = (named: readonly NamedTopic[]) =>
  new Refusal(
    'not_found',
    named.every(({ hostname }) => hostname === undefined)
      ? 'No project with this slug.'
      : 'No project or domain with this name.',
  )

const notAllowed = (topic: string): WatchedTopic => ({
  topic,
  subscribe: () => ({ wait: () => new Promise(() => {}), drop: () => {} }),
  poll: async () => ({ endedBy: 'not_allowed' }),
})

function asRemoved(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'not_found') return undefined
  throw error
}
