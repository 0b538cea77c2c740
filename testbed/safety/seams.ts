// What negative controls put in the place of a guard. A process of the service gets it by name.

import { allowancesOf, type SignInLimits } from '../../server/src/accounts/sign-in/sign-in-limits.ts'
import type { ChargeStore } from '../../server/src/accounts/sign-in/attempts.io.ts'
import type { Overrides } from '../../server/src/program/overrides.ts'

export type Seam = keyof typeof seams

export const seams = {
  'counter-per-account': (limits: SignInLimits): Overrides => {
    const allowances = allowancesOf(limits)
    const ofAccount = (email: Buffer) =>
      allowances.unknownDevice({ email, group: '' }).filter(({ kind }) => kind === 'sign_in_account')
    return { attempts: { allowances: { ...allowances, knownDevice: ofAccount } } }
  },
  memory: (): Overrides => ({ attempts: { store: chargesInMemory() }, sharesQuotas: false }),
  'poll-per-stream': (): Overrides => ({ sharesFeeds: false }),
  // As in production; other lines must not find an overload because the machine is slow.
  'usual-admission': (): Overrides => ({ admission: {} }),
  'no-admission': (): Overrides => ({ admission: { least: 1_000_000, most: 1_000_000 } }),
  'no-back-pressure': (): Overrides => ({ admission: { holdsConnections: false } }),
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
