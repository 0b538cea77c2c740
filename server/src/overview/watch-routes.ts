// The event stream of `/platform/v1`: what changes in the projects and domains that a client names, on one connection.
// The streams of a process share their feeds, and their rights are read together.

import { TOPICS_MAX, watch } from '@petstore-platform/contract/platform/watching'
import type { FastifyInstance } from 'fastify'
import type { Person } from '../accounts/sessions/guard.io.ts'
import type { DomainDeps } from '../domains/check.io.ts'
import { domainSubject } from '../domains/routes/show-domain.io.ts'
import { plainName } from '../domains/routes/redirect-routes.ts'
import * as domainDirectory from '../domains/store/directory.io.ts'
import { findDomain } from '../domains/store/domain-queries.ts'
import { openEventStream, type StreamTopic } from '../foundation/http/event-stream.ts'
import { openFeeds, type Listening } from '../foundation/http/feeds.io.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Revocations } from '../foundation/postgres/revocations.io.ts'
import { openSubscriptions } from '../foundation/postgres/subscriptions.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'
import { findSlug } from '../projects/directory.io.ts'
import type { Member } from '../projects/membership.io.ts'
import type { Platform } from '../projects/platform.ts'
import * as queries from '../projects/project-queries.ts'
import { projectSubject } from '../projects/project-subject.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { createStreamCounts, type CountedStream } from '../projects/stream-counts.ts'
import { openWatchRights, type WatcherRights } from '../projects/watch-rights.io.ts'

export type WatchDeps = Pick<Platform, 'database' | 'inProject' | 'personal' | 'plans' | 'now'> & {
  domains: DomainDeps
  revocations: Pick<Revocations, 'hold'>
  /** False only in a negative control, which shows that a poll per stream is detected. */
  sharesFeeds: boolean | undefined
}

/** How often the rights of all streams are read, and a stream shows that it is still there. */
const RECHECK_MS = 15 * SECOND

export function watchRoutes(app: FastifyInstance, deps: WatchDeps): void {
  const { database, personal, plans, revocations } = deps
  const onError = (error: Error) => app.log.warn({ err: error }, 'event streams could not be updated')
  const rights = openWatchRights(database.run, revocations, onError)
  const counts = createStreamCounts(plans)
  const listening = listeningOf(app, deps, { recheckMembersOf: rights.recheckMembersOf, onError })
  const streams = new Set<() => void>()
  const timer = setInterval(() => {
    for (const wake of streams) wake()
    rights.recheckAll().catch(onError)
  }, RECHECK_MS)
  app.addHook('onClose', async () => clearInterval(timer))

  mount(app, watch, personal, async ({ caller, query, client: { ended } }) => {
    const named = topicsIn(query.topics)
    const counted = counts.open(caller.account)
    atEnd(ended, counted.release)
    let wake = () => {}
    const own = rights.open({ ...caller, onLost: () => wake() })
    atEnd(ended, own.drop)

    const places = await placesOf(deps, { caller, own, counted }, named)
    const topics = await Promise.all(
      named.map(async ({ topic, slug, hostname }): Promise<StreamTopic> => {
        const place = places.get(slug)
        if (!place) return { topic, listen: undefined, isStillAllowed: () => false }
        const listen = hostname === undefined ? listening.toProject(place) : await listening.toDomain(place, hostname)
        return { topic, listen, isStillAllowed: () => own.isStillAllowedIn(place.project) }
      }),
    )
    if (topics.every(({ listen }) => !listen)) throw noneFound(named)
    // Also where only domains are watched: the audit events of a project show when a membership ends.
    for (const place of places.values()) atEnd(ended, listening.toProject(place)(() => {}).drop)
    const stream = openEventStream({ topics, ended, isStillAllowed: own.isStillAllowed })
    wake = stream.wake
    streams.add(wake)
    atEnd(ended, () => streams.delete(stream.wake))
    return { pieces: stream.pieces }
  })
}

type Place = Pick<Member, 'project' | 'slug'>
type Listen = (wake: () => void) => Listening

/** How to listen to projects and domains. */
function listeningOf(
  app: FastifyInstance,
  { database, inProject, domains, now, sharesFeeds }: WatchDeps,
  {
    recheckMembersOf,
    onError,
  }: { recheckMembersOf: (project: ProjectId) => Promise<void>; onError: (error: Error) => void },
) {
  const ofProjects = openSubscriptions(database, queries.AUDIT_CHANNEL)
  const ofDomains = openSubscriptions(database, domainDirectory.CHANNEL)
  app.addHook('onClose', async () => void (await Promise.all([ofProjects.close(), ofDomains.close()])))
  const feeds = openFeeds({ onError, monotonic: () => performance.now() }, sharesFeeds)
  return {
    toProject({ project }: Place): Listen {
      const subject = projectSubject(project, {
        subscriptions: ofProjects,
        newestEvents: (count) => inProject(project, (db) => queries.newestAuditEvents(db, project, count)),
        recheckRights: () => recheckMembersOf(project),
        now,
      })
      return (wake) => feeds.listen(subject, wake)
    },
    /** Undefined if the project has no such domain. */
    async toDomain(place: Place, hostname: string): Promise<Listen | undefined> {
      const row = await inProject(place.project, (db) => findDomain(db, place.project, hostname))
      const subject = row && domainSubject(domains, ofDomains, place, row)
      return subject && ((wake) => feeds.listen(subject, wake))
    },
  }
}

/** The projects of these topics that the account is a member of, by slug. */
async function placesOf(
  { database, inProject }: WatchDeps,
  { caller: { account }, own, counted }: { caller: Person; own: WatcherRights; counted: CountedStream },
  named: readonly NamedTopic[],
): Promise<ReadonlyMap<string, Place>> {
  const placeOf = async (slug: string): Promise<Place | undefined> => {
    const project = await findSlug(database.run, slug)
    if (project === undefined) return undefined
    own.enter(project)
    const standing = await inProject(project, (db) => queries.findStanding(db, project, account))
    if (standing) counted.enter(project, slug, standing.plan)
    else own.leave(project)
    return standing && { project, slug }
  }
  const slugs = [...new Set(named.map(({ slug }) => slug))]
  const found = await Promise.all(slugs.map(placeOf))
  return new Map(found.flatMap((place) => (place ? [[place.slug, place]] : [])))
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

function noneFound(named: readonly NamedTopic[]): Refusal {
  const areProjects = named.every(({ hostname }) => hostname === undefined)
  return new Refusal('not_found', areProjects ? 'No project with this slug.' : 'No project or domain with this name.')
}

function atEnd(ended: AbortSignal, release: () => unknown): void {
  if (ended.aborted) release()
  else ended.addEventListener('abort', () => release(), { once: true })
}
