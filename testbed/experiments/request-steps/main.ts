// Random steps of visitors, members and the clock on a few animals.

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
