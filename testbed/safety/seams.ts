// What negative controls put in the place of a guard. A process of the service gets it by name.

import { allowancesOf, type SignInLimits } from '../../server/src/accounts/sign-in-limits.ts'
import type { ChargeStore } from '../../server/src/accounts/attempts.io.ts'
import type { ServiceOptions } from '../../server/src/serve.ts'

export type Seam = 'counter-per-account' | 'memory' | 'poll-per-stream'

export const seams: Readonly<Record<Seam, (limits: SignInLimits) => ServiceOptions>> = {
  'counter-per-account': (limits) => {
    const allowances = allowancesOf(limits)
    const ofAccount = (email: Buffer) =>
      allowances.unknownDevice({ email, group: '' }).filter(({ kind }) => kind === 'sign_in_account')
    return { attempts: { allowances: { ...allowances, knownDevice: ofAccount } } }
  },
  memory: () => ({ attempts: { store: chargesInMemory() }, sharesQuotas: false }),
  'poll-per-stream': () => ({ sharesFeeds: false }),
}

/** As a process would count that knows of no other. */
function chargesInMemory(): ChargeStore {
  const counts = new Map<string, { count: number; endsAt: number }>()
  return {
    async charge(charges, now) {
      const known = charges.map((one) => {
        const name = `${one.kind} ${one.key.toString('hex')}`
        const found = counts.get(name)
        const current = found && found.endsAt > now ? found : { count: 0, endsAt: now + one.seconds * 1000 }
        counts.set(name, current)
        return { ...one, current }
      })
      const reached = known.filter(({ most, current }) => current.count >= most)
      if (reached.length === 0) for (const { current } of known) current.count += 1
      return reached.map(({ kind, current }) => ({ kind, retrySeconds: Math.ceil((current.endsAt - now) / 1000) }))
    },
    async refund(charges) {
      for (const { kind, key } of charges) {
        const found = counts.get(`${kind} ${key.toString('hex')}`)
        if (found) found.count -= 1
      }
    },
  }
}
