// On a busy machine PostgreSQL can be too slow for the deadlines of the program. Where a test prepares something or
// looks at it, rather than testing those deadlines, it tries again.

import { Unavailable } from '../../server/src/foundation/postgres/postgres.io.ts'

export async function withRetries<T>(work: () => Promise<T>, withinMs = 30_000): Promise<T> {
  for (const end = performance.now() + withinMs; ;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
