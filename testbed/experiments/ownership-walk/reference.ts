// The reference model of domain ownership, by the rules of
// testbed/experiments/ownership-model/domain-ownership.pml, as simply as they can be written: no
// database, no lock, one step after another. The walk in walk.ts compares the real SQL with it.
//
// - a name without a holder is proven by a CNAME to the project, or by its token;
// - a CNAME does not count at a name that was observed pointing at that slug before the slug
//   belonged to any project, nor below a name that another project holds;
// - a name that another project holds moves only by a token, and only on request;
// - a token counts only if it was created after the last proof of another project;
// - each verify and each remove raises the name's generation.

/** A project of the walk. Its slug is never reused. */
export type Shop = { slug: string; id: bigint }

export type NameState = {
  holder: bigint | null
  generation: bigint
  last: { project: bigint; generation: bigint } | null
}

export type Token = { project: bigint; hostname: string; generation: bigint }

export type Dns = { cname: string | null; txt: string | null }

/** One deliberate mistake in the rules, to show that the walk would detect it (negative control). */
export type Mistake = 'claim' | 'leftover' | 'background' | 'sighting' | 'guard'

export type Reference = ReturnType<typeof createReference>

export function createReference(hostnames: readonly string[], mistake: Mistake | null = null) {
  const names = new Map<string, NameState>(
    hostnames.map((hostname) => [hostname, { holder: null, generation: 0n, last: null }]),
  )
  const dns = new Map<string, Dns>(hostnames.map((hostname) => [hostname, { cname: null, txt: null }]))
  /** By `<project> <hostname>`: the valid token of an attached domain. */
  const attached = new Map<string, string>()
  /** By text: the project and the time it was created for. */
  const tokens = new Map<string, Token>()
  const sightings = new Set<string>()
  const slugs = new Set<string>()

  const nameOf = (hostname: string) => known(names.get(hostname))
  const dnsOf = (hostname: string) => known(dns.get(hostname))

  /** The holder of the nearest name above that has one. */
  const guardOf = (hostname: string): bigint | null => {
    const above = hostname.slice(hostname.indexOf('.') + 1)
    if (!above.includes('.')) return null
    return names.get(above)?.holder ?? guardOf(above)
  }

  const cnameProves = ({ slug, id }: Shop, hostname: string): boolean => {
    if (dnsOf(hostname).cname !== slug) return false
    if (sightings.has(`${hostname} ${slug}`) && mistake !== 'sighting') return false
    const guard = guardOf(hostname)
    return guard === null || guard === id || mistake === 'guard'
  }

  const tokenProves = ({ id }: Shop, hostname: string): boolean => {
    const { txt } = dnsOf(hostname)
    const token = txt === null ? undefined : tokens.get(txt)
    if (token === undefined || attached.get(keyOf(id, hostname)) !== txt) return false
    const { last } = nameOf(hostname)
    const isFresh = last === null || last.project === id || token.generation >= last.generation
    return isFresh || mistake === 'leftover'
  }

  const isProven = (shop: Shop, hostname: string, isRequested: boolean): boolean => {
    const isFree = nameOf(hostname).holder === null
    if (isFree) return cnameProves(shop, hostname) || tokenProves(shop, hostname) || mistake === 'claim'
    return (isRequested || mistake === 'background') && tokenProves(shop, hostname)
  }

  const remove = ({ id }: Shop, hostname: string): void => {
    attached.delete(keyOf(id, hostname))
    const name = nameOf(hostname)
    if (name.holder === id) names.set(hostname, { ...name, holder: null, generation: name.generation + 1n })
  }

  return {
    names,
    dns,
    slugs,
    isAttached: ({ id }: Shop, hostname: string): boolean => attached.has(keyOf(id, hostname)),

    /** Whether DNS names this project, as a proof or not. */
    isNamed: ({ id, slug }: Shop, hostname: string): boolean =>
      dnsOf(hostname).cname === slug || attached.get(keyOf(id, hostname)) === dnsOf(hostname).txt,

    /** Every token that was ever shown for a name, the newest last. */
    tokensFor: (hostname: string): string[] =>
      [...tokens].filter(([, token]) => token.hostname === hostname).map(([text]) => text),

    /** A token's text is what the owner is shown; what counts is when it was first shown. */
    shown({ id }: Shop, hostname: string, token: string): void {
      attached.set(keyOf(id, hostname), token)
      const { generation } = nameOf(hostname)
      if (!tokens.has(token)) tokens.set(token, { project: id, hostname, generation })
    },

    /** A check, requested or in the background, for a project that has the name attached. */
    look(shop: Shop, hostname: string, isRequested: boolean): void {
      const name = nameOf(hostname)
      const { cname } = dnsOf(hostname)
      if (cname !== null && !slugs.has(cname)) sightings.add(`${hostname} ${cname}`)
      if (name.holder === shop.id || !isProven(shop, hostname, isRequested)) return
      if (name.holder !== null) attached.delete(keyOf(name.holder, hostname))
      const generation = name.generation + 1n
      names.set(hostname, { holder: shop.id, generation, last: { project: shop.id, generation } })
    },

    remove,
    deleteProject(shop: Shop): void {
      for (const hostname of names.keys()) remove(shop, hostname)
    },
  }
}

const keyOf = (project: bigint, hostname: string) => `${project} ${hostname}`

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the walk has no such name')
  return found
}
