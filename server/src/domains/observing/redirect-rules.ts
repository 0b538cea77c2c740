// Redirect rules decide whether a redirect is followed, as a certificate authority would: at
// most ten, with four statuses, to names and not to addresses, over HTTP or HTTPS on their
// default ports. We follow fewer: only redirects on the same hostname, because we do not
// resolve foreign names. A redirect that is not followed is reported with the reason, or
// without one where an authority would follow it.

export const REDIRECTS_MAX = 10
const PATH_MAX = 2000

/** Why an authority does not follow. */
export type RedirectFault = 'status' | 'malformed' | 'scheme' | 'port' | 'address' | 'length' | 'loop' | 'too_many'

export type Onward = { kind: 'follow'; url: string } | { kind: 'stop'; location: string; refused: RedirectFault | null }

export type RedirectStep = {
  /** The URL that responded with a redirect. */
  from: string
  status: number
  location: string
  /** Every URL of the chain so far, including `from`. */
  visited: readonly string[]
  /** The port that is used in place of 80, if it differs. */
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
