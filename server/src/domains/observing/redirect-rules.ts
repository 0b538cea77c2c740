// Where a redirect leads, seen with the eyes of a certificate authority: it follows
// at most ten, by four statuses, to names and not to addresses, over HTTP or HTTPS
// at their own ports. We follow less: only what stays at the same hostname, because
// we ask no foreign name for its address. What is not followed is told with the
// reason, or without one where an authority would go on.

export const REDIRECTS_MAX = 10
const PATH_MAX = 2000

/** Why an authority does not follow. */
export type RedirectFault = 'status' | 'malformed' | 'scheme' | 'port' | 'address' | 'length' | 'loop' | 'too_many'

export type Onward = { kind: 'follow'; url: string } | { kind: 'stop'; location: string; refused: RedirectFault | null }

export type RedirectStep = {
  /** The address that answered with a redirect. */
  from: string
  status: number
  location: string
  /** Every address on the way so far, `from` included. */
  visited: readonly string[]
  /** The port that stands for 80, where it is another. */
  port: number
}

export const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304

export function onwardFrom({ from, status, location, visited, port }: RedirectStep): Onward {
  if (!URL.canParse(location, from)) return { kind: 'stop', location, refused: 'malformed' }
  const to = new URL(location, from)
  to.hash = ''
  const refused = faultOf(status, to, visited, port)
  if (refused !== null) return { kind: 'stop', location: to.href, refused }
  return to.hostname === new URL(from).hostname
    ? { kind: 'follow', url: to.href }
    : { kind: 'stop', location: to.href, refused: null }
}

function faultOf(status: number, to: URL, visited: readonly string[], port: number): RedirectFault | null {
  if (![301, 302, 307, 308].includes(status)) return 'status'
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return 'scheme'
  if (!['', '80', '443', String(port)].includes(to.port)) return 'port'
  if (/^[\d.]+$/.test(to.hostname) || to.hostname.startsWith('[')) return 'address'
  if (to.pathname.length + to.search.length > PATH_MAX) return 'length'
  if (visited.includes(to.href)) return 'loop'
  return visited.length > REDIRECTS_MAX ? 'too_many' : null
}
