// Parses very many generated hostnames and checks for each: parsing the result again changes
// nothing, the second parser agrees, nothing was accepted that must be rejected, and nothing
// throws. The parser is an argument, so that broken ones can serve as negative controls.

import type { GoodName, NameOptions, ReadName } from '../../../server/src/domains/naming/names.ts'
import { collectedNames, corpusOptions } from './corpus.ts'
import { inputs, type Chance, type Input } from './inputs.ts'
import { objection } from './strict.ts'
import { mulberry32 } from '../mulberry32.ts'

export type NameFinding = {
  kind: 'threw' | 'not idempotent' | 'bad accepted' | 'good refused'
  typed: string
  why: string
}
export type NameFuzzReport = {
  count: number
  seed: number
  accepted: number
  refused: Readonly<Record<string, number>>
  found: number
  /** The first few. */
  findings: readonly NameFinding[]
}
export type NameReader = (typed: string, options: NameOptions) => ReadName

const KEPT_FINDINGS = 20

export function fuzzNames({ count, seed, read }: { count: number; seed: number; read: NameReader }): NameFuzzReport {
  const names = collectedNames()
  const good = names
    .filter(({ expected }) => !expected.startsWith('!') && !expected.includes(' '))
    .map(({ typed }) => typed)
  const bad = names.filter(({ expected }) => expected.startsWith('!')).map(({ typed }) => typed)
  const next = inputs(good, bad, chanceFrom(seed))
  const refused: Record<string, number> = {}
  const findings: NameFinding[] = []
  let [accepted, found] = [0, 0]
  for (let index = 0; index < count; index++) {
    const input = next()
    const { result, finding } = checkInput(input, read)
    if (result?.ok) accepted++
    else if (result) refused[result.code] = (refused[result.code] ?? 0) + 1
    if (finding) found++
    if (finding && findings.length < KEPT_FINDINGS) findings.push(finding)
  }
  return { count, seed, accepted, refused, found, findings }
}

function checkInput({ typed, mustBeRefused }: Input, read: NameReader): { result?: ReadName; finding?: NameFinding } {
  try {
    const result = read(typed, corpusOptions)
    if (!result.ok) return { result }
    const finding = mustBeRefused ? badAccepted(typed, `became ${result.hostname}`) : wrongAccepted(typed, result, read)
    return finding ? { result, finding } : { result }
  } catch (error) {
    return { finding: { kind: 'threw', typed, why: String(error) } }
  }
}

const badAccepted = (typed: string, why: string): NameFinding => ({ kind: 'bad accepted', typed, why })

function wrongAccepted(typed: string, name: GoodName, read: NameReader): NameFinding | null {
  const wrong = objection(typed, name, corpusOptions)
  if (wrong !== null) return badAccepted(typed, `${name.hostname}: ${wrong}`)
  const forms = [name.hostname, name.unicode].map((form) => read(form, corpusOptions))
  const differs = forms.find((form) => !form.ok || form.hostname !== name.hostname || form.isCleaned)
  return differs ? { kind: 'not idempotent', typed, why: `${name.hostname}, then ${JSON.stringify(differs)}` } : null
}

function chanceFrom(seed: number): Chance {
  const random = mulberry32(seed)
  const below = (end: number) => Math.floor(random() * end)
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number] }
}
