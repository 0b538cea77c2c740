// A cause of trouble has a severity, an actor and a text. The text is written for owners, in
// this order: what we found, what to do, what happens next. Placeholders in braces are
// replaced with the real values.

/** The effect on the owner: blocked, warned, informed, or only waiting. */
export type Severity = 'blocks' | 'warns' | 'informs' | 'waits'

/** The party that must act. */
export type Actor = 'owner' | 'platform' | 'authority' | 'third_party'

export type Cause = { severity: Severity; actor: Actor; text: string }
