// A hostname is read in four places: where a project adds it, by the protocol's parser, by the
// edge's decoder, and where the edge gets a challenge. They agree on every name.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectedNames, corpusOptions } from '../../../testbed/harness/names/corpus.ts'
import { readHostname } from '../domains/naming/names.ts'
import { parseEdgeRequest } from '../fleet/parse-request.ts'
import { CHALLENGE_PATH, decide } from './decide-response.ts'
import { readRoute } from './decode-control.ts'

const TOKEN = 'a'.repeat(43)
const known = {
  find: () => undefined,
  platformHost: 'petstore.app',
  formerHosts: [],
  hasPlatformCertificate: true,
  isIsolated: () => false,
}

const readers: Readonly<Record<string, (hostname: string) => boolean>> = {
  'the request for a certificate': (hostname) =>
    parseEdgeRequest(`/edge/v1/certificates/${hostname}?generation=1`).kind === 'certificate',
  'the request for a challenge': (hostname) =>
    parseEdgeRequest(`/edge/v1/challenges/${hostname}/${TOKEN}`).kind === 'challenge',
  'the name of a route': (hostname) =>
    readRoute({ seq: 1, hostname, kind: 'gone', generation: '1' })?.hostname === hostname,
  'the target of a redirect': (target) => readRoute({ ...redirect, target }) !== undefined,
  "an authority's request": (host) => {
    const request = {
      host,
      target: CHALLENGE_PATH + TOKEN,
      scheme: 'http',
      serverName: undefined,
      method: 'GET',
    } as const
    const answer = decide(request, known)
    return answer.kind === 'challenge' && answer.token === TOKEN
  },
}
const redirect = {
  seq: 1,
  hostname: 'a.example',
  kind: 'redirect',
  slug: 'a',
  status: 301,
  generation: '1',
  serial: 'a',
}

const label = fc.string({
  unit: fc.constantFrom('a', 'n', 'x', '0', '7', '-', '_', 'ü', 'ß'),
  minLength: 1,
  maxLength: 6,
})
const long = fc.integer({ min: 61, max: 65 }).map((length) => 'a'.repeat(length))
const ends = fc.constantFrom('com', 'co.uk', 'github.io', 'museum', 'petstore.app', 'xn--p1ai', '7', '0x7')
const typed = fc
  .tuple(fc.array(fc.oneof({ weight: 9, arbitrary: label }, long), { maxLength: 10 }), ends)
  .map(([labels, end]) => [...labels, end].join('.'))

/** Refusals that no form can express: they depend on tables. */
const fromTables = new Set(['name_not_public', 'name_is_public_suffix', 'name_platform_owned'])

describe.each(Object.entries(readers))('%s', (_, isAccepted) => {
  test('accepts every name that a project can add', () => {
    const added = collectedNames().flatMap((name) => hostnameFrom(name.typed))
    expect(added.length).toBeGreaterThan(300)
    expect(added.filter((hostname) => !isAccepted(hostname))).toEqual([])
    fc.assert(
      fc.property(typed, (text) => {
        for (const hostname of hostnameFrom(text)) expect(isAccepted(hostname)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('accepts no other name of ASCII letters, unless a table rules it out', () => {
    fc.assert(
      fc.property(typed, (text) => {
        fc.pre(!text.includes('xn--') && isAccepted(text))
        const read = readHostname(text, corpusOptions)
        if (read.ok) expect(read.hostname).toBe(text)
        else expect(fromTables).toContain(read.code)
      }),
      { numRuns: 1000 },
    )
  })

  test('rejects an underscore, as the name reader does', () => {
    for (const name of ['_petstore.shop.com', 'my_shop.com', 'shop_.com', 'shop.my_com']) {
      expect(hostnameFrom(name)).toEqual([])
      expect(isAccepted(name)).toBe(false)
    }
  })
})

function hostnameFrom(text: string): string[] {
  const read = readHostname(text, corpusOptions)
  return read.ok ? [read.hostname] : []
}
