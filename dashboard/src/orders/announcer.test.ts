import { describe, expect, test } from 'vitest'
import { ANNOUNCE_EVERY_MS, createAnnouncer } from './announcer.ts'

/** A clock that a test moves, with the timers that are set on it. */
function handClock() {
  let time = 1000
  const timers: { at: number; act: () => void }[] = []
  return {
    now: () => time,
    after(ms: number, act: () => void) {
      const timer = { at: time + ms, act }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
    move(ms: number) {
      time += ms
      for (const timer of timers.filter(({ at }) => at <= time)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.act()
      }
    },
  }
}

function listening() {
  const clock = handClock()
  const said: { text: string; at: number }[] = []
  const announcer = createAnnouncer((text) => said.push({ text, at: clock.now() }), clock)
  return { clock, said, announcer }
}

describe('an announcer', () => {
  test('says the first text at once, and of those that follow the last one, once it is time', () => {
    const { clock, said, announcer } = listening()
    for (const text of ['one', 'two', 'three']) announcer.hear(text)
    expect(said.map(({ text }) => text)).toEqual(['one'])
    clock.move(ANNOUNCE_EVERY_MS - 1)
    expect(said).toHaveLength(1)
    clock.move(1)
    expect(said.map(({ text }) => text)).toEqual(['one', 'three'])
  })

  test('does not say the same twice, nor what was taken back in the meantime', () => {
    const { clock, said, announcer } = listening()
    for (const text of ['one', 'two', 'one']) announcer.hear(text)
    clock.move(ANNOUNCE_EVERY_MS)
    expect(said).toHaveLength(1)
  })

  test('keeps the distance however often something changes', () => {
    const { clock, said, announcer } = listening()
    for (let change = 0; change < 200; change += 1) {
      announcer.hear(String(change))
      clock.move(137)
    }
    expect(tooClose(said)).toEqual([])
    expect(said.length).toBeGreaterThan(3)
  })

  test('that says every change is found out (negative control)', () => {
    const clock = handClock()
    const said: { text: string; at: number }[] = []
    for (let change = 0; change < 3; change += 1) {
      said.push({ text: String(change), at: clock.now() })
      clock.move(137)
    }
    expect(tooClose(said)).not.toEqual([])
  })
})

const tooClose = (said: readonly { at: number }[]) =>
  said.filter(({ at }, index) => index > 0 && at - (said[index - 1]?.at ?? 0) < ANNOUNCE_EVERY_MS)
