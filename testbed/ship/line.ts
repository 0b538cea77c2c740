// A line of `npm run ship`: something that a release must show, and a negative control that proves the line can fail.

import type { Figures } from '../experiments/claims.ts'
import type { Workshop } from './workshop.ts'

/** Throws if it is not shown. */
type Show = (workshop: Workshop) => Promise<Figures>

export type ShipLine = {
  name: string
  title: string
  /** It mostly waits, so that it runs beside others that do. */
  isIdle?: boolean
  run: Show
  control: { title: string; run: Show }
}

/** Fails the line, with everything that was found. */
export function none(what: string, found: readonly string[]): void {
  if (found.length === 0) return
  const shown = found.slice(0, 10).map((one) => `  ${one}`)
  throw new Error([`${found.length} ${what}:`, ...shown].join('\n'))
}

/** Of a negative control: the breach must be noticed, and for the right reason. */
export async function noticed(attempt: () => unknown, reason: RegExp): Promise<string> {
  try {
    await attempt()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (reason.test(message)) return reason.exec(message)?.[0] ?? ''
    throw new Error(`It failed for another reason: ${message}`, { cause: error })
  }
  throw new Error('The breach was not noticed.')
}
