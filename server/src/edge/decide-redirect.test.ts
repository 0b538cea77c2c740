// Tests of redirects for visitors, over every set that can be saved: a single redirect, to a live
// name of the same project, with the received path and query, byte for byte. Negative controls run
// the same check against faulty decisions: each fault is detected.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRedirects, type DomainPlaces, type Redirect } from '../domains/settings/redirects.ts'
import type { Route } from '../fleet/protocol.ts'
import { Refusal } from '../foundation/refusal.ts'
import { decide, type Answering, type VisitorRequest, type Known } from './decide-response.ts'

type Decide = typeof decide
type World = { known: Known; projectOf: ReadonlyMap<string, string>; redirects: ReadonlyMap<string, Redirect> }

const VISITORS = 10
const PLATFORM = 'petstore.test'
const hosts = Array.from({ length: 8 }, (_, index) => `${String.fromCodePoint(97 + index)}.example`)
const ofEach = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(arbitrary, { minLength: hosts.length, maxLength: hosts.length, size: 'max' })
const some = fc.nat(hosts.length - 1)

/**
 * Some hosts belong to one project and some to the other; most are live, and many requested
 * redirects are rejected.
 */
const worlds = fc
  .record({
    owners: ofEach(fc.constantFrom('north', 'north', 'north', 'south', 'nobody')),
    isLive: ofEach(fc.constantFrom(true, true, true, false)),
    inputs: fc.array(fc.record({ from: some, to: some, status: fc.constantFrom(301, 302, 307, 308, undefined) }), {
      minLength: 4,
      maxLength: 16,
      size: 'max',
    }),
    hasPlatformCertificate: fc.boolean(),
  })
  .map(({ owners, isLive, inputs, hasPlatformCertificate }): World => {
    const routes = new Map<string, Route>()
    const redirects = new Map<string, Redirect>()
    for (const slug of ['north', 'south']) {
      const own = hosts.map((hostname, index) => ({ hostname, index })).filter(({ index }) => owners[index] === slug)
      const domains: DomainPlaces = new Map(
        own.map(({ hostname, index }) => [hostname, { isLive: isLive[index] === true }]),
      )
      for (const redirect of saved(inputs, domains)) redirects.set(redirect.from, redirect)
      for (const [hostname, { isLive }] of domains) {
        const redirect = redirects.get(hostname)
        const route = { seq: 1, generation: '1', serial: 'ab', hostname, slug }
        if (!isLive) continue
        routes.set(
          hostname,
          redirect
            ? { ...route, kind: 'redirect', target: redirect.to, status: redirect.status }
            : { ...route, kind: 'site' },
        )
      }
    }
    const projectOf = new Map([...routes].map(([hostname, route]) => [hostname, 'slug' in route ? route.slug : '']))
    const find = (hostname: string) => routes.get(hostname)
    return {
      known: { find, platformHost: PLATFORM, formerHosts: [], hasPlatformCertificate, isIsolated: () => false },
      projectOf,
      redirects,
    }
  })

type RedirectInput = { from: number; to: number; status: number | undefined }

/** As an owner would create them: each redirect is added if the list with it can be saved. */
function saved(inputs: readonly RedirectInput[], domains: DomainPlaces): Redirect[] {
  let planned: Redirect[] = []
  for (const { from, to, status } of inputs) {
    const input = { from: hosts[from] ?? '', to: hosts[to] ?? '', ...(status !== undefined && { status }) }
    try {
      planned = planRedirects([...planned, input], domains, null)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return planned
}

const harmless = [
  '/',
  '//',
  '\\',
  '..',
  '.',
  '%0d%0a',
  '%0D%0ALocation:',
  '?',
  '&',
  '=',
  '#',
  '@',
  ':',
  ';',
  'evil.example',
]
const odd = ['//evil.example', '%2e%2e', '%2F', '%', '%zz', '"', '<', '>', "'", '{', '|', '\u00e9', '\u00ff', 'a', '1']
const deadly = ['\r\n', '\r', '\n', '\0', ' ', '\t', '\u007f', '\u2028']
const parts = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...harmless, ...odd) },
  { weight: 2, arbitrary: fc.string({ maxLength: 3, unit: 'binary-ascii' }) },
  { weight: 1, arbitrary: fc.constantFrom(...deadly) },
)
const targets = fc
  .tuple(fc.constantFrom('/', '/', '/', '/', ''), fc.array(parts, { maxLength: 6, size: 'max' }))
  .map(([start, rest]) => start + rest.join(''))

const requests = fc.record({
  host: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...hosts, ...hosts.map((host) => `${host.toUpperCase()}:80`)) },
    fc.constantFrom('north.petstore.test', 'unknown.example', 'a.example.', '127.0.0.1'),
  ),
  target: targets,
  scheme: fc.constantFrom('http', 'https'),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT'),
  serverName: fc.constant(undefined),
})

/** Ten visitors per case. */
const runs = fc.tuple(worlds, fc.array(requests, { minLength: VISITORS, maxLength: VISITORS, size: 'max' }))

/** Throws at the first broken promise; returns whether it was a saved redirect. */
function check(decide: Decide, { known, projectOf, redirects }: World, request: VisitorRequest): boolean {
  const answering = decide(request, known)
  const name = request.host?.toLowerCase().replace(/:\d*$/, '') ?? ''
  const route = known.find(name)
  const isClean = request.target.startsWith('/') && plainBytes.test(request.target)
  if (route && isClean) {
    const mustLead = route.kind === 'redirect' || request.scheme === 'http'
    if (!request.target.startsWith('/.well-known/')) expect(answering.kind).toBe(mustLead ? 'redirect' : 'site')
  }
  if (answering.kind === 'site') expect(isClean).toBe(true)
  if (answering.kind !== 'redirect') return false

  const { location, status } = answering
  expect(isClean, 'only a clean path is sent on').toBe(true)
  expect(location).toMatch(plainBytes)
  const [, host = '', rest] = /^https:\/\/([a-z0-9.-]+)(\/.*)$/s.exec(location) ?? []
  expect(rest, 'path and query are byte for byte what was sent').toBe(request.target)
  expect(new URL(location).host, 'a browser reads the same host').toBe(host)

  const redirect = redirects.get(name)
  if (host.endsWith(`.${PLATFORM}`)) expect(host).toBe(name)
  else {
    expect(projectOf.get(host), 'a live name of the same project').toBe(projectOf.get(name))
    expect(projectOf.has(host)).toBe(true)
    expect(host).toBe(redirect ? redirect.to : name)
    expect(status).toBe(redirect ? redirect.status : request.method === 'GET' || request.method === 'HEAD' ? 301 : 308)
  }
  const next = decide({ ...request, host, target: rest ?? '', scheme: 'https', serverName: host }, known)
  expect(next.kind, 'one hop, and no second').toBe('site')
  return redirect !== undefined
}

/** Bytes that end neither a line nor a word. */
const plainBytes = /^[!-~\u0080-\u00FF]+$/

const WORLDS = 1200

test('every redirect is a single one to a live name of the same project, with path and query byte for byte', () => {
  let saved = 0
  fc.assert(
    fc.property(runs, ([world, visitors]) => {
      for (const one of visitors) if (check(decide, world, one)) saved += 1
    }),
    { numRuns: WORLDS },
  )
  expect(saved, 'enough of them followed a redirect that somebody saved').toBeGreaterThan((WORLDS * VISITORS) / 20)
})

const withLocation =
  (change: (location: string, request: VisitorRequest) => string): Decide =>
  (request, known): Answering => {
    const answering = decide(request, known)
    return answering.kind === 'redirect' ? { ...answering, location: change(answering.location, request) } : answering
  }

const faults: Record<string, Decide> = {
  'a parsed and reserialised address': withLocation((location) => new URL(location).href),
  'a decoded and re-encoded path': withLocation((location) => encodeURI(decodeOr(location))),
  'a lost query': withLocation((location) => location.replace(/\?.*$/s, '')),
  'a target appended to the host unchecked': (request, known) => {
    const answering = decide({ ...request, target: '/' }, known)
    const glued = (location: string) => location.replace(/\/$/, '') + request.target
    return answering.kind === 'redirect' ? { ...answering, location: glued(answering.location) } : answering
  },
  'an address without a host': withLocation((_, { target }) => target),
  'a redirect to the requested host': withLocation((location, { host = '' }) =>
    location.replace(/^https:\/\/[^/]+/, `https://${host}`),
  ),
  'two redirects from plain HTTP': (request, known) => {
    const route = known.find((request.host ?? '').toLowerCase().replace(/:\d*$/, ''))
    const answering = decide(request, known)
    if (answering.kind !== 'redirect' || !route || request.scheme === 'https') return answering
    return { ...answering, location: `https://${route.hostname}${request.target}` }
  },
  'a redirect to a foreign domain': withLocation((location) =>
    location.replace(/^https:\/\/[^/]+/, 'https://evil.example'),
  ),
}

test.each(Object.entries(faults))('%s is detected (negative control)', (_, faulty) => {
  const { failed } = fc.check(
    fc.property(runs, ([world, visitors]) => {
      for (const one of visitors) check(faulty, world, one)
    }),
    { numRuns: WORLDS, endOnFailure: true },
  )
  expect(failed).toBe(true)
})

function decodeOr(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
