// Steps of a journey: each depends on those before it. After a failed step the following ones are skipped, so that one
// failure counts as one. With SHOTS=<folder>, a screenshot after each step is stored for a person to look at.

import type { Page } from 'playwright-core'
import { afterAll, test } from 'vitest'

/** `pageOf`: what the picture after a step shows; `journey` begins the names of the pictures. */
export function stepsOf(journey: string, pageOf: () => Page | undefined) {
  const took: string[] = []
  let hasFailed = false
  let pictures = 0

  const picture = async (name: string, of: Page | undefined = pageOf()): Promise<void> => {
    const folder = process.env['SHOTS']
    pictures += 1
    const file = `${journey}-${String(pictures).padStart(2, '0')}-${name.replaceAll(/\W+/g, '-').slice(0, 50)}.png`
    if (folder) await of?.screenshot({ path: `${folder}/${file}`, fullPage: true })
  }
  const note = (began: number, what: string): void => {
    took.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  }
  const step = (name: string, walk: () => Promise<void>): void => {
    test(name, async ({ skip }) => {
      skip(hasFailed, 'a step before this one failed')
      hasFailed = true
      const began = performance.now()
      try {
        await walk()
        hasFailed = false
      } finally {
        note(began, name)
        await picture(hasFailed ? 'failed' : name)
      }
    })
  }
  afterAll(() => void process.stdout.write(`${took.join('\n')}\n`))
  return { step, picture, note }
}
