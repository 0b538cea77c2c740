// `openAcme` implements the port to a certificate authority with acme-client, of which only the
// single calls are used: one call here requests one thing and settles within its deadline, with the
// authority's response or with a problem. Nothing is retried except a request whose nonce was
// rejected, which costs the authority nothing. Certificates are returned as received; `leaf.io.ts`
// checks them.

import type acme from 'acme-client'
import { Agent } from 'node:https'
import { acmeClient, sendRequest, type AcmeRequest } from './request.io.ts'
import {
  authorizationFrom,
  challengeFrom,
  InvalidAnswer,
  orderFrom,
  renewalFrom,
  renewalUrlFrom,
  urlFrom,
} from './answers.ts'
import type { Acme, AcmeAuthorization, AcmeResult, ChallengeType } from './port.ts'
import { silence } from './problem.ts'

export type AcmeOptions = {
  /** Its name in our records, such as `letsencrypt`. */
  authority: string
  directoryUrl: string
  /** PEM, PKCS #8. */
  accountKeyPem: string
  /** As returned by `register`; null if there is none yet. */
  accountUrl: string | null
  /** `mailto:…`; null if the authority needs none. */
  contact: string | null
  /** Trusted roots (PEM) instead of the system's, for authorities in tests. */
  ca?: string
  /** For a whole call with all of its requests. */
  timeoutMs: number
}

type Challenge = Parameters<acme.Client['completeChallenge']>[0]

/** An authority may move its resources; acme-client alone would refresh its directory only after a day. */
const DIRECTORY_MS = 3_600_000

export function openAcme(options: AcmeOptions): Acme {
  const { authority, directoryUrl, accountKeyPem, timeoutMs } = options
  // Idle connections are closed before servers tend to close them, so that none is used while it is being closed.
  const agent = new Agent({ keepAlive: true, timeout: 3_000, ...(options.ca === undefined ? {} : { ca: options.ca }) })
  let accountUrl = options.accountUrl
  let client = newClient(directoryUrl, accountKeyPem, accountUrl)
  let since = performance.now()
  /** Undefined until the directory has been read. */
  let renewalBase: string | null | undefined
  const renew = (): void => {
    renewalBase = undefined
    client = newClient(directoryUrl, accountKeyPem, accountUrl)
    since = performance.now()
  }

  const call = async <T>(work: (acmeRequest: AcmeRequest) => Promise<T>): Promise<AcmeResult<T>> => {
    if (performance.now() - since > DIRECTORY_MS) renew()
    const result = await sendRequest({ agent, timeoutMs }, work)
    // Whatever was wrong, the directory is read again before the next call: it may have changed.
    if (!result.ok) renew()
    return result
  }
  const renewalUrl = async (acmeRequest: AcmeRequest): Promise<string | null> => {
    if (renewalBase === undefined) renewalBase = renewalUrlFrom((await acmeRequest.get(directoryUrl)).body)
    return renewalBase
  }
  /** An authority without a registered account is treated like one that has deleted it. */
  const signed = async <T>(work: (acmeRequest: AcmeRequest) => Promise<T>): Promise<AcmeResult<T>> =>
    accountUrl === null ? { ok: false, problem: noAccount } : call(work)

  return {
    authority,
    register: () =>
      call(async () => {
        // A client with an account URL would request that account, which may be gone.
        const fresh = newClient(directoryUrl, accountKeyPem, null)
        const contact = options.contact === null ? {} : { contact: [options.contact] }
        await fresh.createAccount({ termsOfServiceAgreed: true, ...contact }).catch((error: unknown) => {
          // For a key that the authority already knows, the library sends its contact again; sending none is rejected.
          if (options.contact !== null || !knowsAccount(fresh)) throw error
        })
        accountUrl = urlFrom(fresh.getAccountUrl(), 'an account')
        renew()
        return { accountUrl }
      }),
    placeOrder: (hostname, { replaces }) =>
      signed(async (acmeRequest) => {
        const wanted = { identifiers: [{ type: 'dns', value: hostname }], ...(replaces === null ? {} : { replaces }) }
        const order = await client.createOrder(wanted)
        return orderFrom({ body: order, url: order.url, ...acmeRequest.timing() })
      }),
    readOrder: (url) =>
      signed(async (acmeRequest) => {
        const order = await client.getOrder({ url } as acme.Order)
        return orderFrom({ body: order, url, ...acmeRequest.timing() })
      }),
    readAuthorization: (url, type) =>
      signed(async (acmeRequest) => {
        const [found] = await client.getAuthorizations({ authorizations: [url] } as acme.Order)
        return withKeyAuthorization(client, type, { body: found, url, ...acmeRequest.timing() })
      }),
    answerChallenge: (challenge) =>
      signed(async (acmeRequest) => {
        const { url, token, keyAuthorization } = challenge
        const answered = await client.completeChallenge({ url } as Challenge)
        return challengeFrom({ body: answered, url, ...acmeRequest.timing() }, { token, keyAuthorization })
      }),
    finalize: ({ url, finalize }, hostname, keyPem) =>
      signed(async (acmeRequest) => {
        // Without a common name: it is limited to 64 characters, and no client reads it.
        const [, request] = await acmeClient().crypto.createCsr({ altNames: [hostname] }, keyPem)
        const order = await client.finalizeOrder({ url, finalize } as acme.Order, request)
        return orderFrom({ body: order, url, ...acmeRequest.timing() })
      }),
    download: (certificate) =>
      signed(async () => {
        const chainPem: unknown = await client.getCertificate({ status: 'valid', certificate } as acme.Order)
        if (typeof chainPem !== 'string') throw new InvalidAnswer('The certificate is not text.')
        return { chainPem }
      }),
    renewalInfo: (certificateId) =>
      call(async (acmeRequest) => {
        const base = await renewalUrl(acmeRequest)
        if (base === null) return null
        const { status, body } = await acmeRequest.get(`${base}/${certificateId}`, [404])
        // The authority does not know this certificate, which has no consequences.
        return status === 404 ? null : renewalFrom({ body, url: base, ...acmeRequest.timing() })
      }),
  }
}

const newClient = (directoryUrl: string, accountKey: string, accountUrl: string | null): acme.Client =>
  new (acmeClient().Client)({ directoryUrl, accountKey, ...(accountUrl === null ? {} : { accountUrl }) })

const noAccount = { ...silence('nonsense', 'No account is registered yet.'), type: 'accountDoesNotExist' }

/** For dns-01 the library returns the digest. */
async function withKeyAuthorization(
  client: acme.Client,
  type: ChallengeType,
  reported: Parameters<typeof authorizationFrom>[0],
): Promise<AcmeAuthorization> {
  const { challenge, ...read } = authorizationFrom(reported, type)
  if (challenge === null) return { ...read, challenge }
  const { token } = challenge
  const keyAuthorization = await client.getChallengeKeyAuthorization({ type, token } as Challenge)
  return { ...read, challenge: { ...challenge, keyAuthorization } }
}

function knowsAccount(client: acme.Client): boolean {
  try {
    return client.getAccountUrl() !== ''
  } catch {
    return false
  }
}
