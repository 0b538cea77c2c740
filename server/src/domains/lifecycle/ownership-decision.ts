// Who may have a name, decided from what holds while the name is locked. Pure: the
// directory says who has it and who had it last, judging says what DNS proves.
//
// A CNAME names a project, so it proves a name that nobody else has. A name that
// another project has moves only by a TXT token, only when a person asks for it,
// and only if the token is fresh: made up after that project was verified. A token
// older than another project's proof is dead, for as long as it may stand in DNS.

import type { ProjectId } from '../../projects/scope.io.ts'

/** Who has the name now, and who was verified last, removed since or not. */
export type Holding = {
  /** Raised by each verify and each remove; what was decided under an older one does not count. */
  generation: bigint
  holder: { project: ProjectId; domain: string } | null
  last: { project: ProjectId; generation: bigint } | null
}

/** Five bits each, so 140 bits; in letters and digits that nobody confuses. */
const TOKEN_LENGTH = 28
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

export function newToken(randomBytes: (count: number) => Uint8Array): string {
  const characters = [...randomBytes(TOKEN_LENGTH)].map((byte) => letters[byte & 31])
  return `petstore-verify=${characters.join('')}`
}

/** Whether a token still proves something for the project that it was made up for. */
export const isFresh = (tokenGeneration: bigint, project: ProjectId, { last }: Holding): boolean =>
  last === null || last.project === project || tokenGeneration >= last.generation

export type Claim = {
  project: ProjectId
  /** What DNS proves for this project, by what it says now. */
  proof: 'cname' | 'txt' | null
  tokenGeneration: bigint
  /** Whether a person asks, or the background looks. */
  isAsked: boolean
}

/** `has` it already; `takes` it from nobody, or `moves` it from another project; or it stays `another`'s, or nobody's. */
export type Decision = 'has' | 'takes' | 'moves' | 'another' | 'unproven'

export function decide({ project, proof, tokenGeneration, isAsked }: Claim, holding: Holding): Decision {
  const { holder } = holding
  if (holder?.project === project) return 'has'
  const isTxt = proof === 'txt' && isFresh(tokenGeneration, project, holding)
  if (holder === null) return isTxt || proof === 'cname' ? 'takes' : 'unproven'
  return isTxt && isAsked ? 'moves' : 'another'
}
