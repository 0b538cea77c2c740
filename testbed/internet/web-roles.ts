// Servers that can be at an address in place of ours: other websites, parking pages, forwarders,
// logins, firewalls, proxies with their own errors, and silence. Each role has an address of its
// own; its response is all that it does.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { network } from './roles.ts'

export type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
  here: { scheme: 'http' | 'https'; port: number },
) => void

export type WebRole = {
  address: string
  about: string
  /** No listener, or a server that never speaks HTTP; otherwise its response. */
  does: 'refuse' | 'hang' | 'reset' | 'noise' | Answering
}

type Headers = Readonly<Record<string, string>>

const page =
  (status: number, body: string, headers: Headers = {}): Answering =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }

const redirect =
  (status: number, to: (host: string, path: string) => string, headers: Headers = {}): Answering =>
  (request, response) => {
    const location = to(hostOf(request), request.url ?? '/')
    response.writeHead(status, { location, ...headers }).end()
  }

const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '')

const cloudflare = (ray = '8c1f0d2e3a4b5c6d-FRA'): Headers => ({ server: 'cloudflare', 'cf-ray': ray })
const cloudflareError = (code: number, title: string): string =>
  `<html><head><title>${title} | Cloudflare</title></head><body><h1>Error ${code}</h1><p>${title}</p></body></html>`
const cloudflareFailure = (code: number, title: string, status = code) =>
  page(status, cloudflareError(code, title), cloudflare())

const shop = page(200, '<html><title>Another website</title><h1>Another website</h1></html>', {
  server: 'nginx/1.24.0',
})
const isCheckPath = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/.well-known/')

/** Rejects only the requests of certificate authorities and ours. */
const guarded =
  (status: number, body: string, headers: Headers = {}): Answering =>
  (request, response, here) =>
    (isCheckPath(request) ? page(status, body, headers) : shop)(request, response, here)

/** `/x?hop=3` redirects to `/x?hop=4`, without end. */
const further: Answering = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://here')
  url.searchParams.set('hop', `${Number(url.searchParams.get('hop') ?? 0) + 1}`)
  response.writeHead(301, { location: url.pathname + url.search }).end()
}

const drip: Answering = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const timer = setInterval(() => response.write('.'), 100)
  response.on('close', () => clearInterval(timer))
}

const endless: Answering = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const part = 'x'.repeat(65_536)
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}

const at = (last: number, about: string, does: WebRole['does']): WebRole => ({
  address: `${network}.80.${last}`,
  about,
  does,
})

const inTheWay = {
  /** Free for tests with the real edge. */
  ours: at(1, 'Nobody, until a test serves there.', 'refuse'),
  'ours-too': at(2, 'Nobody, until a test serves there.', 'refuse'),
  other: at(10, 'Another website.', shop),
  parking: at(
    11,
    'The parking page of a registrar.',
    page(200, '<html><title>Parked</title>This domain is parked free, courtesy of the registrar.</html>', {
      server: 'openresty',
    }),
  ),
  forwarding: at(
    12,
    'A web forwarder.',
    redirect(301, () => 'https://www.elsewhere.test/', { server: 'forwarding' }),
  ),
  refusing: at(13, 'Nobody listens.', 'refuse'),
  silent: at(14, 'Takes the connection and never answers.', 'hang'),
  resetting: at(15, 'Cuts every connection.', 'reset'),
  noise: at(16, 'Does not speak HTTP.', 'noise'),
  login: at(
    17,
    'A website whose check path wants a password.',
    guarded(401, 'Please log in', { 'www-authenticate': 'Basic realm="staff"' }),
  ),
  forbidden: at(18, 'A website whose check path is forbidden.', guarded(403, 'Access denied')),
  'browser-check': at(
    19,
    'A firewall that wants to see a browser.',
    page(403, '<title>Just a moment...</title>', { ...cloudflare(), 'cf-mitigated': 'challenge' }),
  ),
  missing: at(20, 'A web server without this site.', page(404, 'Not Found', { server: 'Apache' })),
  broken: at(21, 'A website that is down.', page(503, 'Service Unavailable', { server: 'LiteSpeed' })),
  'catch-all': at(
    22,
    'A website that answers every path with its start page.',
    page(200, '<div id="root"></div>', { server: 'Vercel' }),
  ),
  drip: at(23, 'Answers a byte every 100 ms, without end.', drip),
  endless: at(24, 'Answers as fast as it can, without end.', endless),
} satisfies Record<string, WebRole>

const proxies = {
  'cloudflare-520': at(
    40,
    'Cloudflare: the origin answers nonsense.',
    cloudflareFailure(520, 'Web server is returning an unknown error'),
  ),
  'cloudflare-521': at(41, 'Cloudflare: the origin is down.', cloudflareFailure(521, 'Web server is down')),
  'cloudflare-522': at(42, 'Cloudflare: the origin does not answer.', cloudflareFailure(522, 'Connection timed out')),
  'cloudflare-525': at(43, 'Cloudflare: no TLS with the origin.', cloudflareFailure(525, 'SSL handshake failed')),
  'cloudflare-526': at(
    44,
    'Cloudflare: the origin has no good certificate.',
    cloudflareFailure(526, 'Invalid SSL certificate'),
  ),
  'cloudflare-1000': at(
    45,
    'Cloudflare: the address is its own.',
    cloudflareFailure(1000, 'DNS points to prohibited IP', 403),
  ),
  'cloudflare-1001': at(
    46,
    'Cloudflare: the name cannot be resolved.',
    cloudflareFailure(1001, 'DNS resolution error', 409),
  ),
  'cloudflare-1014': at(
    47,
    'Cloudflare: an alias between two accounts.',
    cloudflareFailure(1014, 'CNAME Cross-User Banned', 403),
  ),
  'cloudflare-flexible': at(
    48,
    'Cloudflare in flexible mode: https leads to https, for ever.',
    redirect(301, (host, path) => `https://${host}${path}`, cloudflare()),
  ),
  'cloudflare-always-https': at(
    50,
    'Cloudflare that sends everything to https, where the origin has no certificate yet.',
    (request, response, here) =>
      (here.scheme === 'http'
        ? redirect(301, (host, path) => `https://${host}${path}`, cloudflare())
        : cloudflareFailure(526, 'Invalid SSL certificate'))(request, response, here),
  ),
  fastly: at(
    49,
    'Another proxy that does not know the name.',
    page(500, 'Fastly error: unknown domain', { via: '1.1 varnish', 'x-cache': 'MISS' }),
  ),
} satisfies Record<string, WebRole>

const redirects = {
  'redirect-303': at(
    60,
    'Redirects with 303.',
    redirect(303, (_, path) => `/elsewhere${path}`),
  ),
  'redirect-307': at(
    61,
    'Redirects with 307 to another name.',
    redirect(307, (_, path) => `http://elsewhere.test${path}`),
  ),
  'redirect-308': at(
    62,
    'Redirects with 308 to another name.',
    redirect(308, (_, path) => `http://elsewhere.test${path}`),
  ),
  'redirect-port': at(
    63,
    'Redirects to another port.',
    redirect(302, (host, path) => `http://${host}:8080${path}`),
  ),
  'redirect-scheme': at(
    64,
    'Redirects to ftp.',
    redirect(302, (host, path) => `ftp://${host}${path}`),
  ),
  'redirect-loop': at(
    65,
    'Redirects to where it was.',
    redirect(301, (_, path) => path),
  ),
  'redirect-many': at(66, 'Redirects further and further.', further),
  'redirect-private': at(
    67,
    'Redirects to an address inside.',
    redirect(302, () => 'http://169.254.169.254/latest/meta-data/'),
  ),
  'redirect-nowhere': at(68, 'Redirects without saying where.', page(302, '')),
  'redirect-nonsense': at(
    69,
    'Redirects to something that is no address.',
    redirect(302, () => 'http://[::bad'),
  ),
  'redirect-poison': at(
    70,
    'Redirects to markup.',
    redirect(302, () => 'http://x/"><script>alert(1)</script>'),
  ),
  'redirect-www': at(
    71,
    'Redirects to www.',
    redirect(301, (host, path) => `http://www.${host}${path}`),
  ),
  'redirect-https': at(
    72,
    'Redirects to https at the same name.',
    redirect(301, (host, path) => `https://${host}${path}`),
  ),
} satisfies Record<string, WebRole>

export const webRoles = { ...inTheWay, ...proxies, ...redirects }
export type WebRoleName = keyof typeof webRoles
