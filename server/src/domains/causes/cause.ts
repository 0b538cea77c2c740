// What a cause of trouble says of itself. The texts are for people: what we saw,
// what to do, what happens next. Words in braces are filled with the real values.

/** Whether the owner is stopped by it, warned, told, or has only to wait. */
export type Severity = 'blocks' | 'warns' | 'informs' | 'waits'

/** Who must act. */
export type Actor = 'owner' | 'platform' | 'authority' | 'third_party'

export type Cause = { severity: Severity; actor: Actor; text: string }
