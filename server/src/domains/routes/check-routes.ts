// The check of a hostname before it is added, on `/platform/v1`. It observes and judges as for
// a domain; nothing is stored, and nothing is claimed.

import * as contract from '@petstore-platform/contract/platform/domains'
import type { FastifyInstance } from 'fastify'
import { namesUpward } from '../../foundation/dns/hostname.ts'
import { mount } from '../../foundation/http/operation.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { Platform } from '../../projects/platform.ts'
import { findProject } from '../../projects/project-queries.ts'
import type { DomainDeps } from '../check.io.ts'
import { asksForToken } from '../judging/judge-ownership.ts'
import { judge } from '../judging/judge.ts'
import { slugsIn } from '../lifecycle/light-check.ts'
import { readHostname, siblingOf, type GoodName, type NameOptions } from '../naming/names.ts'
import { nothingKnown, wantedOf, type Evidence, type Known } from '../observing/evidence.ts'
import * as directory from '../store/directory.io.ts'
import * as queries from '../store/domain-queries.ts'
import { checkJson } from '../views/domain-json.ts'

/** `count` refuses callers above the rate limit. */
export function checkRoute(
  app: FastifyInstance,
  { within, domains, names }: Pick<Platform, 'within'> & { domains: DomainDeps; names: NameOptions },
  count: (key: string) => Promise<void>,
): void {
  const { observe, platform, now } = domains
  mount(app, contract.checkDomain, within, async ({ caller, body }) => {
    const name = nameFrom(body.hostname, names)
    await count(String(caller.project))
    const { token, sibling, ...known } = await knownOf(domains, caller, name, body.hostname)
    const wanted = wantedOf(platform, caller.slug, name.hostname, token)
    const evidence = await observe(wanted, { now: now(), isFull: true, rotation: 0 })
    const otherProjects = await othersIn(domains, evidence, caller.slug)
    const judgement = judge({ wanted, evidence, known: { ...known, otherProjects } }, now())
    const isProofToCome = token === null && judgement.ownership !== 'proven' && asksForToken(known, judgement)
    return { json: checkJson(name.hostname, { judgement, evidence, sibling, isProofToCome }) }
  })
}

/** The hostname that the owner meant, or a refusal with the reason why there is none. */
export function nameFrom(typed: string, options: NameOptions): GoodName {
  const name = readHostname(typed, options)
  if (!name.ok) throw new Refusal(name.code, name.message)
  return name
}

/** The owner's input, if it was more than the hostname. */
export const typedBeside = ({ isCleaned }: GoodName, typed: string): string | null => (isCleaned ? typed : null)

const knownOf = (
  { inProject, plans }: DomainDeps,
  { project, slug }: Member,
  name: GoodName,
  typed: string,
): Promise<Known & { token: string | null; sibling: string | null }> =>
  inProject(project, async (db) => {
    const { hostname } = name
    const owner = await findProject(db, project)
    const row = await queries.findDomain(db, project, hostname)
    const { holder } = await directory.findHolding(db, hostname)
    const guard = await directory.findGuard(db, namesUpward(hostname).slice(1))
    const sibling = siblingOf(hostname)
    const hasSibling = sibling !== null && (await queries.findDomain(db, project, sibling)) !== undefined
    return {
      ...nothingKnown,
      sibling: hasSibling ? null : sibling,
      token: row?.token ?? null,
      planAllows: owner !== undefined && plans.most(owner.plan, 'customDomains') > 0,
      isHeldByOther: holder !== null && holder.project !== project,
      isGuardedByOther: guard !== undefined && guard !== project,
      isProven: row?.ownership === 'proven',
      isCnameOlder: await directory.wasSighted(db, hostname, slug),
      wasTokenSeen: row?.wasTokenSeen ?? false,
      staleTokens: row?.staleTokens ?? [],
      typed: typedBeside(name, typed),
    }
  })

async function othersIn({ database: { run }, platform }: DomainDeps, evidence: Evidence, own: string) {
  const slugs = slugsIn(evidence, platform.host).filter((slug) => slug !== own)
  const known = slugs.length === 0 ? [] : await directory.knownSlugs(run, slugs)
  return known.map((slug) => `${slug}.${platform.host}`)
}
