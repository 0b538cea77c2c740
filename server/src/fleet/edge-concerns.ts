// What an operator should know about an edge, for `edges list` and `doctor`. Pure.

import { DAY, timeText, type Instant } from '../foundation/time.ts'

export type EdgeConcern = { sentence: string; remedy: string }

type ListedEdge = {
  name: string
  enrolledAt: Date | null
  enrolmentEndsAt: Date | null
  tokenMisusedAt: Date | null
  exportStoppedAt: Date | null
}

/** An edge that was stopped longer ago was revoked, or had a reason. */
const STOPPED_SHOWN_MS = 7 * DAY

export function concernsOf(
  { name, enrolledAt, enrolmentEndsAt, tokenMisusedAt, exportStoppedAt }: ListedEdge,
  now: Instant,
): EdgeConcern[] {
  const isOfEarlierRelease = enrolledAt === null && enrolmentEndsAt === null
  const wasStopped = exportStoppedAt !== null && now - exportStoppedAt.getTime() < STOPPED_SHOWN_MS
  return [
    ...(tokenMisusedAt === null
      ? []
      : [
          {
            sentence: `The token of the edge ${name} was presented again at ${timeText(tokenMisusedAt)} UTC: the edge has lost its disk, or the token has leaked.`,
            remedy: `Run: petstore edges revoke ${name}, and add the edge again.`,
          },
        ]),
    ...(wasStopped
      ? [
          {
            sentence: `The edge ${name} had received as many private keys as it may in an hour at ${timeText(exportStoppedAt)} UTC.`,
            remedy: `Unless you know why, run: petstore edges revoke ${name}. Otherwise raise EDGE_KEYS_PER_HOUR.`,
          },
        ]
      : []),
    ...(isOfEarlierRelease
      ? [
          {
            sentence: `The token of the edge ${name} gives access to private keys until the edge has enrolled.`,
            remedy: 'Restart the edge with this release.',
          },
        ]
      : []),
  ]
}
