// Owners who do what people do in the dashboard: add, watch, read the history. Each shop is a
// project of its own, because the API allows thirty checks per project and minute, and that
// limit is not measured here.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { publishAtOnce } from '../../harness/publish.ts'
import type { Environment } from '../../harness/full-environment.ts'
import { setPlan } from '../../../server/src/plans/plans.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'

export type Shop = {
  slug: string
  /** The default host of its site; the target of its owner's records. */
  defaultHost: string
  add(hostname: string): Promise<void>
  /** The time of the last event of each kind. */
  history(hostname: string): Promise<Record<string, number>>
  /** In words: its status, and the reason. */
  stands(hostname: string): Promise<string>
}

/** Fewer than a project may add in a minute, or order at once. */
export const NAMES_PER_SHOP = 20

export async function openShops({ service }: Environment, count: number): Promise<Shop[]> {
  const { database, owner, origin, headers } = service
  const inProject = inProjectOf(database)
  const slugs = Array.from({ length: count }, (_, index) => (index === 0 ? owner.slug : `${owner.slug}-${index}`))
  for (const slug of slugs.slice(1)) {
    const project = await createProject(database, { slug, name: slug, owner: owner.account })
    await setPlan({ inProject }, project, 'enterprise', 'operator')
    await publishAtOnce(inProject, project, { settings: firstSettings(slug), categories: [], logo: null })
  }
  return slugs.map((slug) => shopAt(`${origin}/platform/v1/projects/${slug}/domains`, slug, headers))
}

function shopAt(url: string, slug: string, headers: Record<string, string>): Shop {
  return {
    slug,
    defaultHost: `${slug}.petstore.test`,
    async add(hostname) {
      const typed = { ...headers, 'Content-Type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers: typed, body: JSON.stringify({ hostname }) })
      const text = await response.text()
      if (response.status !== 201) throw new Error(`${hostname} was not added: ${response.status} ${text}`)
    },
    async history(hostname) {
      const response = await fetch(`${url}/${hostname}/history?limit=100`, { headers })
      const events = (await response.json()) as { at: string; kind: string }[]
      return Object.fromEntries(events.toReversed().map(({ at, kind }) => [kind, Date.parse(at)]))
    },
    async stands(hostname) {
      const response = await fetch(`${url}/${hostname}`, { headers })
      const { status, axes, rootCause } = (await response.json()) as Domain
      return `${status}, ${rootCause?.code ?? 'without a cause'}, ${JSON.stringify(axes)}`
    },
  }
}
