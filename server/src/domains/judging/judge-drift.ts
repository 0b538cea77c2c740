// Drift judging explains what has happened to a live name. Records that are a mistake in a
// new name are most often a decision in a live one: its owner moved, or forgot to renew. So
// the owner reads what has happened and gets both options, instead of instructions for
// creating a record. A single check never takes a live name offline; the lifecycle of the
// domain decides when the result of this file takes effect.

import type { Pointing } from './judge-pointing.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { listed } from './format.ts'

export function driftTroubles(scene: Scene, pointing: Pointing, ofName: readonly Trouble[]): Trouble[] {
  if (!scene.known.isLive) return []
  if (isExpired(scene, ofName)) return [trouble('drift.domain_expired', scene.words)]
  if (!isAway(scene, pointing)) return []
  const found = listed(pointing.have.map(valueOf))
  // As severe as the mistake that it replaces.
  return [trouble('drift.pointed_away', { ...scene.words, found }, { severity: 'blocks' })]
}

/** The name is no longer registered, or the registrar shows its own page. */
const isExpired = ({ provider }: Scene, ofName: readonly Trouble[]): boolean =>
  provider?.isParking === true || ofName.some(({ code }) => code === 'name.unregistered' || code === 'name.on_hold')

/** Records exist, and none of them is ours: a record next to ours is a mistake, not a move. */
function isAway({ wanted }: Scene, { routing, have }: Pointing): boolean {
  if ((routing !== 'wrong' && routing !== 'conflict') || have.length === 0) return false
  const ours = new Set([wanted.target, ...wanted.addresses])
  return !have.some((record) => ours.has(valueOf(record)))
}

/** `CNAME other-host.example` without its type. */
const valueOf = (record: string): string => record.slice(record.indexOf(' ') + 1)
