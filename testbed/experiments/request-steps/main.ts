// A million random steps of visitors, members and the clock on a few animals: two requests never
// hold one animal, a sold animal never has an open request, and every cell of the transition table
// is reached.
//
//   npm run experiment -- request-steps --help
//
// `--broken` is the negative control: a hold ignores the other requests, as if the index did not
// exist, and the run must fail.

import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { takeSteps, type StepFigures } from './model.ts'

const CELLS = 81

export const isComplete = ({ tried, made, allowed, faults }: StepFigures): boolean =>
  faults.length === 0 && tried === CELLS && made === allowed

if (import.meta.main) {
  const flags = readFlags('request-steps')
  const figures = takeSteps({ steps: Number(flags.steps), seed: Number(flags.seed), isBroken: flags.broken })
  conclude(flags, figures, ...figures.faults, isComplete(figures) ? undefined : 'not every cell was reached')
}
