import { expect, test } from 'vitest'
import { causeCodes, causes } from './causes.ts'
import { trouble } from '../judging/trouble.ts'

/** Placeholders that a text may use. A new one is added here on purpose, together with the code that fills it. */
const words = new Set(
  `host apex name target provider token found ip time date ca list ns k n m at types via tail chain difference short
   full why fix owner_hint add addresses fields instead otherwise other whose type label registered tag ttl rcode ede
   detail parent own uri methods ca1 ca2 server url status cdn acme_target unicode ascii cause proxy_hint ip4 to from
   record location primary authority value ours afterwards`.split(/\s+/),
)

const wantedBy = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].flatMap(([, word]) => word ?? [])

test('there are 118 causes or more, and every code names its family', () => {
  expect(causeCodes.length).toBeGreaterThanOrEqual(118)
  for (const code of causeCodes) expect(code).toMatch(/^[a-z]+\.[a-z0-9_]+$/)
})

test.each(causeCodes)('%s has a text in whole sentences that wants only known words', (code) => {
  const { text } = causes[code]
  expect(wantedBy(text).filter((word) => !words.has(word))).toEqual([])
  expect(text.replace(/\{\w+\}/g, 'x')).not.toMatch(/[{}]/)
  expect(text).toMatch(/([.!?`)]|\{\w+\})$/)
  expect(text.length).toBeGreaterThan(20)
  // Screens say store.
  expect(text.replaceAll('Project settings', '')).not.toMatch(/\bproject/i)
})

test('a text that wants a value which nobody gave is refused', () => {
  expect(() => trouble('dns.cname_wrong', { host: 'www.shop.example' })).toThrow("the text needs a value for 'found'")
})

test('"your DNS provider" begins a sentence with a capital, and only there', () => {
  const { advice } = trouble('dns.alias_stale', { host: 'shop.example', provider: 'your DNS provider' })
  expect(advice).toContain('earlier. Your DNS provider refreshes')
})
