// What a live region of the page contains: the text, but not changed more often than screen readers can read it.

import { useEffect, useState } from 'react'
import { createAnnouncer, type Announcer, type AnnouncerClock } from './announcer.ts'

const clock: AnnouncerClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

/** Undefined is nothing to say yet. */
export function useAnnouncement(text: string | undefined): string {
  const [said, setSaid] = useState('')
  const [announcer, setAnnouncer] = useState<Announcer>()
  useEffect(() => {
    const created = createAnnouncer(setSaid, clock)
    setAnnouncer(created)
    return created.stop
  }, [])
  useEffect(() => {
    if (text !== undefined) announcer?.hear(text)
  }, [announcer, text])
  return said
}
