// Times for people: a day and a time of day, in the language and the time zone of the
// device. The exact time is in the title.

import * as texts from '../texts/texts.ts'

const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const DAY = 86_400_000

export function timeWords(iso: string, now: Date = new Date()): string {
  const date = new Date(iso)
  const days = Math.round((dayOf(date) - dayOf(now)) / DAY)
  const near: Record<number, string> = { 0: texts.common.today, 1: texts.common.tomorrow, [-1]: texts.common.yesterday }
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  return texts.common.at(near[days] ?? dateWords(iso), time)
}

export const dateWords = (iso: string): string =>
  new Date(iso).toLocaleDateString(undefined, { year: 'numeric', month: 'long', day: 'numeric' })

/** '22 Nov': where there is little room, for days that are near. */
export const shortDate = (iso: string): string =>
  new Date(iso).toLocaleDateString(undefined, { month: 'short', day: 'numeric' })

/** 'Sat, 21 Nov, 11:00': the same for an appointment. */
export const shortTime = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

export const Time = ({ at }: { at: string | null }) =>
  at === null ? (
    texts.common.never
  ) : (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {timeWords(at)}
    </time>
  )
