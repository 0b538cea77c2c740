// Everything that one free account can store, as often as it can, in several projects that it fills and deletes. For the
// line about disk.

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requestOf } from '../harness/operation-request.ts'
import { everythingElse, operationOf, parts, unacceptable, writing, type Attacker } from './disk-attack-parts.ts'
import type { FreeShop } from './free-shop.ts'

export type Attack = {
  /** How often the parts were repeated, together. */
  rounds: number
  sent: number
  /** Rejected with 503: its requests wait for each other's locks. */
  busy: number
  accepted: ReadonlySet<string>
  /** Operations that were never accepted although they could be. */
  neverAccepted: string[]
}

export async function attackDisk(shop: FreeShop, seconds: number): Promise<Attack> {
  const accepted = new Set<string>()
  let [sent, busy, rounds, turn, second] = [0, 0, 0, 0, shop.slug]
  const call: Attacker['call'] = async (operationId, { values = {}, body, headers } = {}) => {
    const operation = operationOf(operationId)
    const request = requestOf(operation, { project: shop.slug, ...values })
    const received = await shop.send(operation.method, request.path, body ?? request.body, headers ?? request.headers)
    sent += 1
    if (received.status === 503) busy += 1
    else if (received.status >= 500) throw new Error(`${operationId} failed with ${received.status} ${received.text}`)
    if (received.status < 300) accepted.add(operationId)
    return received
  }
  const attacker: Attacker = {
    ...shop,
    call,
    target: () => ((turn += 1) % 2 === 0 ? shop.slug : second),
    async replaceTarget() {
      const slug = `p${randomBytes(8).toString('hex')}`
      if (second !== shop.slug) await call('deleteProject', { values: { project: second }, body: { slug: second } })
      second = (await call('createProject', { body: { slug, name: slug } })).status === 201 ? slug : shop.slug
    },
  }
  // While there is room for everything, and nothing to wait for.
  for (const part of parts) await part(attacker, 0)
  const end = performance.now() + seconds * 1000
  const replacing = Math.ceil(seconds / TARGETS) * 1000
  let replaceAt = 0
  await Promise.all(
    parts.map(async (part) => {
      for (let round = 1; performance.now() < end; round += 1) {
        if (part === everythingElse && performance.now() >= replaceAt) {
          replaceAt = performance.now() + replacing
          await attacker.replaceTarget()
        }
        await part(attacker, round)
        rounds += 1
        await pause(1)
      }
    }),
  )
  const neverAccepted = writing.map(({ operationId }) => operationId).filter((one) => !accepted.has(one))
  return { rounds, sent, busy, accepted, neverAccepted: neverAccepted.filter((one) => !(one in unacceptable)) }
}

/** Projects that are filled and deleted, next to the one that stays. */
const TARGETS = 3
