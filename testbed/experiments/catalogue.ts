// Lists the experiments by walking their folder: every subfolder is one, and must be described.

import { readdirSync } from 'node:fs'
import type { About, Described } from './description.ts'
import { experiments } from './experiments.ts'

export const folder = import.meta.dirname

export const experimentNames = (root = folder): string[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()

export const describedExperiments = (root = folder): Described[] => experimentNames(root).map(describe)

function describe(name: string): Described {
  const about = (experiments as Record<string, About>)[name]
  if (!about) throw new Error(`The experiment ${name} has no description (experiments.ts)`)
  return { name, about }
}
