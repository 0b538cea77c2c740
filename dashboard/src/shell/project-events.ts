// Keeps open pages up to date with a project's audit events: the server streams each
// event, and the affected queries are refetched. A table maps every event to its queries,
// so that no event is unhandled.
//
// Not refreshed are the rows and profiles of the animals and the draft of the site: no
// table moves and no text changes while the person works on it.

import type { AuditAction } from '@petstore-platform/contract/platform/audit'
import type { OperationId } from '@petstore-platform/contract/platform/client'
import type { TopicChanged } from '@petstore-platform/contract/platform/watching'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'
import { renew } from '../renew.ts'
import { watchTopic } from '../stream.ts'

const project = ['getProject', 'listProjects', 'getOverview'] as const
const plan = [...project, 'getPlanRequest'] as const
const people = ['listMembers', 'listInvitations', 'getProject'] as const
const keys = ['listKeys', 'getProject'] as const
const animals = ['getOverview', 'getProject'] as const
const categories = ['listCategories'] as const
// The bytes that they occupy; the photos themselves belong to an animal, and are not refreshed either.
const photos = ['getProject'] as const
const imports = ['listImports', 'getImport', 'getOverview', 'getProject'] as const
const orders = ['listOrders', 'getOrder', 'listNotes', 'getOverview'] as const
const deployments = ['listDeployments', 'getDeployment', 'getOverview'] as const
// Which address the site is known by may change with them.
const domains = ['listDomains', 'getDomainSettings', 'getOverview', 'getProject', 'listProjects'] as const

export const renewedBy: Readonly<Record<AuditAction, readonly OperationId[]>> = {
  project_created: project,
  project_renamed: project,
  project_kind_set: project,
  project_deleted: project,
  project_suspended: project,
  project_resumed: project,
  project_restored: project,
  project_held: [],
  project_released: [],
  project_erased: project,
  plan_requested: ['getPlanRequest'],
  plan_declined: ['getPlanRequest'],
  plan_set: plan,
  owner_added: people,
  visitor_mails_set: ['getNotifications', 'listOrders', 'getOrder'],
  member_changed: people,
  member_removed: people,
  invitation_created: people,
  invitation_revoked: people,
  invitation_accepted: people,
  key_created: keys,
  key_rotated: keys,
  key_revoked: keys,
  animal_created: animals,
  animal_changed: animals,
  animal_deleted: animals,
  profile_changed: [],
  photo_added: photos,
  photo_changed: photos,
  photo_deleted: photos,
  photos_ordered: photos,
  animal_status_set: animals,
  animal_statuses_set: animals,
  animals_changed: animals,
  category_created: categories,
  category_renamed: categories,
  category_deleted: categories,
  import_created: imports,
  import_started: imports,
  import_succeeded: imports,
  import_failed: imports,
  import_applied: imports,
  import_undo_started: imports,
  import_undone: imports,
  import_discarded: imports,
  order_placed: orders,
  order_contacted: orders,
  order_visit_set: orders,
  order_approved: orders,
  order_delivered: orders,
  order_declined: orders,
  order_withdrawn: orders,
  order_closed: orders,
  order_expired: orders,
  order_reopened: orders,
  order_undone: orders,
  order_held: orders,
  order_released: orders,
  order_noted: ['listOrders', 'listNotes'],
  order_erased: orders,
  request_settings_set: ['getRequestSettings'],
  site_changed: [],
  logo_changed: [],
  logo_removed: [],
  deployment_created: deployments,
  deployment_succeeded: deployments,
  deployment_failed: deployments,
  deployment_published: deployments,
  domain_added: domains,
  domain_verified: domains,
  domain_moved: domains,
  domain_removed: domains,
  domain_shared: [],
  domain_share_revoked: [],
  primary_domain_chosen: domains,
  redirects_set: domains,
}
const everything = [...new Set(Object.values(renewedBy).flat()), 'listAudit' as const]

/** True while events are received; otherwise everything is fetched again from time to time. */
export function useProjectEvents(slug: string, isWanted: boolean): boolean {
  const cache = useQueryClient()
  const [isHeard, setHeard] = useState(false)
  const isInFront = useDocumentVisibility() === 'visible'
  useEffect(() => {
    if (!isWanted) return
    const lose = () => {
      setHeard(false)
      // A request shows whether the server is unreachable, or refused the stream.
      void renew(cache, ['getProject'])
    }
    const leave = watchTopic<Extract<TopicChanged, { actions: unknown }>>(`project:${slug}`, {
      onChanged({ actions }) {
        // A newer server may send events that this page does not know.
        const renewed = actions.flatMap((action) => renewedBy[action] ?? [])
        void renew(cache, [...new Set([...renewed, 'listAudit' as const])])
      },
      onOpen(hasMissed) {
        setHeard(true)
        if (hasMissed) void renew(cache, everything)
      },
      onEnded: lose,
      onLost: lose,
      onAway: () => setHeard(false),
    })
    return () => {
      leave()
      setHeard(false)
    }
  }, [cache, slug, isWanted])
  const isPolling = isWanted && isInFront && !isHeard
  useEffect(() => {
    if (!isPolling) return
    const polling = setInterval(() => void renew(cache, everything), POLL_MS)
    return () => clearInterval(polling)
  }, [cache, isPolling])
  return isHeard
}

export const ProjectEventsContext = createContext(false)

/** Of pages that do not poll at all while events are received. */
const POLL_MS = 10_000
const HEARD_MS = 30_000

/** The polling interval of data that events cover: long, while events are received. */
export const useAskEvery = (ms: number): number => (useContext(ProjectEventsContext) ? HEARD_MS : ms)
