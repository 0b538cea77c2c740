// How a server shuts down.

export type Shutdown = Readonly<{
  /** How long connections are still accepted: until the balancer in front has noticed. */
  delayMs: number
  /** After this time, counted from when it no longer listens, all remaining connections are closed. */
  waitMs: number
}>

export const atOnce: Shutdown = { delayMs: 0, waitMs: 20_000 }
