// Name judging finds troubles of the name itself, before its records are considered: how it
// was typed, which scripts it mixes, whether it is registered, whether its registrar has
// suspended it, and whether the plan allows it. A server that did not answer shows nothing
// about a name: only NXDOMAIN from the parent itself does.

import { isMixedScript } from '../naming/scripts.ts'
import { registrableOf, unicodeOf } from '../naming/names.ts'
import { isOnHold } from '../providers/providers.ts'
import { isAnswered, isGood, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export function nameTroubles(scene: Scene): Trouble[] {
  const { words, known, zone, apex } = scene
  const unicode = unicodeOf(words.host)
  const registered = unregisteredName(scene)
  return [
    ...(known.planAllows ? [] : [trouble('plan.lapsed', words)]),
    ...(registered === null ? [] : [trouble('name.unregistered', { ...words, apex: registered })]),
    ...(zone && isOnHold(zone.delegated, apex) ? [trouble('name.on_hold', words)] : []),
    ...(isMixedScript(unicode) ? [trouble('name.idn_mixed_script', { unicode, ascii: words.host })] : []),
    ...(known.typed !== null && known.typed !== words.host ? [trouble('name.url_pasted', words)] : []),
  ]
}

/** The name to register, if the zone above it denies its existence. */
function unregisteredName({ wanted, zone, evidence }: Scene): string | null {
  const registrable = registrableOf(wanted.hostname)
  if (zone !== null || registrable === null) return null
  const answers = evidence.looks.filter(({ to, name }) => to === 'parent' && name === registrable).filter(isAnswered)
  const isDenied = answers.some(
    (look) => isGood(look) && look.outcome.rcode === 'NXDOMAIN' && isDeniedBy(look, registrable),
  )
  const isKnown = answers.some((look) => isGood(look) && look.outcome.rcode === 'NOERROR')
  return isDenied && !isKnown ? registrable : null
}

/** A negative answer carries the SOA of the zone that may give it: one above the name, not an unrelated one. */
function isDeniedBy({ outcome }: { outcome: { authority: readonly { type: string; name: string }[] } }, name: string) {
  return outcome.authority.some(
    ({ type, name: zone }) => type === 'SOA' && zone !== name && `.${name}`.endsWith(`.${zone}`),
  )
}
