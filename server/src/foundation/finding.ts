// A finding of a self-check: what is wrong, and what an operator does about it. Checks have numbers, which documents
// and scripts refer to; they are never reused.

export type Finding = Readonly<{
  check: number
  /** `waiting`: correct without further action, later. `undetermined`: the check could not be made. */
  severity: 'error' | 'warning' | 'waiting' | 'undetermined'
  /** One sentence. */
  sentence: string
  /** One or more sentences in the imperative. */
  remedy: string
}>

/** What a check is about, or why it could not be found out. */
export type Observed<T> = Readonly<{ value: T } | { unknown: string }>

export const error = (check: number, sentence: string, remedy: string): Finding => ({
  check,
  severity: 'error',
  sentence,
  remedy,
})

export const warning = (check: number, sentence: string, remedy: string): Finding => ({
  check,
  severity: 'warning',
  sentence,
  remedy,
})

export const undetermined = (check: number, what: string, why: string): Finding => ({
  check,
  severity: 'undetermined',
  sentence: `${what} could not be checked: ${why}.`,
  remedy: 'Remove the cause, then run doctor again.',
})

/** Judges what is known; what is not is a finding of its own. */
export const judged = <T>(
  check: number,
  what: string,
  fact: Observed<T>,
  judge: (value: T) => readonly Finding[],
): readonly Finding[] => ('value' in fact ? judge(fact.value) : [undetermined(check, what, fact.unknown)])
