// Judges what the installation stores and sends: certificates near their end, room for more, and mail that the relay does
// not accept; and what a restore needs. Pure. Checks 25 and 29 to 31.

import { error, judged, warning, type Finding, type Observed } from '../../foundation/finding.ts'
import { timeText } from '../../foundation/time.ts'

export type ContentsFacts = Readonly<{
  /** The first certificates with less than a sixth of their life left, which should have been renewed. */
  expiring: readonly Readonly<{ hostname: string; daysLeft: number }>[]
  /** What is used of a limit that refuses more when it is reached. */
  rooms: readonly Readonly<{ setting: string; bytes: number; bytesMax: number | undefined; refused: string }>[]
  /** How old the newest backup is, and how long a tombstone has waited for being written. */
  recovery: Readonly<{ ageHours: number; lagSeconds: number }>
  relay: readonly Readonly<{ queue: string; outcome: string; failures: number; failedAt: Date }>[]
}>

export const judgeContents = (fact: Observed<ContentsFacts> | undefined): readonly Finding[] =>
  fact === undefined
    ? []
    : judged(29, 'What is stored', fact, ({ expiring, rooms, relay, recovery }) => [
        ...judgeRecovery(recovery),
        ...expiring.map(judgeExpiring),
        ...rooms.flatMap(judgeRoom),
        ...relay.map(judgeRelay),
      ])

const [AGE_HOURS_MAX, LAG_SECONDS_MAX] = [26, 60]

const judgeRecovery = ({ ageHours, lagSeconds }: ContentsFacts['recovery']): readonly Finding[] => {
  const backup = `No backup was taken in the last ${Math.floor(ageHours)} hours.`
  const lag = `Tombstones have not been written for ${Math.floor(lagSeconds)} s: a restore would revive what has ended since.`
  return [
    ...(ageHours > AGE_HOURS_MAX
      ? [warning(25, backup, 'Run: petstore backup\n  The timer of systemd runs it every night.')]
      : []),
    ...(lagSeconds > LAG_SECONDS_MAX
      ? [warning(25, lag, 'Make TOMBSTONES_DIRECTORY writable, with room, and run work.')]
      : []),
  ]
}

const judgeExpiring = ({ hostname, daysLeft }: ContentsFacts['expiring'][number]): Finding =>
  error(
    29,
    daysLeft < 0
      ? `The certificate of ${hostname} has expired.`
      : `The certificate of ${hostname} expires in ${Math.floor(daysLeft)} days, and was not renewed.`,
    `Run: petstore certificates list --hostname ${hostname}\n  It shows why the last order failed. Renewals need \`petstore work\`.`,
  )

const WARNED_SHARE = 0.85
const FULL_SHARE = 0.95

function judgeRoom({
  setting,
  bytes,
  bytesMax = Infinity,
  refused,
}: ContentsFacts['rooms'][number]): readonly Finding[] {
  const share = bytes / bytesMax
  if (share < WARNED_SHARE) return []
  const judge = share < FULL_SHARE ? warning : error
  const sentence = `${Math.floor(100 * share)} % of ${setting} is used: without more room, ${refused} get 503.`
  return [judge(30, sentence, `Add storage, then raise ${setting} and restart the service.`)]
}

const judgeRelay = ({ queue, outcome, failures, failedAt }: ContentsFacts['relay'][number]): Finding =>
  error(
    31,
    `The relay does not accept ${queue} mail: ${outcome}, ${failures} times in a row, last at ${timeText(failedAt)} UTC.`,
    'Correct SMTP_URL or the relay, restart the service, and run: petstore mail retry',
  )
