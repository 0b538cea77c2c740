// What has become of a name that is live. The same records that are a mistake in a new
// name are most often a decision in a live one: its owner moved, or forgot to renew.
// So the owner is told what happened and offered both ways, in place of being told how
// to make a record. A single look never takes a live name away; the life of a domain
// decides when what is said here is believed.

import type { Pointing } from './judge-pointing.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { listed } from './format.ts'

export function driftTroubles(scene: Scene, pointing: Pointing, ofName: readonly Trouble[]): Trouble[] {
  if (!scene.known.isLive) return []
  if (isExpired(scene, ofName)) return [trouble('drift.domain_expired', scene.words)]
  if (!isAway(scene, pointing)) return []
  const found = listed(pointing.have.map(valueOf))
  // As grave as the mistake that it is told in place of.
  return [trouble('drift.pointed_away', { ...scene.words, found }, { severity: 'blocks' })]
}

/** Nobody has it any more, or the registrar shows its own page in its place. */
const isExpired = ({ provider }: Scene, ofName: readonly Trouble[]): boolean =>
  provider?.isParking === true || ofName.some(({ code }) => code === 'name.unregistered' || code === 'name.on_hold')

/** Something is there, and nothing of it is ours: what stands beside our own record is a mistake, not a move. */
function isAway({ wanted }: Scene, { routing, have }: Pointing): boolean {
  if ((routing !== 'wrong' && routing !== 'conflict') || have.length === 0) return false
  const ours = new Set([wanted.target, ...wanted.addresses])
  return !have.some((record) => ours.has(valueOf(record)))
}

/** `CNAME other-host.example` without its type. */
const valueOf = (record: string): string => record.slice(record.indexOf(' ') + 1)
