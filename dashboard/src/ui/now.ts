// A clock on the page: the time now, again and again, and times of day to the second.

import { useEffect, useState } from 'react'

/** The time in milliseconds, renewed every second while something on the page shows it. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** '14:20:05', in the language and the time zone of the device. */
export const clockWords = (at: string | number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
