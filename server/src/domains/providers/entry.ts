// `entry` creates a provider with default values for what is the same at most providers.
// Fields that have not been researched stay unknown (`undefined`, null, an empty list):
// advice is worded from this data, and a wrong guess costs an owner an afternoon.

import type { Provider } from './provider.ts'

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
