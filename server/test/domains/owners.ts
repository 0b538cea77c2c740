// Shared set-up of tests of domains: owners who may add a domain, because their plan
// includes it and their site is deployed; and DNS as scripted by the test.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { setPlan } from '../../src/plans/plans.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import { allowed, deploying } from '../sites/deployments.ts'
import { startPeople, type People } from '../platform/people.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import type { TestServiceOptions } from '../../../testbed/harness/service.ts'
import { scriptedDns, type ScriptedDns } from '../../../testbed/harness/scripted-dns.ts'

/** The steps of owners before they have domains, and the state that follows. */
export type Owning = {
  /** An owner on the plan pro whose site is deployed. */
  ready(slug?: string): Promise<PlatformOwner>
  plan(owner: PlatformOwner, plan: PlanName): Promise<void>
  deployed(owner: PlatformOwner): Promise<void>
  /** As if certificates had been issued already: visitors are served at these hostnames. */
  makeLive(owner: PlatformOwner, ...hostnames: readonly string[]): Promise<void>
}

export type DomainOwners = Owning & { people: People; dns: ScriptedDns }

export const domainsPath = ({ slug }: Pick<PlatformOwner, 'slug'>, rest = '') => `/projects/${slug}/domains${rest}`

export async function startDomainOwners(options: Pick<TestServiceOptions, 'now' | 'env'> = {}): Promise<DomainOwners> {
  const dns = scriptedDns()
  const env = { PLATFORM_HOST: 'petstore.example', ...options.env }
  const people = await startPeople({ ...options, observe: dns.observe, env })
  return { people, dns, ...owningOn(people) }
}

export function owningOn(people: People): Owning {
  const { service, database } = people.test
  const site = deploying(people)
  const owners: Owning = {
    async ready(slug) {
      const owner = await people.owner(slug)
      await owners.plan(owner, 'pro')
      await owners.deployed(owner)
      return owner
    },
    async plan({ project }, plan) {
      await setPlan({ inProject: inProjectOf(service.database) }, project, plan, 'test')
    },
    async deployed(owner) {
      await site.working(allowed, async () => site.finished(owner, (await site.deploy(owner)).id))
    },
    makeLive: ({ project }, ...hostnames) =>
      asProject(database, project, async (client) => {
        await client.query(
          `update domains
           set ownership = 'proven', generation = 1, certificate = 'deployed', routing = 'pointing', cause = null,
             cause_severity = null
           where project_id = $1 and hostname = any ($2)`,
          [project, hostnames],
        )
      }),
  }
  return owners
}
