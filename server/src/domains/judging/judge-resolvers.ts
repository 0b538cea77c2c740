// Resolver judging finds troubles that only resolvers show while the nameservers look fine to
// us: resolvers fail everywhere, or only in some parts of the world. A resolver that fails
// for other names as well shows nothing about this zone. Different answers depend on the
// location only if caching cannot explain them; otherwise they are a matter of time.

import { isInZone } from './caa-seen.ts'
import type { QuestionType } from '../../foundation/dns/answer.ts'
import { isBeyondZone } from './judge-dnssec.ts'
import { isAnswered, lookupsOf, recordsIn, type Answered, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export function resolverTrouble(scene: Scene): Trouble | null {
  const questions = [...Map.groupBy(checkedLookups(scene), ({ name, type }) => `${name} ${type}`).values()]
  const failing = questions.find((looks) => looks.every((look) => isFailingBothWays(scene, look)))?.[0]
  if (failing) return trouble('zone.servfail_other', { ...scene.words, detail: errorWords(failing) })
  return questions.some((looks) => isByLocation(scene, looks)) ? trouble('zone.geo_blocked', scene.words) : null
}

/** Of resolvers that can be trusted, for names of the owner's zone. */
function checkedLookups(scene: Scene): Answered[] {
  const looks = scene.evidence.looks.filter(({ to }) => to === 'checked').filter(isAnswered)
  const isOutside = ({ name }: Answered) => !isOwners(scene, name)
  const broken = looks
    .filter((look) => isOutside(look) && look.outcome.rcode === 'SERVFAIL')
    .map(({ server }) => server)
  const well = new Set(looks.filter((look) => isOutside(look) && hasNoError(look)).map(({ server }) => server))
  return looks.filter((look) => !isOutside(look) && (well.has(look.server) || !broken.includes(look.server)))
}

const isOwners = (scene: Scene, name: string) => isInZone(scene, name) || name === scene.wanted.hostname
const hasNoError = ({ outcome: { rcode } }: Answered) => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

/** It fails with and without validation, so the signatures are not the reason. */
const isFailingBothWays = (scene: Scene, look: Answered): boolean =>
  look.outcome.rcode === 'SERVFAIL' &&
  !isBeyondZone(scene, look) &&
  lookupsOf(scene, 'unchecked', look.name, look.type)
    .filter(isAnswered)
    .some(({ server, outcome }) => server === look.server && outcome.rcode === 'SERVFAIL')

function errorWords({ outcome: { rcode, errors } }: Answered): string {
  const words = errors.map(({ code, text }) => `extended error ${code}${text === '' ? '' : ` (${text})`}`)
  return [rcode, ...words].join(', ')
}

/** One resolver gets through and another does not, or gets a value that cannot be cached any longer. */
function isByLocation(scene: Scene, looks: readonly Answered[]): boolean {
  const good = looks.filter(hasNoError)
  if (good.length === 0 || new Set(looks.map(({ server }) => server)).size < 2) return false
  if (looks.some((look) => isFailingBothWays(scene, look) && isShutOut(scene, look))) return true
  const isRight = good.some((look) => isAsAtNameservers(scene, look))
  return isRight && good.some((look) => !isAsAtNameservers(scene, look) && isBeyondCaching(scene, look))
}

/** By its error code, or by failing at every query for the name: a lost packet fails only once. */
function isShutOut(scene: Scene, { server, name, outcome: { errors } }: Answered): boolean {
  if (errors.length > 0) return errors.some(({ code }) => shutOutCodes.has(code))
  const others = scene.evidence.looks.filter((look) => look.to === 'checked' && look.server === server)
  const here = others.filter((look) => look.name === name).filter(isAnswered)
  return here.length > 1 && here.every((look) => isFailingBothWays(scene, look))
}

// RFC 8914: prohibited, no reachable authority, network error.
const shutOutCodes = new Set([18, 22, 23])

/** The values of the nameservers, or a part of them; if they disagree, time explains everything. */
function isAsAtNameservers(scene: Scene, look: Answered): boolean {
  const own = lookupsOf(scene, 'authoritative', look.name, look.type).filter(isAnswered).filter(hasNoError)
  const expected = new Set(own.flatMap((one) => valuesIn(one, look.type)))
  const values = valuesIn(look, look.type)
  return values.length === 0 ? expected.size === 0 : values.every((value) => expected.has(value))
}

/** Every answer cached since the first check has expired, and this value did not exist then. */
function isBeyondCaching({ known: { firstCheck }, evidence }: Scene, look: Answered): boolean {
  if (firstCheck === null || evidence.at <= firstCheck.rememberedUntil) return false
  const values = valuesIn(look, look.type)
  return values.length > 0 && !values.some((value) => firstCheck.values.includes(value))
}

/** `TYPE value` at exactly the queried name; if there is a CNAME, that is the answer. */
export function valuesIn(look: Answered, type: QuestionType): string[] {
  const cnames = recordsIn(look, look.name, 'CNAME').map(({ target }) => `CNAME ${target}`)
  if (cnames.length > 0) return cnames
  const here = look.outcome.records.filter((record) => record.name === look.name && record.type === type)
  return here.flatMap((record) => {
    if ('address' in record) return [`${record.type} ${record.address}`]
    return 'text' in record ? [`TXT ${record.text}`] : []
  })
}
