// Limits of accounts that are constants. Pure.

/** Of an account; the oldest one ends. */
export const SESSIONS_MAX = 50

/** Of an address group; the oldest one is removed. */
export const CHALLENGES_MAX = 20
