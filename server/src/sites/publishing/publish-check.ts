// Decides whether a site can be published: it is checked with the animals that it has and
// with hostile ones. Anything that the check throws counts as a fault of the site too,
// reported in words for its owner.

import type { CheckSite, PresentedAnimal, SiteContent } from './content.ts'
import { hostileAnimals } from './hostile-animals.ts'

/** The maximum number of reported problems. */
const PROBLEMS_MAX = 10
const PROBLEM_LENGTH_MAX = 300

/** Page by page: a page is rendered when its problems are taken. */
export function* problemsOf(
  check: CheckSite,
  content: SiteContent,
  animals: readonly PresentedAnimal[],
): Generator<readonly string[]> {
  for (const some of [animals, hostileAnimals(content)]) {
    try {
      yield* check(content, some)
    } catch (error) {
      yield [`The page could not be made: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
}

/** The reason why a site cannot be published; undefined if it can. */
export const reasonOf = (problems: ReadonlySet<string>): string | undefined =>
  problems.size === 0 ? undefined : [...problems].slice(0, PROBLEMS_MAX).map(shortened).join('\n')

/** Short, and without what PostgreSQL cannot store. */
const shortened = (problem: string) => problem.slice(0, PROBLEM_LENGTH_MAX).toWellFormed().replaceAll('\0', '')
