// Provider detection identifies the DNS provider of a name by its nameservers. It compares
// whole labels from the end, never a part of a label, so `evilcloudflare.com` is unknown. All
// recognised nameservers must belong to one provider, and they must be more than half; a
// domain with two providers gets the generic wording instead of a wrong one.

import { clouds } from './clouds.ts'
import { europe } from './europe.ts'
import { holdLabel, holds, parking } from './parking.ts'
import type { Provider } from './provider.ts'
import { registrars, elsewhere } from './registrars.ts'

export const providers: readonly Provider[] = [...clouds, ...registrars, ...europe, ...elsewhere, ...parking]

const bySuffix = new Map(providers.flatMap((provider) => provider.nameservers.map((end) => [end, provider] as const)))
const byPattern = providers.filter(({ pattern }) => pattern !== undefined)

export function providerOf(nameservers: readonly string[]): Provider | null {
  const names = new Set(nameservers.map(plain))
  const found = [...names].map(providerOfOne).filter((provider) => provider !== null)
  const [first] = found
  if (first === undefined || found.some((provider) => provider !== first)) return null
  return found.length * 2 > names.size ? first : null
}

/** Whether all nameservers are those of a registrar that has suspended the name. Names below the apex never are. */
export function isOnHold(nameservers: readonly string[], apex: string): boolean {
  return nameservers.length > 0 && nameservers.map(plain).every((name) => isHold(name) && !endsOf(name).includes(apex))
}

/** The provider whose parking page or forwarder is at this address, regardless of who runs the DNS. */
export const parkingAt = (address: string): Provider | null =>
  providers.find((provider) => provider.parking.includes(address)) ?? null
export const forwardingAt = (address: string): Provider | null =>
  providers.find((provider) => provider.forwarding.includes(address)) ?? null

const plain = (nameserver: string) => nameserver.toLowerCase().replace(/\.$/, '')

function providerOfOne(nameserver: string): Provider | null {
  const byEnd = endsOf(nameserver).map((end) => bySuffix.get(end))
  return (
    byEnd.find((provider) => provider !== undefined) ??
    byPattern.find(({ pattern }) => pattern?.test(nameserver)) ??
    null
  )
}

function isHold(nameserver: string): boolean {
  const isListed = endsOf(nameserver).some((end) => holds.includes(end))
  // The last two labels are a name that anyone may have registered.
  return (
    isListed ||
    nameserver
      .split('.')
      .slice(0, -2)
      .some((label) => holdLabel.test(label))
  )
}

/** The name and each of its parent names: a.b.c, b.c, c. */
function endsOf(name: string): string[] {
  const labels = name.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
