// A row of the ASVS sheet: a requirement of the standard by its number, what Petstore does about it in our own words, and
// what shows it. The standard itself is not repeated.

export type AsvsRow = {
  number: string
  words: string
  kind: 'test' | 'documentation' | 'reason'
  /** `file › describe › title`; behind it, if the title alone could promise more than the test shows, ` ⊢ ` and the assertion. */
  tests: readonly string[]
  /** `file#heading`, as GitHub writes anchors. */
  pages: readonly string[]
}

/** Met, and shown by tests. */
export const shown = (number: string, words: string, ...tests: readonly string[]): AsvsRow => ({
  number,
  words,
  kind: 'test',
  tests,
  pages: [],
})

/** The requirement asks for a document, or for something that people do. */
export const documented = (
  number: string,
  words: string,
  pages: readonly string[],
  ...tests: readonly string[]
): AsvsRow => ({ number, words, kind: 'documentation', tests, pages })

/** Does not apply, and why. */
export const inapplicable = (number: string, reason: string): AsvsRow => ({
  number,
  words: reason,
  kind: 'reason',
  tests: [],
  pages: [],
})
