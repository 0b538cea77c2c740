// A domain as a subject of event streams: sent first as it is, and again whenever it has changed, until it is removed.

import type { Subject } from '../../foundation/http/feeds.io.ts'
import type { Subscriptions } from '../../foundation/postgres/subscriptions.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { SECOND } from '../../foundation/time.ts'
import type { Member } from '../../projects/membership.io.ts'
import { watch } from '../advance.io.ts'
import type { DomainDeps } from '../check.io.ts'
import { getDomain } from '../domains.io.ts'
import { payloadOf } from '../store/directory.io.ts'
import type { DomainRow } from '../store/domain-queries.ts'
import { showDomain } from './show-domain.io.ts'

/** Also how often the domain is marked as watched, so that it is checked more often. */
const QUIET_MS = 5 * SECOND

export type DomainState = { json: string }

export function domainSubject(
  domains: DomainDeps,
  subscriptions: Subscriptions,
  { project, slug }: Pick<Member, 'project' | 'slug'>,
  { id, hostname }: Pick<DomainRow, 'id' | 'hostname'>,
): Subject<DomainState> {
  const read = async () => {
    try {
      return await showDomain(domains, { project, slug }, await getDomain(domains, { project }, hostname))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined
      throw error
    }
  }
  return {
    name: `domain ${project} ${id}`,
    subscriptions,
    payload: payloadOf(project, id),
    quietMs: QUIET_MS,
    async read(before) {
      const [json] = await Promise.all([read(), watch(domains, project, hostname)])
      if (json === undefined) return undefined
      return json === before?.json ? before : { json }
    },
    first: ({ json }) => `"domain":${json}`,
    change: (_, { json }) => `"domain":${json}`,
  }
}
