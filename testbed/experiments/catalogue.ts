// Lists the experiments by walking their folder: every subfolder is one, with its program in
// main.ts and its description in about.ts.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { About, Described } from './description.ts'

export const folder = import.meta.dirname

export const experimentNames = (root = folder): string[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()

export const describedExperiments = (root = folder): Promise<Described[]> =>
  Promise.all(experimentNames(root).map((name) => describe(root, name)))

async function describe(root: string, name: string): Promise<Described> {
  const file = join(root, name, 'about.ts')
  if (!existsSync(file)) throw new Error(`The experiment ${name} has no description (about.ts)`)
  const { about } = (await import(file)) as { about: About }
  return { name, about }
}
