// The record list contains the records that the owner must have, each with the existing ones,
// in the form that the owner's DNS provider expects. It is complete whatever else is wrong:
// the owner can copy the records from the first moment on.

import { plainAddress } from './address-text.ts'
import { caaAdvice } from './judge-caa.ts'
import type { Owned } from './judge-ownership.ts'
import type { Pointing } from './judge-pointing.ts'
import type { RecordAdvice, Routing } from './judgement.ts'
import { textsFound, tokenNameOf, tokenAgreement } from './ownership-token.ts'
import { typedName } from '../providers/provider.ts'
import { needsAddresses, TTL, typedValue } from './record-format.ts'
import type { Scene } from './scene.ts'

export function recordsWanted(scene: Scene, pointing: Pointing, owned: Owned): RecordAdvice[] {
  const pointers = needsAddresses(scene) ? addressRecords(scene, pointing) : [nameRecord(scene, pointing)]
  const caa = caaAdvice(scene)
  return [...pointers, ...tokenRecord(scene, owned), ...(caa === null ? [] : [caa])]
}

type Standing = Pick<RecordAdvice, 'state' | 'action'>

const standings: Readonly<Record<Routing, Standing>> = {
  pointing: { state: 'right', action: 'keep' },
  propagating: { state: 'right', action: 'wait' },
  missing: { state: 'missing', action: 'add' },
  wrong: { state: 'wrong', action: 'change' },
  conflict: { state: 'conflicting', action: 'delete_others' },
  // The record may well exist: if it cannot be queried, the owner must not be advised to undo it.
  unreachable: { state: 'unknown', action: 'wait' },
  unknown: { state: 'unknown', action: 'add' },
}

function nameRecord(scene: Scene, { routing, have }: Pointing): RecordAdvice {
  const { isApex, provider } = scene
  return {
    type: isApex ? (provider?.apexAlias ?? 'ALIAS') : 'CNAME',
    ...nameFields(scene, scene.wanted.hostname),
    value: typedValue(scene),
    have,
    ...standings[routing],
    isRequired: true,
  }
}

/** One per address of ours, if the provider has no record that follows a name. */
function addressRecords(scene: Scene, { routing, have, addresses }: Pointing): RecordAdvice[] {
  const found = new Set(addresses.map(plainAddress))
  return scene.wanted.addresses.map((value): RecordAdvice => {
    const type = value.includes(':') ? 'AAAA' : 'A'
    const isThere = found.has(plainAddress(value))
    const standing = routing === 'conflict' && isThere ? standings.pointing : lacking(routing, isThere)
    // Everything works without IPv6; without IPv4 many visitors would not reach us.
    const isRequired = type === 'A'
    return { type, ...nameFields(scene, scene.wanted.hostname), value, have, ...standing, isRequired }
  })
}

const lacking = (routing: Routing, isThere: boolean): Standing =>
  routing === 'pointing' && !isThere ? standings.missing : standings[routing]

function tokenRecord(scene: Scene, { needsToken, state, proof }: Owned): RecordAdvice[] {
  const { token } = scene.wanted
  const texts = textsFound(scene)
  if (token === null || !(needsToken || proof === 'txt')) return []
  const standing = tokenStanding(scene, state === 'proven' && proof === 'txt', texts)
  const have = texts.map((text) => `TXT ${text}`)
  const record = { type: 'TXT' as const, ...nameFields(scene, tokenNameOf(scene)), value: token, have }
  return [{ ...record, ...standing, isRequired: needsToken }]
}

function tokenStanding(scene: Scene, isProven: boolean, texts: readonly string[]): Standing {
  if (isProven) return standings.pointing
  const servers = tokenAgreement(scene)
  if (servers === 'silent') return scene.evidence.zone === null ? standings.unknown : standings.unreachable
  if (servers !== 'none') return standings.propagating
  return texts.length > 0 ? standings.wrong : standings.missing
}

const nameFields = ({ provider, apex }: Scene, fullName: string) => ({
  name: typedName(provider, fullName, apex),
  fullName,
  ttl: TTL,
})
