// A long random walk over domain ownership: three projects add, verify and remove names, are
// deleted and created again, and DNS changes in the meantime. After each step the real SQL is
// compared with the reference (reference.ts): the holder of each name, its generation, the
// project that was verified last, and what is attached. `mistake` makes the reference wrong and
// `sabotage` the real side, as negative controls.

import { evidenceOf } from '../../evidence/evidence.ts'
import type { Wanted } from '../../../server/src/domains/observing/evidence.ts'
import { addDomain, removeDomain, verifyDomain } from '../../../server/src/domains/domains.io.ts'
import { checkDomain, type DomainDeps } from '../../../server/src/domains/check.io.ts'
import type { Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import { EDGE_ADDRESS, closeShop, domainDepsOf, hostOf, openShop } from './world.ts'
import { createReference, type Mistake, type Reference } from './reference.ts'
import { difference, domainsOf, shopOf, spoilers, tokenOf } from './stored.ts'
import { mulberry32 } from '../../harness/mulberry32.ts'

/** One way to corrupt the real side: each must be detected. */
export type Sabotage = keyof typeof spoilers | 'proof' | 'background'

export type WalkOptions = {
  steps: number
  seed: number
  /** The rule that the reference gets wrong. */
  mistake?: Mistake
  sabotage?: Sabotage
}

export type Violation = { step: number; seed: number; what: string; trail: readonly string[] }
export type WalkFigures = { steps: number; byKind: Record<string, number>; takes: number; moves: number }
export type Walked = WalkFigures & { violation: Violation | null }

const SHOPS = 3
const HOUR = 3_600_000
const TRAIL_MAX = 40

type Walk = {
  database: Database
  deps: DomainDeps
  reference: Reference
  hostnames: readonly string[]
  shops: Member[]
  /** Slugs that DNS may name and no project has yet; the next project takes the first. */
  unborn: string[]
  closed: string[]
  random: () => number
  sabotage: Sabotage | null
  newSlug: () => string
}

export async function walkOwnership(database: Database, options: WalkOptions): Promise<Walked> {
  const walk = await beginWalk(database, options)
  const trail: string[] = []
  const figures: WalkFigures = { steps: 0, byKind: {}, takes: 0, moves: 0 }
  while (figures.steps < options.steps) {
    const before = holdersOf(walk.reference)
    const kind = pick(walk, kinds)
    trail.push(`${kind} ${await steps[kind](walk)}`)
    if (trail.length > TRAIL_MAX) trail.shift()
    await spoil(walk)
    figures.steps++
    figures.byKind[kind] = (figures.byKind[kind] ?? 0) + 1
    const what = await difference(walk)
    count(figures, before, holdersOf(walk.reference))
    if (what !== null) return { ...figures, violation: { step: figures.steps, seed: options.seed, what, trail } }
  }
  return { ...figures, violation: null }
}

async function beginWalk(database: Database, { seed, mistake, sabotage }: WalkOptions): Promise<Walk> {
  const random = mulberry32(seed)
  const mark = `w${seed.toString(36)}-${Math.floor(random() * 1e9).toString(36)}`
  const apex = `${mark}.com`
  const hostnames = [apex, `www.${apex}`, `deep.www.${apex}`]
  const reference = createReference(hostnames, mistake)
  const clock = { now: Date.UTC(2026, 0, 1) }
  let slugs = 0
  const recordsOf = (hostname: string): string[] => {
    const { cname, txt } = reference.dns.get(hostname) ?? { cname: null, txt: null }
    return [
      ...(cname === null ? [] : [`${hostname} CNAME ${hostOf(cname)}`]),
      // A shared address, which proves nothing for any project.
      ...(hostname === apex ? [`${hostname} A ${EDGE_ADDRESS}`] : []),
      ...(txt === null ? [] : [`_petstore.${hostname} TXT ${txt}`]),
    ]
  }
  // An hour for each step: so every check is a full one.
  const deps = domainDepsOf(database, recordsOf, () => (clock.now += HOUR))
  // As if DNS proved for every project what it proves for another.
  if (sabotage === 'proof') deps.observe = (wanted) => Promise.resolve(provingAll(wanted))
  const newSlug = () => `${mark}-${slugs++}`
  const walk: Walk = {
    database,
    deps,
    reference,
    hostnames,
    shops: [],
    unborn: [newSlug(), newSlug()],
    closed: [],
    random,
    sabotage: sabotage ?? null,
    newSlug,
  }
  for (let number = 0; number < SHOPS; number++) await open(walk, newSlug())
  return walk
}

async function open(walk: Walk, slug: string): Promise<void> {
  walk.shops.push(await openShop(walk.database, slug))
  walk.reference.slugs.add(slug)
}

type Step = (walk: Walk) => Promise<string>

const steps = {
  add: async (walk) => {
    const [member, hostname] = [pick(walk, walk.shops), pick(walk, walk.hostnames)]
    const shop = shopOf(member)
    if (walk.reference.isAttached(shop, hostname)) return 'nothing: it is there'
    await addDomain(walk.deps, member, hostname)
    // Added, checked, and the token that the owner is shown: adding includes the check.
    const token = await tokenOf(walk, member, hostname)
    walk.reference.shown(shop, hostname, token)
    walk.reference.look(shop, hostname, false)
    return `${member.slug} ${hostname}`
  },
  verify: (walk) =>
    onAttached(walk, async (member, hostname) => {
      await verifyDomain(walk.deps, member, hostname)
      walk.reference.look(shopOf(member), hostname, true)
    }),
  look: (walk) =>
    onAttached(walk, async (member, hostname) => {
      const { project } = member
      const [domain] = await domainsOf(walk, [project], hostname)
      const id = domain?.id ?? ''
      const isRequested = walk.sabotage === 'background'
      await checkDomain(walk.deps, { project, id, isAsked: isRequested, actor: 'petstore', due: null, typed: null })
      walk.reference.look(shopOf(member), hostname, false)
    }),
  remove: (walk) =>
    onAttached(walk, async (member, hostname) => {
      await removeDomain(walk.deps, member, hostname)
      walk.reference.remove(shopOf(member), hostname)
    }),
  cname: (walk) => {
    const hostname = pick(walk, walk.hostnames.slice(1))
    const living = walk.shops.map(({ slug }) => slug)
    const named = [...living, ...living, ...walk.unborn, ...walk.closed.slice(-1), null]
    const cname = pick(walk, named)
    walk.reference.dns.set(hostname, { ...dnsOf(walk, hostname), cname })
    return Promise.resolve(`${hostname} to ${cname}`)
  },
  txt: (walk) => {
    const hostname = pick(walk, walk.hostnames)
    // Tokens of former holders as well: leftovers in DNS must not count.
    const txt = pick(walk, [...walk.reference.tokensFor(hostname).slice(-4), null])
    walk.reference.dns.set(hostname, { ...dnsOf(walk, hostname), txt })
    return Promise.resolve(`${hostname} says ${txt}`)
  },
  replace: async (walk) => {
    const index = Math.floor(walk.random() * walk.shops.length)
    const [gone] = walk.shops.splice(index, 1)
    if (!gone) return 'nothing'
    await closeShop(walk.deps, gone)
    walk.reference.deleteProject(shopOf(gone))
    walk.closed.push(gone.slug)
    const slug = walk.unborn.shift() ?? walk.newSlug()
    walk.unborn.push(walk.newSlug())
    await open(walk, slug)
    return `${gone.slug} by ${slug}`
  },
} as const satisfies Record<string, Step>

type Kind = keyof typeof steps

const weights: Readonly<Record<Kind, number>> = {
  add: 18,
  verify: 28,
  look: 12,
  remove: 6,
  cname: 14,
  txt: 20,
  replace: 2,
}
const kinds = (Object.keys(weights) as Kind[]).flatMap((kind) => Array<Kind>(weights[kind]).fill(kind))

async function spoil(walk: Walk): Promise<void> {
  const { sabotage } = walk
  if (sabotage === 'token_generation' || sabotage === 'generation') await spoilers[sabotage](walk)
}

const provingAll = ({ hostname, target }: Wanted) => evidenceOf({ hostname, records: [`${hostname} CNAME ${target}`] })

async function onAttached(walk: Walk, work: (member: Member, hostname: string) => Promise<void>): Promise<string> {
  const pairs = walk.shops.flatMap((member) =>
    walk.hostnames
      .filter((hostname) => walk.reference.isAttached(shopOf(member), hostname))
      .map((hostname) => ({ member, hostname })),
  )
  if (pairs.length === 0) return 'nothing is attached'
  // Mostly projects that DNS names: the others rarely change anything.
  const named = pairs.filter(({ member, hostname }) => walk.reference.isNamed(shopOf(member), hostname))
  const { member, hostname } = pick(walk, named.length > 0 && walk.random() < 0.7 ? named : pairs)
  await work(member, hostname)
  return `${member.slug} ${hostname}`
}

const dnsOf = ({ reference }: Walk, hostname: string) => reference.dns.get(hostname) ?? { cname: null, txt: null }

const holdersOf = ({ names }: Reference) => [...names.values()].map(({ holder }) => holder)

function count(figures: WalkFigures, before: readonly (bigint | null)[], after: readonly (bigint | null)[]): void {
  after.forEach((holder, index) => {
    if (holder === null || holder === before[index]) return
    if (before[index] === null) figures.takes++
    else figures.moves++
  })
}

function pick<T>({ random }: Pick<Walk, 'random'>, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
