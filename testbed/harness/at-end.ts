// What a helper starts ends with the test that called it, or else with its file.

import { afterAll, onTestFinished } from 'vitest'

/** A hook of the file that is registered while a test runs would never be called. */
export function atEnd(close: () => unknown): void {
  const run = async () => {
    await close()
  }
  try {
    onTestFinished(run)
  } catch {
    afterAll(run)
  }
}
