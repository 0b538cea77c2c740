// Decides whether a site can be published: it is checked with the animals that it has and
// with hostile ones. Anything that the check throws counts as a fault of the site too,
// reported in words for its owner.

import type { CheckSite, PresentedAnimal, SiteContent } from './content.ts'
import { hostileAnimals } from './hostile-animals.ts'

/** The maximum number of reported problems. */
const PROBLEMS_MAX = 10
const PROBLEM_LENGTH_MAX = 300

/** The reason why it cannot be published; undefined if it can. */
export function faultOf(
  check: CheckSite,
  content: SiteContent,
  animals: readonly PresentedAnimal[],
): string | undefined {
  const problems = new Set([
    ...problemsOf(check, content, animals),
    ...problemsOf(check, content, hostileAnimals(content)),
  ])
  return problems.size === 0 ? undefined : [...problems].slice(0, PROBLEMS_MAX).map(shortened).join('\n')
}

function problemsOf(check: CheckSite, content: SiteContent, animals: readonly PresentedAnimal[]): readonly string[] {
  try {
    return check(content, animals)
  } catch (error) {
    return [`The page could not be made: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** Short, and without what PostgreSQL cannot store. */
const shortened = (problem: string) => problem.slice(0, PROBLEM_LENGTH_MAX).toWellFormed().replaceAll('\0', '')
