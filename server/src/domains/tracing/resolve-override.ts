// Parses an address override for a host, in the form of curl's `--resolve`: used before DNS is
// changed, or in a test. A port may follow the address, because tests cannot use port 443.

import { sameAddress } from '../../foundation/dns/addresses.ts'

/** `*` is every host. */
export type ResolveOverride = { host: string; port: number; address: string; toPort: number }

const form = /^(\*|[a-z0-9._-]+):(\d{1,5}):(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i

/** Null if the text is not an override. */
export function parseResolveOverride(text: string): ResolveOverride | null {
  const [whole, host = '', port = '', six, four = '', other = port] = form.exec(text) ?? []
  const address = sameAddress(six ?? four)
  if (whole === undefined || address === null || !isPort(port) || !isPort(other)) return null
  return { host: host.toLowerCase(), port: Number(port), address, toPort: Number(other) }
}

const isPort = (text: string): boolean => Number(text) >= 1 && Number(text) <= 65_535
