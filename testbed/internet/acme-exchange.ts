// Decodes the requests that pass through the fault proxy: the resource of the authority, the
// hostname, and the content of the signed request. The proxy only reads along, so it learns
// which order, authorization and certificate belong together from the responses that pass by.

// Loaded for its side effect: without it the next import throws.
import 'acme-client' // oxlint-disable-line import/no-unassigned-import
import { Pkcs10CertificateRequest } from '@peculiar/x509'

export type AcmeEndpoint =
  | 'directory'
  | 'nonce'
  | 'account'
  | 'newOrder'
  | 'order'
  | 'authorization'
  | 'challenge'
  | 'finalize'
  | 'certificate'
  | 'renewalInfo'
  | 'other'

export type AcmeExchange = {
  endpoint: AcmeEndpoint
  method: string
  path: string
  host: string
  body: Buffer
  /** The payload of a signed request, as JSON; null if there is none. */
  payload: AcmeJson | null
  hostname: string | null
}

export type AcmeReply = { status: number; headers: Readonly<Record<string, string>>; body: string }
export type AcmeJson = { [name: string]: unknown }

/** As pebble names them. */
const resources: readonly (readonly [string, AcmeEndpoint])[] = [
  ['/dir', 'directory'],
  ['/nonce-plz', 'nonce'],
  ['/sign-me-up', 'account'],
  ['/my-account/', 'account'],
  ['/order-plz', 'newOrder'],
  ['/my-order/', 'order'],
  ['/authZ/', 'authorization'],
  ['/chalZ/', 'challenge'],
  ['/finalize-order/', 'finalize'],
  ['/certZ/', 'certificate'],
  ['/renewal-info/', 'renewalInfo'],
]

export const endpointOf = (path: string): AcmeEndpoint =>
  resources.find(([prefix]) => path === prefix || (prefix.endsWith('/') && path.startsWith(prefix)))?.[1] ?? 'other'

export function payloadOf(body: Buffer): AcmeJson | null {
  const { payload } = jsonFrom(body.toString()) ?? {}
  return typeof payload === 'string' ? jsonFrom(Buffer.from(payload, 'base64url').toString()) : null
}

export function jsonFrom(text: string): AcmeJson | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AcmeJson) : null
  } catch {
    return null
  }
}

export const jsonReply = (reply: AcmeReply, body: AcmeJson): AcmeReply => ({ ...reply, body: JSON.stringify(body) })

export type AcmeState = ReturnType<typeof createAcmeState>

/** Relations between resources, by path. */
export function createAcmeState() {
  const hostnames = new Map<string, string>()
  const orders = new Map<string, string>()
  const authorizations = new Map<string, string>()
  const challenges = new Map<string, AcmeJson>()
  const keys = new Map<string, Uint8Array>()
  const pathOf = (url: unknown): string => (typeof url === 'string' && URL.canParse(url) ? new URL(url).pathname : '')
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

  return {
    hostnameAt: (path: string): string | null => hostnames.get(path) ?? null,
    /** The order of an authorization, the authorization of a challenge. */
    orderOf: (authorization: string): string => orders.get(authorization) ?? '',
    authorizationOf: (challenge: string): string => authorizations.get(challenge) ?? '',
    challengeAt: (path: string): AcmeJson => challenges.get(path) ?? {},
    /** From the last signing request for that hostname (DER, SPKI). */
    publicKeyFor: (hostname: string | null): Uint8Array | undefined => keys.get(hostname ?? ''),
    learnFrom({ endpoint, path, payload, hostname }: AcmeExchange, reply: AcmeReply): void {
      const body = jsonFrom(reply.body)
      const known = hostname ?? ''
      if (endpoint === 'finalize' && typeof payload?.['csr'] === 'string') {
        const request = new Pkcs10CertificateRequest(Buffer.from(payload['csr'], 'base64url'))
        keys.set(known, new Uint8Array(request.publicKey.rawData))
      }
      if (body === null) return
      if (endpoint === 'newOrder' || endpoint === 'order' || endpoint === 'finalize') {
        const order = endpoint === 'newOrder' ? pathOf(reply.headers['location']) : path
        for (const one of listOf(body['authorizations']).map(pathOf)) {
          hostnames.set(one, known)
          if (endpoint !== 'finalize') orders.set(one, order)
        }
        for (const one of [order, pathOf(body['finalize']), pathOf(body['certificate'])]) hostnames.set(one, known)
      }
      if (endpoint === 'authorization') {
        for (const one of listOf(body['challenges'])) {
          const at = pathOf((one as AcmeJson)['url'])
          hostnames.set(at, known)
          authorizations.set(at, path)
          challenges.set(at, one as AcmeJson)
        }
      }
    },
  }
}
