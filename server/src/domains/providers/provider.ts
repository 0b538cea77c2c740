// A provider runs the DNS of a name, and has its own terms for records and forms. The data is
// in `providers.ts`; a provider that is not listed there is called "your DNS provider", and
// nothing is assumed about it.

export type Provider = {
  id: string
  /** The name that people know it by. */
  name: string
  /** Suffixes of nameserver names, without the leading dot: 'ns.cloudflare.com'. */
  nameservers: readonly string[]
  /** Whole nameserver names, where a suffix cannot identify them. */
  pattern?: RegExp
  /** The form in which a record's name is typed: only the label in front of the zone, or the full name. */
  names: 'label' | 'full'
  /** The name that stands for the zone itself. */
  apexName: '@' | '' | 'full'
  /** Whether a value must end with a dot, because otherwise the zone's name is appended to it. */
  needsDot: boolean
  /**
   * The provider's term for a record at the apex that follows another name. `CNAME` is flattened.
   * Null: there is none. Undefined: unknown, and nothing is assumed.
   */
  apexAlias: 'ALIAS' | 'ANAME' | 'CNAME' | null | undefined
  /** The page on which owners edit their DNS records. */
  dnsPage: string | null
  /** Addresses that show a parking page, or forward to another URL. */
  parking: readonly string[]
  forwarding: readonly string[]
  /** Whether it runs no DNS for owners: every name that uses its nameservers shows advertisements. */
  isParking: boolean
}

export const UNKNOWN_PROVIDER = 'your DNS provider'

/** The name of a record in the form that this provider expects. */
export function typedName(provider: Provider | null, fullName: string, apex: string): string {
  if (provider?.names === 'full') return fullName
  if (fullName !== apex) return fullName.endsWith(`.${apex}`) ? fullName.slice(0, -apex.length - 1) : fullName
  const form = provider?.apexName ?? '@'
  return form === 'full' ? apex : form
}

// `entry` creates a provider with default values for what is the same at most providers.
// Fields that have not been researched stay unknown (`undefined`, null, an empty list):
// advice is worded from this data, and a wrong guess costs an owner an afternoon.

type Details = Partial<Omit<Provider, 'id' | 'name' | 'nameservers'>>

export const entry = (id: string, name: string, nameservers: readonly string[], details: Details = {}): Provider => ({
  id,
  name,
  nameservers,
  names: 'label',
  apexName: '@',
  needsDot: false,
  apexAlias: undefined,
  dnsPage: null,
  parking: [],
  forwarding: [],
  isParking: false,
  ...details,
})

/** Consecutive IPv4 addresses: `block('192.0.2.', 1, 3)`. */
export const block = (start: string, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${start}${first + index}`)
