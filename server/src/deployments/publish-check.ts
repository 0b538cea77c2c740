// Decides whether a site can be published: it is checked with the animals that it has and
// with hostile ones. Anything that the check throws counts as a fault of the site too,
// reported in words for its owner.

import type { CheckSite, PresentedAnimal, SiteContent } from './content.ts'
import { hostileAnimals } from './hostile-animals.ts'

/** The maximum number of reported problems. */
const PROBLEMS_MAX = 10
const PROBLEM_LENGTH_MAX = 300

/** The reason why it cannot be published; undefined if it can. Between two pages it waits for `pause`. */
export async function faultOf(
  check: CheckSite,
  content: SiteContent,
  animals: readonly PresentedAnimal[],
  pause: () => Promise<void>,
): Promise<string | undefined> {
  const problems = new Set<string>()
  for (const some of [animals, hostileAnimals(content)]) {
    try {
      for (const faults of check(content, some)) {
        for (const fault of faults) problems.add(fault)
        await pause()
      }
    } catch (error) {
      problems.add(`The page could not be made: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return problems.size === 0 ? undefined : [...problems].slice(0, PROBLEMS_MAX).map(shortened).join('\n')
}

/** Short, and without what PostgreSQL cannot store. */
const shortened = (problem: string) => problem.slice(0, PROBLEM_LENGTH_MAX).toWellFormed().replaceAll('\0', '')
