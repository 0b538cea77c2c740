// Mutations of hostile answers. The queried name selects the mutation: the label `m<seed>-<n>`
// requests mutation n of that seed, so the same query always gets the same bytes and a finding
// can be repeated with `dig`. Mutation 0 leaves everything as it is; the others change all, half
// or few of the messages, because a check in which every answer is broken covers little.

import type { PacketQuestion } from './packets.ts'
import { mulberry32 } from '../harness/mulberry32.ts'

/** The bytes after the mutation that this query selects; `index` distinguishes several messages of one answer. */
export function mutant(bytes: Buffer, question: PacketQuestion, index = 0): Buffer {
  const [, seed, digits] = /(?:^|\.)m(\d{1,10})-(\d{1,10})\./.exec(question.name) ?? []
  if (seed === undefined || digits === undefined || Number(digits) === 0) return bytes
  const random = seeded(`${seed} ${digits} ${question.name} ${question.type} ${index}`)
  return random() < (shares[Number(digits) % shares.length] ?? 1) ? mutate(bytes, random) : bytes
}

/** Shares of the messages that are mutated. */
const shares = [1, 1 / 2, 1 / 8, 1 / 32]

/** Flips, cuts, doubles or inserts a few bytes of a message; `random` returns numbers from 0 up to 1. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let changed = Buffer.from(bytes)
  const pick = (limit: number): number => Math.floor(random() * limit)
  for (let times = 1 + pick(4); times > 0; times--) {
    const at = pick(changed.length)
    const kind = pick(5)
    if (kind === 0 && changed.length > 0) changed[at] = (changed[at] ?? 0) ^ (1 << pick(8))
    else if (kind === 1) changed = changed.subarray(0, at)
    else if (kind === 2) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(pick(at + 1))])
    else if (kind === 3)
      changed = Buffer.concat([changed.subarray(0, at), Buffer.from([pick(256)]), changed.subarray(at)])
    else if (changed.length > 0) changed[at] = pick(256)
  }
  return Buffer.from(changed.subarray(0, 65_535))
}

/** Numbers from 0 up to 1 that depend on the text alone (mulberry32 over FNV-1a). */
export function seeded(text: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return mulberry32(state)
}
