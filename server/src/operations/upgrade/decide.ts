// Decisions of `petstore upgrade`. Pure.

import { isOlder } from '../../foundation/postgres/migration-plan.ts'

/** The reason why this release cannot follow the one that runs; undefined if it can. */
export function versionTrouble(next: string, running: string): string | undefined {
  if (next === running) return `${next} is the release that runs.`
  if (isOlder(next, running))
    return `${next} is older than ${running}, which runs. Go back by petstore upgrade --back, if it ran before.`
  return undefined
}

/** The digest of a file, from the text of SHA256SUMS. */
export const digestIn = (sums: string, name: string): string | undefined =>
  sums
    .split('\n')
    .find((line) => line.slice(64) === `  ${name}`)
    ?.slice(0, 64)

/** Releases to remove: neither the one that runs nor the one to go back to. */
export const superfluous = (names: readonly string[], kept: readonly string[]): readonly string[] =>
  names.filter((name) => /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(name) && !kept.includes(name))
