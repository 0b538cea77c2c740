// The catalogue of domain states: every status, every state of every axis and every cause of
// trouble, as the dashboard would show it. It is generated from the tables of the server, so
// that additions there appear here automatically.
//
//   node testbed/catalogue/catalogue.ts > catalogue.json

import { readFileSync } from 'node:fs'
import type { Catalogue, CatalogueEntry } from '../../dashboard/src/catalogue/entries.ts'
import { ADVICE_FILE } from '../zones/print.ts'
import { causeCodes, causes, type CauseCode } from '../../server/src/domains/causes/causes.ts'
import { axisScenes, causeScene, domainOf, statusScenes } from './domains.ts'
import { everyRecord, extremes } from './extremes.ts'
import { say } from '../../tools/steps.ts'

export const catalogueAt = (now: number): Catalogue => ({
  statuses: Object.entries(statusScenes).map(([name, scene]) => ({ name, domain: domainOf(now, scene) })),
  axes: Object.entries(axisScenes).flatMap(([axis, scenes]) =>
    Object.entries(scenes).map(([state, scene]) => axisEntry(now, { axis, state }, scene)),
  ),
  causes: causeCodes.map((code) => ({ name: code, domain: domainOf(now, causeScene(now, code)) })),
  told: reviewedTexts(),
  records: [
    { name: 'every record', domain: { ...domainOf(now, statusScenes.action_required), records: [...everyRecord] } },
  ],
  extremes: Object.entries(extremes(now)).map(([name, domain]) => ({ name, domain })),
})

type Scene = Parameters<typeof domainOf>[1]

function axisEntry(now: number, { axis, state }: { axis: string; state: string }, scene: Scene): CatalogueEntry {
  const domain = domainOf(now, scene)
  // The one state that the lifecycle of a domain does not have: see `domains.ts`.
  const axes = axis === 'ownership' && state === 'unknown' ? { ...domain.axes, ownership: state } : domain.axes
  if (axes[axis as keyof typeof axes] !== state)
    throw new Error(`the scene for ${axis} ${state} is ${JSON.stringify(axes)}`)
  return { name: `${axis} ${state}`, domain: { ...domain, axes } as typeof domain }
}

/** The texts that owners really get, verbatim: the reviewed texts of the corpus, each once. */
function reviewedTexts(): CatalogueEntry[] {
  const paragraphs = readFileSync(ADVICE_FILE, 'utf8').trimEnd().split('\n\n')
  const reviewed = paragraphs.flatMap((paragraph) => {
    const [says = '', code = '', advice = ''] = paragraph.split('\n').map((line) => line.trim())
    return isCause(code) ? [{ name: says, trouble: { code, ...partOf(code), advice, until: null } }] : []
  })
  return reviewed.filter(
    ({ trouble }, index) => reviewed.findIndex((other) => other.trouble.advice === trouble.advice) === index,
  )
}

const isCause = (code: string): code is CauseCode => code in causes
const partOf = (code: CauseCode) => ({ severity: causes[code].severity, actor: causes[code].actor })

if (import.meta.main) say(JSON.stringify(catalogueAt(Date.now())))
