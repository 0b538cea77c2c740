// ACME accounts: one at each authority, with its own key, which is encrypted like every other.
// Processes that start at the same time find the same key, so the authority sees one account.
// At an authority that no longer knows the account, it is registered again.

import type { Acme, AcmeProblem, AcmeResult } from '../foundation/acme/port.ts'
import type { Context } from '../foundation/context.ts'
import type { Instant } from '../foundation/time.ts'
import * as allowanceQueries from './allowance-queries.ts'
import { newKeyPem, type Keys } from './key-encryption.io.ts'
import { pauseOf } from './retry-schedule.ts'
import { isForAll, KEY_LOST, problemOf } from './problems.ts'

/** Undefined if no such authority is configured. */
export type OpenAcme = (authority: string, account: { keyPem: string; url: string | null }) => Acme | undefined

export type Authorities = {
  /** Returns a client that is ready to order: registered, with its account URL. */
  use(authority: string): Promise<AcmeResult<Acme>>
  /** The paused authorities: until when, and after how many failures in a row. */
  resting(authorities: readonly string[]): Promise<ReadonlyMap<string, Pause>>
  /** Records a problem that may concern all requests to an authority. */
  recordProblem(authority: string, problem: AcmeProblem | null): Promise<void>
}

export type Pause = { until: Instant; outages: number }

export function openAuthorities(
  { database: { run }, now }: Pick<Context, 'database' | 'now'>,
  keys: Keys,
  openAcme: OpenAcme,
): Authorities {
  const ready = new Map<string, Acme>()
  const troubled = new Set<string>()

  const accountOf = async (authority: string) => {
    const find = async () => (await allowanceQueries.listAccounts(run, [authority]))[0]
    const found = await find()
    if (found) return found
    const sealedKey = keys.seal(newKeyPem(), sealedFor(authority))
    await allowanceQueries.insertAccount(run, authority, { sealId: keys.sealId, sealedKey })
    return find()
  }

  return {
    async use(authority) {
      const known = ready.get(authority)
      if (known) return { ok: true, value: known }
      const account = await accountOf(authority)
      const keyPem = account && keys.open(account.sealedKey, sealedFor(authority))
      if (!account || typeof keyPem !== 'string') return lost
      const acme = openAcme(authority, { keyPem, url: account.url })
      if (!acme) return unknown(authority)
      if (account.url === null) {
        const registered = await acme.register()
        if (!registered.ok) return registered
        await allowanceQueries.saveAccountUrl(run, authority, registered.value.accountUrl)
      }
      if (account.outages > 0) troubled.add(authority)
      ready.set(authority, acme)
      return { ok: true, value: acme }
    },
    async resting(authorities) {
      const accounts = await allowanceQueries.listAccounts(run, authorities)
      const pauses = accounts.map(({ authority, pausedUntil, outages }) => ({
        authority,
        until: pausedUntil ?? 0,
        outages,
      }))
      return new Map(pauses.filter(({ until }) => until > now()).map((pause) => [pause.authority, pause]))
    },
    async recordProblem(authority, problem) {
      if (problem === null) {
        if (troubled.delete(authority)) await allowanceQueries.pauseAuthority(run, authority, null, 0)
        return
      }
      if (problem.type === 'accountDoesNotExist') {
        ready.delete(authority)
        await allowanceQueries.saveAccountUrl(run, authority, null)
      }
      if (!isForAll(problem)) return
      const outages = ((await allowanceQueries.listAccounts(run, [authority]))[0]?.outages ?? 0) + 1
      troubled.add(authority)
      await allowanceQueries.pauseAuthority(run, authority, now() + pauseOf(problem, outages), outages)
    },
  }
}

/** An account belongs to no hostname; the authority is used instead. */
export const sealedFor = (authority: string) => ({ hostname: authority, generation: 0n, purpose: 'account' }) as const

const lost = { ok: false, problem: problemOf(KEY_LOST, 'The key of our account cannot be opened.') } as const
const unknown = (authority: string) =>
  ({ ok: false, problem: problemOf('unknownAuthority', `${authority} is not configured.`) }) as const
