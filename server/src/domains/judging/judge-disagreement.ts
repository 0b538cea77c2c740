// Disagreement between nameservers of one zone: some have the owner's change and some do not
// yet, so the owner waits and reads how many have it. Foreign addresses may differ in every
// answer (load balancing), so only their presence is compared. Servers that differ only in
// the serial matter only while none has the right record.

import { lineOf } from './caa-seen.ts'
import { isDelegated, viewsOf, type View } from './pointing-views.ts'
import { isRight } from './pointing-right.ts'
import { isAnswered, isGood, recordsIn, type Answered, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

/** The answer of one server to one query, in a form that can be compared. */
type ServerAnswer = { server: string; query: string; value: string }

const RIGHT = 'right'

export function disagreement(scene: Scene): Trouble | null {
  const views = viewsOf(scene, scene.wanted.hostname).filter(
    ({ isComplete, cnames }) => isComplete || cnames.length > 0,
  )
  const versions = serialsOf(scene)
  const answers = [...pointingAnswers(scene, views), ...tokenAnswers(scene), ...caaAnswers(scene)]
  const contradictory = [...Map.groupBy(answers, ({ query }) => query).values()].filter(isContradictory)
  const newest = newestOf(versions)
  const late = new Set(contradictory.flatMap((group) => lateServers(group, newest)))
  const servers = new Set([...answers.map(({ server }) => server), ...versions.map(({ server }) => server)])
  if (late.size === 0 && !views.some((view) => isRight(scene, view))) {
    for (const { server, serial } of versions) if (newest && serial !== newest.serial) late.add(server)
  }
  if (late.size === 0) return null
  return trouble('zone.ns_disagree', { ...scene.words, m: servers.size - late.size, n: servers.size })
}

const isContradictory = (answers: readonly ServerAnswer[]) => new Set(answers.map(({ value }) => value)).size > 1

/**
 * The servers whose answer is not the right one, or, if none is right, not that of the server
 * with the newest serial.
 */
function lateServers(answers: readonly ServerAnswer[], newest: { server: string } | null): string[] {
  const right = answers.find(({ value }) => value === RIGHT)
  const model = right ?? answers.find(({ server }) => server === newest?.server) ?? answers[0]
  return answers.filter(({ value }) => value !== model?.value).map(({ server }) => server)
}

const pointingAnswers = (scene: Scene, views: readonly View[]): ServerAnswer[] =>
  views.map((view) => ({
    server: view.server,
    query: 'pointing',
    value: isRight(scene, view)
      ? RIGHT
      : [...view.cnames, `A ${view.a.length > 0}`, `AAAA ${view.aaaa.length > 0}`].join(),
  }))

const goodLookups = (scene: Scene): Answered[] =>
  scene.evidence.looks
    .filter((look) => look.to === 'authoritative' && isDelegated(scene, look))
    .filter(isAnswered)
    .filter(isGood)

function tokenAnswers(scene: Scene): ServerAnswer[] {
  const { token, hostname } = scene.wanted
  const name = `_petstore.${hostname}`
  if (token === null) return []
  return goodLookups(scene)
    .filter((look) => look.name === name && look.type === 'TXT')
    .map((look) => {
      const hasToken = recordsIn(look, name, 'TXT').some(({ text }) => text.includes(token))
      return { server: look.server, query: 'token', value: hasToken ? RIGHT : 'nothing' }
    })
}

const caaAnswers = (scene: Scene): ServerAnswer[] =>
  goodLookups(scene)
    .filter(({ type, name }) => type === 'CAA' && (name === scene.apex || name === scene.wanted.hostname))
    .map((look) => ({
      server: look.server,
      query: `CAA ${look.name}`,
      value: recordsIn(look, look.name, 'CAA').map(lineOf).sort().join('\n'),
    }))

type Version = { server: string; serial: number }

const serialsOf = (scene: Scene): Version[] =>
  goodLookups(scene)
    .filter(({ type, name }) => type === 'SOA' && name === scene.apex)
    .flatMap((look) => recordsIn(look, scene.apex, 'SOA').map(({ serial }) => ({ server: look.server, serial })))

const newestOf = (versions: readonly Version[]): Version | null =>
  versions.reduce<Version | null>((best, one) => (best === null || isNewer(one.serial, best.serial) ? one : best), null)

/** RFC 1982: serials wrap around, so "greater" means "less than half the range ahead". */
export const isNewer = (one: number, other: number): boolean => one !== other && (one - other) >>> 0 < 2 ** 31
