// Hostile input stays input: no request hides in another one, no stranger directs a packet into a reserved network, and no
// text becomes markup or script on any page of a site or in any mail.

import { join } from 'node:path'
import { languages } from '@petstore-platform/contract/platform/site'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { documentsWith, executedIn, hostileStrings } from '../hostile-strings.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import type { ReservedFigures } from '../reserved-networks.ts'
import { smuggle } from '../smuggling.ts'

/** `everyString`: 20 for each twentieth string. */
const tiers = {
  small: { everyString: 20, versions: ['1.1'] },
  large: { everyString: 1, versions: ['1.1', '1.0'] },
} as const

export const safetyLine: SafetyLine = {
  title: 'Hostile requests, addresses and texts have no effect',
  sizes: { small: 'every 20th hostile text', large: 'every hostile text, HTTP/1.0 as well' },
  guards: [
    { name: 'escaping', instead: 'pages on which < is not escaped', isQuick: true },
    { name: 'reserved-networks', instead: 'one reserved network that may be contacted', isQuick: true },
  ],
  async run(run) {
    const { without } = run
    if (without !== 'reserved-networks') renderHostile(run)
    if (without !== 'escaping') await contactReserved(run)
    if (without === undefined) await hideRequests(run)
  },
}

function renderHostile({ tier, without, report }: SafetyRun): void {
  // One is enough for the control.
  const strings = hostileStrings.filter((_, index) =>
    without === undefined ? index % tiers[tier].everyString === 0 : index === 0,
  )
  let documents = 0
  const executed: string[] = []
  for (const [index, text] of strings.entries()) {
    const language = languages[index % languages.length] ?? 'en'
    for (const [name, markup] of documentsWith(text, language)) {
      documents += 1
      const shown = without === 'escaping' ? markup.replaceAll('&lt;', '<').replaceAll('&gt;', '>') : markup
      for (const found of executedIn(shown)) executed.push(`${name}: ${found} by ${JSON.stringify(text)}`)
    }
  }
  report({ strings: strings.length, documents, executed: executed.length })
  must(executed.length === 0, `${executed.length} texts became markup; the first: ${executed[0]}`)
}

async function contactReserved({ without, report }: SafetyRun): Promise<void> {
  const allowed = without === 'reserved-networks' ? ['192.168.0.0/16'] : []
  const program = join(import.meta.dirname, '../reserved-networks.ts')
  const worker = await startWorkerProcess<object, ReservedFigures>(program, allowed)
  try {
    const { networks, attempts, packets, to } = await worker.send({})
    report({ 'reserved networks': networks, attempts, packets })
    must(packets === 0, `${packets} packets were sent, to ${to.join(', ')}`)
  } finally {
    await worker.stop()
  }
}

async function hideRequests({ tier, report }: SafetyRun): Promise<void> {
  const { sent, answered, crossed } = await smuggle('127.0.80.36', tiers[tier].versions)
  report({ 'ambiguous requests': sent, answered, crossed: crossed.length })
  must(crossed.length === 0, `${crossed.length} requests crossed; the first: ${crossed[0]}`)
  must(sent >= 500 && answered >= sent / 10, `only ${answered} of ${sent} requests were answered`)
}
