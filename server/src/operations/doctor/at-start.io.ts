// The checks of `doctor` that every role makes at its start, besides those of its database: a role does not start with an
// example in place of a secret, and reports secrets that others can read or guess.

import { judgeSecret } from './judge-program.ts'
import { observeSecret, type SecretSetting } from './observe-program.io.ts'

/** Throws for an error; `warn` receives a sentence for each warning. */
export function checkAtStart(secrets: readonly SecretSetting[], warn: (sentence: string) => void): void {
  for (const { severity, sentence, remedy } of secrets.map(observeSecret).flatMap(judgeSecret)) {
    if (severity === 'error') throw new Error(`${sentence} ${remedy}`)
    warn(`${sentence} ${remedy}`)
  }
}
