// Network detection identifies the proxy between visitors and us by its address or its
// headers. Only ranges that their owners publish and rarely change are listed; other proxies
// are recognised by their response headers. A network alone never makes an address wrong:
// many sites are hosted in them.

export type ReverseProxy = { id: 'cloudflare' | 'other'; name: string }

/** The proxy at an address, by its network first and then by its headers (lower case); null if unknown. */
export function proxyOf(address: string, headers: Readonly<Record<string, string>> = {}): ReverseProxy | null {
  const bits = bitsOf(address)
  const published =
    bits === null ? undefined : networks.find(({ ranges }) => ranges.some((range) => holds(range, bits)))
  const found = published ?? signatures.find(({ isSign }) => isSign(headers))
  return found ? { id: found.id, name: found.name } : null
}

type Range = { family: number; prefix: bigint; shift: bigint }
type Network = ReverseProxy & { ranges: readonly Range[] }

// https://www.cloudflare.com/ips and https://api.fastly.com/public-ip-list
const networks: readonly Network[] = [
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    ranges: rangesOf(
      `173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18
       190.93.240.0/20 188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13
       104.24.0.0/14 172.64.0.0/13 131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32
       2405:b500::/32 2405:8100::/32 2a06:98c0::/29 2c0f:f248::/32`,
    ),
  },
  {
    id: 'other',
    name: 'Fastly',
    ranges: rangesOf(
      `23.235.32.0/20 43.249.72.0/22 103.244.50.0/24 103.245.222.0/23 103.245.224.0/24 104.156.80.0/20
       140.248.64.0/18 140.248.128.0/17 146.75.0.0/17 151.101.0.0/16 157.52.64.0/18 167.82.0.0/17
       167.82.128.0/20 167.82.160.0/20 167.82.224.0/20 172.111.64.0/18 185.31.16.0/22 199.27.72.0/21
       199.232.0.0/16 2a04:4e40::/32 2a04:4e42::/32`,
    ),
  },
]

type Signature = ReverseProxy & { isSign: (headers: Readonly<Record<string, string>>) => boolean }

const hasHeader = (name: string, word: RegExp) => (headers: Readonly<Record<string, string>>) =>
  word.test(headers[name] ?? '')

const signatures: readonly Signature[] = [
  { id: 'cloudflare', name: 'Cloudflare', isSign: hasHeader('cf-ray', /^[0-9a-f]{16}/i) },
  { id: 'other', name: 'Amazon CloudFront', isSign: hasHeader('via', /cloudfront/i) },
  { id: 'other', name: 'Amazon CloudFront', isSign: hasHeader('x-cache', /cloudfront/i) },
  { id: 'other', name: 'Fastly', isSign: hasHeader('x-served-by', /^cache-/i) },
  { id: 'other', name: 'Akamai', isSign: hasHeader('server', /^akamai/i) },
  { id: 'other', name: 'Bunny', isSign: hasHeader('server', /^bunnycdn/i) },
  { id: 'other', name: 'KeyCDN', isSign: hasHeader('server', /^keycdn/i) },
  { id: 'other', name: 'Sucuri', isSign: hasHeader('server', /^sucuri/i) },
  { id: 'other', name: 'Google Cloud CDN', isSign: hasHeader('via', /^1\.1 google$/i) },
  { id: 'other', name: 'Imperva', isSign: hasHeader('x-cdn', /imperva|incapsula/i) },
  { id: 'other', name: 'Azure Front Door', isSign: hasHeader('x-azure-ref', /./) },
]

function rangesOf(text: string): readonly Range[] {
  return text.split(/\s+/).flatMap((cidr) => {
    const [address = '', length = ''] = cidr.split('/')
    const bits = bitsOf(address)
    if (bits === null) throw new Error(`not a network: '${cidr}'`)
    const shift = BigInt(bits.family - Number(length))
    return [{ family: bits.family, prefix: bits.value >> shift, shift }]
  })
}

const holds = ({ family, prefix, shift }: Range, bits: Bits) => bits.family === family && bits.value >> shift === prefix

/** The family is the number of bits: 32 or 128. */
type Bits = { family: number; value: bigint }

function bitsOf(address: string): Bits | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return { family: 32, value: joined(address.split('.').map(Number), 8n) }
  if (!/^[0-9a-f:]{2,39}$/i.test(address)) return null
  const [head = '', tail] = address.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  const missing = 8 - front.length - back.length
  if (missing < 0 || (tail === undefined && missing > 0)) return null
  return { family: 128, value: joined([...front, ...Array<number>(missing).fill(0), ...back], 16n) }
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group || '0', 16))
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n)
}
