import { expect, test } from 'vitest'
import { domains } from '../texts/en/domains.ts'
import { nextWords } from './next-check.tsx'

const { progress } = domains
const now = Date.parse('2027-01-02T12:00:00Z')
const inSeconds = (seconds: number) => nextWords(new Date(now + seconds * 1000).toISOString(), now)

test('a check that is due has a few seconds, and one that has not come for minutes is called late', () => {
  for (const seconds of [14, 0, -119]) expect(inSeconds(seconds)).toBe(progress.nextSoon)
  const late = [-121, -3600].map(inSeconds)
  for (const words of late) expect(words).toMatch(/^The next check was due at .*; it is late\.$/)
  expect(inSeconds(16)).toMatch(/^Next check at /)
})
