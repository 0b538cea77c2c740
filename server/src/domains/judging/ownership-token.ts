// The ownership token is the project's token in a TXT record. This file defines the name of
// the record, the values that count as equal, and the troubles if it is at another name, has
// another value or is missing. Providers add quotes and split values into strings; that alone
// is harmless.

import type { DnsRecord } from '../../foundation/dns/answer.ts'
import { isProof, resolversOn, serversOn, type Agreement, type CountedQuestion } from './agreement.ts'
import { isDelegated } from './pointing-views.ts'
import { typedName } from '../providers/provider.ts'
import { shortName } from './record-format.ts'
import { isAnswered, isGood, recordsAt, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export const tokenNameOf = ({ wanted }: Scene): string => `_petstore.${wanted.hostname}`

/** Whether a TXT record contains the token, ignoring quotes and spaces. */
const containsToken = (record: DnsRecord, token: string | null): boolean =>
  record.type === 'TXT' && token !== null && token !== '' && bare(record.text) === token

const bare = (text: string): string => text.replace(/["'\\\s]/g, '')

export const tokenQuestion = (scene: Scene): CountedQuestion => ({
  name: tokenNameOf(scene),
  type: 'TXT',
  isThere: (records: readonly DnsRecord[]) => records.some((record) => isToken(scene, record)),
})

const isToken = (scene: Scene, record: DnsRecord): boolean =>
  record.name === tokenNameOf(scene) && containsToken(record, scene.wanted.token)

export const isTokenAccepted = (scene: Scene): boolean => isProof(scene, tokenQuestion(scene))

/** The agreement of the zone's own servers about it. */
export const tokenAgreement = (scene: Scene): Agreement => serversOn(scene, tokenQuestion(scene))

/** Whether it was accepted only by ignoring quotes, spaces or splits. */
export const wasQuoted = (scene: Scene): boolean =>
  recordsAt(scene, tokenNameOf(scene), 'TXT')
    .filter((record) => isToken(scene, record))
    .every(({ text, strings }) => text !== scene.wanted.token || strings.length > 1)

/** The TXT values at the name where the token must be. */
export const textsFound = (scene: Scene): string[] =>
  recordsAt(scene, tokenNameOf(scene), 'TXT').map(({ text }) => text)

/** Why the token is not accepted; empty if no server could be queried, or if it is only late. */
export function tokenTroubles(scene: Scene): Trouble[] {
  if (tokenAgreement(scene) !== 'none') return []
  const resolvers = resolversOn(scene, tokenQuestion(scene))
  const isCached = resolvers === 'all' || resolvers === 'some'
  const cached = isCached ? [trouble('own.token_only_in_cache', scene.words)] : []
  return [absent(scene), ...cached]
}

function absent(scene: Scene): Trouble {
  const { known, provider, apex, words } = scene
  const full = tokenNameOf(scene)
  const name = typedName(provider, full, apex)
  const texts = textsFound(scene)
  const stale = texts.find((text) => known.staleTokens.includes(bare(text)))
  if (stale !== undefined) return trouble('own.txt_stale', { ...words, full, found: stale })
  const found = misplaced(scene)
  if (found !== null) {
    return trouble('own.txt_wrong_name', { ...words, found, full, short: shortName(full, apex) })
  }
  const [other] = texts
  if (other !== undefined) return trouble('own.txt_mismatch', { ...words, full, found: other })
  return trouble('own.txt_missing', { ...words, name, why: reason(scene) })
}

/** Another name in the zone that has the token. */
function misplaced(scene: Scene): string | null {
  const { evidence, wanted } = scene
  const looks = evidence.looks.filter((look) => look.to === 'authoritative' && isDelegated(scene, look))
  const records = looks
    .filter(isAnswered)
    .filter(isGood)
    .flatMap(({ outcome }) => outcome.records)
  const wrong = records.find((record) => containsToken(record, wanted.token) && record.name !== tokenNameOf(scene))
  return wrong?.name ?? null
}

function reason({ known, isApex, words }: Scene): string {
  if (known.isGuardedByOther) return `another store holds a name above ${words.host}, so we must know that it is yours`
  return `it proves that ${isApex ? words.apex : words.host} is yours`
}
