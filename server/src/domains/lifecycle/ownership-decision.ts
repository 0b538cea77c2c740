// Decides which project may hold a hostname, from what holds while the hostname is locked.
// Pure: the directory supplies the present and the last holder, judging supplies what DNS
// proves.
//
// A CNAME names a project, so it proves a hostname without a holder. A hostname that another
// project holds moves only by a TXT token, only when a member requests it, and only if the
// token is fresh: created after that project was verified. A token older than another project's
// proof is void, however long it stays in DNS.

import type { ProjectId } from '../../projects/scope.io.ts'

/** The present holder of the hostname, and the project that was verified last, removed since or not. */
export type Holding = {
  /** Raised by each verify and each remove; a decision under an older one does not count. */
  generation: bigint
  holder: { project: ProjectId; domain: string } | null
  last: { project: ProjectId; generation: bigint } | null
}

/** Five bits each, so 140 bits; in letters and digits that are not easily confused. */
const TOKEN_LENGTH = 28
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

export function newToken(randomBytes: (count: number) => Uint8Array): string {
  const characters = [...randomBytes(TOKEN_LENGTH)].map((byte) => letters[byte & 31])
  return `petstore-verify=${characters.join('')}`
}

/** Whether a token still proves something for the project that it was created for. */
export const isFresh = (tokenGeneration: bigint, project: ProjectId, { last }: Holding): boolean =>
  last === null || last.project === project || tokenGeneration >= last.generation

export type Claim = {
  project: ProjectId
  /** What DNS proves for this project now. */
  proof: 'cname' | 'txt' | null
  tokenGeneration: bigint
  /** Whether a member requested the check, or it runs in the background. */
  isAsked: boolean
}

/**
 * `has`: it holds the hostname already. `takes`: it takes one without a holder. `moves`: it takes it from another
 * project. `another`: another project keeps it. `unproven`: it stays without a holder.
 */
export type Decision = 'has' | 'takes' | 'moves' | 'another' | 'unproven'

export function decide({ project, proof, tokenGeneration, isAsked }: Claim, holding: Holding): Decision {
  const { holder } = holding
  if (holder?.project === project) return 'has'
  const isTxt = proof === 'txt' && isFresh(tokenGeneration, project, holding)
  if (holder === null) return isTxt || proof === 'cname' ? 'takes' : 'unproven'
  return isTxt && isAsked ? 'moves' : 'another'
}
