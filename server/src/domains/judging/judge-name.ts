// What is wrong with a name itself, before anybody looks at its records: how it was
// typed, how it looks, whether it is registered, whether its registrar holds it
// back, and whether the plan allows it. A server that said nothing says nothing
// about a name: only the parent's own "there is no such name" does.

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

/** The name to register, if the zone above it says that there is none. */
function unregisteredName({ wanted, zone, evidence }: Scene): string | null {
  const registrable = registrableOf(wanted.hostname)
  if (zone !== null || registrable === null) return null
  const said = evidence.looks.filter(({ to, name }) => to === 'parent' && name === registrable).filter(isAnswered)
  const isDenied = said.some(
    (look) => isGood(look) && look.outcome.rcode === 'NXDOMAIN' && isDeniedBy(look, registrable),
  )
  const isKnown = said.some((look) => isGood(look) && look.outcome.rcode === 'NOERROR')
  return isDenied && !isKnown ? registrable : null
}

/** The "no" comes with the SOA of the zone that may say it: one above the name, not a stranger's. */
function isDeniedBy({ outcome }: { outcome: { authority: readonly { type: string; name: string }[] } }, name: string) {
  return outcome.authority.some(
    ({ type, name: zone }) => type === 'SOA' && zone !== name && `.${name}`.endsWith(`.${zone}`),
  )
}
