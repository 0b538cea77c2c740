// How much an account, or an address without one, may have of what makes room for the next. Pure. An installation can
// override it.

export type AccountLimits = Readonly<{
  /** Sessions of an account; the oldest one ends. */
  sessions: number
  /** Challenges of passkeys of an address group; the oldest one is removed. */
  passkeyChallenges: number
}>

/** After which a device that was not used is no longer known. */
export const DEVICE_DAYS = 180

export const accountLimits: AccountLimits = { sessions: 50, passkeyChallenges: 20 }
