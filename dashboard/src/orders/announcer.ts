// At most one announcement in a while: of several changes, screen readers read the last one, once it is time. What
// is already said is not said again.

export const ANNOUNCE_EVERY_MS = 5000

export type AnnouncerClock = {
  now: () => number
  /** Returns how to cancel it. */
  after: (ms: number, act: () => void) => () => void
}

export type Announcer = { hear: (text: string) => void; stop: () => void }

export function createAnnouncer(say: (text: string) => void, { now, after }: AnnouncerClock): Announcer {
  let said: { text: string; at: number } | undefined
  let wanted = ''
  let cancel: (() => void) | undefined
  const speak = () => {
    cancel = undefined
    if (wanted === said?.text) return
    said = { text: wanted, at: now() }
    say(wanted)
  }
  return {
    hear(text) {
      wanted = text
      const wait = said === undefined ? 0 : said.at + ANNOUNCE_EVERY_MS - now()
      if (wait <= 0 && cancel === undefined) speak()
      else cancel ??= after(wait, speak)
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}
