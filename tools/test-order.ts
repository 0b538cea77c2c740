// The order in which vitest starts test files. Without a cache, as on a new machine, it starts large
// files first, as if they took long. Some small ones take longest: started last, they leave the other
// cores idle for minutes. They are listed here, by what they took on two cores.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

export const longest: readonly string[] = [
  'e2e/safety.test.ts',
  'e2e/dashboard/sweep.test.ts',
  'e2e/fuzz-platform.test.ts',
  'e2e/fuzz.test.ts',
  'e2e/dashboard/catalogue.test.ts',
  'e2e/dev-command.test.ts',
  'e2e/world-store.test.ts',
  'e2e/reservation.test.ts',
  'e2e/hostile.test.ts',
  'e2e/kill.test.ts',
  'e2e/failed-authorizations.test.ts',
  'e2e/timing-controls.test.ts',
  'server/test/projects/plans.test.ts',
  'server/test/photos/s3.test.ts',
  'server/test/mail/kill.test.ts',
  'server/test/sites/deploys.test.ts',
]

/** The listed files first, in their order; the others stay as they are. */
export function longestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rankOf = (file: File) => {
    const rank = longest.findIndex((path) => pathOf(file).endsWith(`/${path}`))
    return rank === -1 ? longest.length : rank
  }
  return files.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** One of several parts of the files, numbered from 1: each has its share of the long ones, wherever the files lie. */
export function partOf<File>(
  files: readonly File[],
  pathOf: (file: File) => string,
  { index, count }: { index: number; count: number },
): File[] {
  const byPath = files.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1))
  return longestFirst(byPath, pathOf).filter((_, place) => place % count === index - 1)
}

export class LongestFirst extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config
    return shard ? partOf(files, ({ moduleId }) => moduleId, shard) : files
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), ({ moduleId }) => moduleId)
  }
}
