// `fakeAuthority` is a certificate authority in memory, for tests of code that orders certificates.
// It keeps accounts and orders as a real one does, validates the challenge by the means it is
// given, and issues real certificates. It throws on any hostname, order or account key that the
// test did not register, and misbehaves only as scripted.

import { createHash, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { makeFakeChain } from './fake-chain.ts'
import type { Acme, AcmeChallenge, AcmeOrder, AcmeProblem, AcmeResult } from '../../server/src/foundation/acme/port.ts'

export type FakeCall =
  | 'register'
  | 'placeOrder'
  | 'readOrder'
  | 'readAuthorization'
  | 'answerChallenge'
  | 'finalize'
  | 'download'
  | 'renewalInfo'

type Kept = {
  url: string
  hostname: string
  replaces: string | null
  token: string
  state: AcmeOrder['status']
  challengeState: AcmeChallenge['status']
  problem: AcmeProblem | null
  chainPem: string | null
  at: number
}

export type FakeAuthorityOptions = {
  name: string
  now: () => number
  lifeMs?: number
  /** The response for the hostname at the challenge's path, as a visitor would receive it. */
  look: (hostname: string, token: string) => Promise<string | undefined>
  /** The values of the TXT records with this name, for wildcards. */
  lookUpTxt?: (name: string) => Promise<readonly string[]>
}

export const problem = (type: string, changes: Partial<AcmeProblem> = {}): AcmeProblem => ({
  type,
  detail: `told to say ${type}`,
  status: 400,
  subproblems: [],
  retryAfterMs: null,
  ...changes,
})

export function fakeAuthority({ name, now, lifeMs = 90 * 86_400_000, look, lookUpTxt }: FakeAuthorityOptions) {
  const orders = new Map<string, Kept>()
  const accounts = new Set<string>()
  const expected = new Set<string>()
  const scripts = new Map<FakeCall, AcmeProblem[]>()
  const calls: FakeCall[] = []
  const behaviour = {
    isDown: false,
    lifeMs,
    /** Orders stay in this state permanently. */
    hangs: null as 'pending' | 'processing' | null,
    /** Issued instead of the correct chain. */
    chainFor: null as ((hostname: string, keyPem: string) => Promise<string>) | null,
    window: null as { start: number; end: number; retryAfterMs: number | null } | null,
  }

  const scripted = <T>(call: FakeCall, work: () => Promise<AcmeResult<T>>): Promise<AcmeResult<T>> => {
    calls.push(call)
    if (behaviour.isDown) return Promise.resolve(refused(problem('unreachable', { status: null })))
    const scriptedProblem = scripts.get(call)?.shift()
    return scriptedProblem ? Promise.resolve(refused(scriptedProblem)) : work()
  }
  const orderAt = (url: string): Kept => {
    const found = orders.get(url)
    if (!found) throw new Error(`nobody placed ${url}`)
    return found
  }
  const shown = ({ url, state, chainPem, problem: why }: Kept): AcmeOrder => ({
    url,
    status: state,
    authorizations: [`${url}/authorization`],
    finalize: `${url}/finalize`,
    certificate: chainPem === null ? null : `${url}/certificate`,
    problem: why,
    retryAfterMs: null,
  })
  const partOf = (url: string) => orderAt(url.replace(/\/(authorization|certificate)$/, ''))

  const acmeFor = ({ keyPem, url }: { keyPem: string; url: string | null }): Acme => {
    const thumbprint = createHash('sha256')
      .update(createPublicKey(createPrivateKey(keyPem)).export({ type: 'spki', format: 'der' }))
      .digest('base64url')
    let accountUrl = url
    const challengeOf = (kept: Kept): AcmeChallenge => ({
      url: `${kept.url}/challenge`,
      token: kept.token,
      keyAuthorization: isWildcard(kept)
        ? createHash('sha256').update(`${kept.token}.${thumbprint}`).digest('base64url')
        : `${kept.token}.${thumbprint}`,
      status: kept.challengeState,
      problem: kept.problem,
    })
    const known = <T>(call: FakeCall, work: () => Promise<AcmeResult<T>>) =>
      scripted<T>(call, () =>
        accountUrl !== null && accounts.has(thumbprint)
          ? work()
          : Promise.resolve(refused(problem('accountDoesNotExist'))),
      )
    return {
      authority: name,
      register: () =>
        scripted('register', async () => {
          accounts.add(thumbprint)
          accountUrl = `https://${name}/account/${thumbprint}`
          return { ok: true, value: { accountUrl } }
        }),
      placeOrder: (hostname, { replaces }) =>
        known('placeOrder', async () => {
          if (!expected.has(hostname)) throw new Error(`nobody told the authority to expect ${hostname}`)
          const isReplaced = [...orders.values()].some((one) => replaces !== null && one.replaces === replaces)
          if (isReplaced) return refused(problem('alreadyReplaced', { status: 409 }))
          const url = `https://${name}/order/${orders.size + 1}`
          const token = randomBytes(16).toString('base64url')
          const kept: Kept = {
            url,
            hostname,
            replaces,
            token,
            state: 'pending',
            challengeState: 'pending',
            problem: null,
            chainPem: null,
            at: now(),
          }
          orders.set(url, kept)
          return { ok: true, value: shown(kept) }
        }),
      readOrder: (at) => known('readOrder', async () => ({ ok: true, value: shown(orderAt(at)) })),
      readAuthorization: (at, type) =>
        known('readAuthorization', async () => {
          const kept = partOf(at)
          if ((type === 'dns-01') !== isWildcard(kept)) throw new Error(`${kept.hostname} is not validated by ${type}`)
          const status = kept.state === 'invalid' ? 'invalid' : kept.challengeState === 'valid' ? 'valid' : 'pending'
          return { ok: true, value: { url: at, status, challenge: challengeOf(kept) } }
        }),
      answerChallenge: (challenge) =>
        known('answerChallenge', async () => {
          const kept = [...orders.values()].find(({ token }) => token === challenge.token)
          if (!kept) throw new Error('nobody was given this challenge')
          if (kept.challengeState !== 'pending') return refused(problem('malformed'))
          if (behaviour.hangs === 'pending') return { ok: true, value: challengeOf(kept) }
          const isRight = isWildcard(kept)
            ? ((await lookUpTxt?.(`_acme-challenge.${kept.hostname.slice(2)}`)) ?? []).includes(
                challengeOf(kept).keyAuthorization,
              )
            : (await look(kept.hostname, kept.token)) === challenge.keyAuthorization
          kept.challengeState = isRight ? 'valid' : 'invalid'
          kept.state = isRight ? 'ready' : 'invalid'
          kept.problem = isRight ? null : problem('unauthorized', { status: 403 })
          return { ok: true, value: challengeOf(kept) }
        }),
      finalize: (order, hostname, key) =>
        known('finalize', async () => {
          const kept = orderAt(order.url)
          if (kept.state !== 'ready') return refused(problem('orderNotReady', { status: 403 }))
          if (behaviour.hangs === 'processing') {
            kept.state = 'processing'
            return { ok: true, value: shown(kept) }
          }
          const dates = { notBefore: now() - 60_000, notAfter: now() + behaviour.lifeMs - 60_000 }
          kept.chainPem = behaviour.chainFor
            ? await behaviour.chainFor(hostname, key)
            : (await makeFakeChain({ hostnames: [hostname], keyPem: key, ...dates })).chainPem
          kept.state = 'valid'
          return { ok: true, value: shown(kept) }
        }),
      download: (at) =>
        known('download', async () => {
          const { chainPem } = partOf(at)
          if (chainPem === null) throw new Error(`there is nothing at ${at}`)
          return { ok: true, value: { chainPem } }
        }),
      renewalInfo: () => known('renewalInfo', async () => ({ ok: true, value: behaviour.window })),
    }
  }

  return {
    name,
    behaviour,
    calls,
    acmeFor,
    expects: (hostname: string) => void expected.add(hostname),
    /** Rejects the next calls of this kind with these problems, one after the other. */
    says: (call: FakeCall, ...problems: AcmeProblem[]) =>
      void scripts.set(call, [...(scripts.get(call) ?? []), ...problems]),
    /** Fails the challenges of all open orders with this problem. */
    failsOpen(why: AcmeProblem) {
      for (const kept of orders.values()) {
        if (kept.state === 'pending') Object.assign(kept, { state: 'invalid', challengeState: 'invalid', problem: why })
      }
    },
    forgets() {
      accounts.clear()
    },
    ordersOf: (hostname: string) => [...orders.values()].filter((one) => one.hostname === hostname),
  }
}

const isWildcard = ({ hostname }: Kept) => hostname.startsWith('*.')

const refused = <T>(why: AcmeProblem): AcmeResult<T> => ({ ok: false, problem: why })
