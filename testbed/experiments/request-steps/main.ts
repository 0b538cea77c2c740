// A million random steps of visitors, members and the clock on a few animals: two requests never
// hold one animal, a sold animal never has an open request, and every cell of the transition table
// is reached.
//
//   npm run experiment -- request-steps --help
//
// `--broken` is the negative control: a hold ignores the other requests, as if the index did not
// exist, and the run must fail.

import { readFlags } from '../flags.ts'
import { takeSteps, type StepFigures } from './model.ts'

const CELLS = 81

export const isComplete = ({ tried, made, allowed, faults }: StepFigures): boolean =>
  faults.length === 0 && tried === CELLS && made === allowed

if (import.meta.main) {
  const flags = readFlags('request-steps')
  const started = performance.now()
  const figures = takeSteps({ steps: Number(flags.steps), seed: Number(flags.seed), isBroken: flags.broken })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const { steps, tried, made, allowed, undone, faults } = figures
  if (flags.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
  else {
    for (const fault of faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(
      `request-steps: ${steps} steps in ${seconds} s: ${tried} of ${CELLS} cells tried, ${made} of ${allowed} ` +
        `transitions made, ${undone} undone; ${faults.length} faults\n`,
    )
  }
  process.exitCode = isComplete(figures) ? 0 : 1
}
