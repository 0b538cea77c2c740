// Who runs the DNS of a name, and how things are called there. Data is in
// providers.ts; a provider that is not in it is called "your DNS provider", and
// nothing is guessed about it.

export type Provider = {
  id: string
  /** As people know it. */
  name: string
  /** Ends of nameservers' names, without the first dot: 'ns.cloudflare.com'. */
  nameservers: readonly string[]
  /** Whole names of nameservers, where ends cannot tell them. */
  pattern?: RegExp
  /** How the name of a record is typed: only what is in front of the zone, or all of it. */
  names: 'label' | 'full'
  /** What stands for the zone itself. */
  apexName: '@' | '' | 'full'
  /** Whether a value must end with a dot, or the zone's name is added to it. */
  needsDot: boolean
  /**
   * The word for a record at the apex that follows a name elsewhere. `CNAME` is
   * flattened. Null: there is none. Undefined: we do not know, and nothing is guessed.
   */
  apexAlias: 'ALIAS' | 'ANAME' | 'CNAME' | null | undefined
  /** Where people edit DNS there. */
  dnsPage: string | null
  /** Addresses that show a parking page, or forward to another address. */
  parking: readonly string[]
  forwarding: readonly string[]
  /** Whether it runs no DNS for owners: every name that uses its nameservers shows advertisements. */
  isParking: boolean
}

export const UNKNOWN_PROVIDER = 'your DNS provider'

/** The name of a record as this provider wants it typed. */
export function typedName(provider: Provider | null, fullName: string, apex: string): string {
  if (provider?.names === 'full') return fullName
  if (fullName !== apex) return fullName.endsWith(`.${apex}`) ? fullName.slice(0, -apex.length - 1) : fullName
  const form = provider?.apexName ?? '@'
  return form === 'full' ? apex : form
}
