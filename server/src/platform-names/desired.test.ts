import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, leadsOf, roleOf, siteNameOf } from './desired.ts'
import { platformTlsModes } from './settings.ts'

const names = { host: 'shops.example', services: ['app.shop.example', 'app.shops.example'] }
const no = { isPublished: false, isCovered: false }
const published = { isPublished: true, isCovered: false }

test('a name has one role, and a service name comes before a site', () => {
  expect(roleOf('app.shop.example', names)).toEqual({ kind: 'service' })
  expect(roleOf('app.shops.example', names)).toEqual({ kind: 'service' })
  expect(roleOf('*.shops.example', names)).toEqual({ kind: 'wildcard' })
  expect(roleOf('happy-paws.shops.example', names)).toEqual({ kind: 'site', slug: 'happy-paws' })
})

test('a name below a former host of the platform keeps its role, and so its certificate', () => {
  const moved = { ...names, formerHosts: ['old-shops.example'] }
  expect(roleOf('*.old-shops.example', moved)).toEqual({ kind: 'wildcard' })
  expect(roleOf('happy-paws.old-shops.example', moved)).toEqual({ kind: 'site', slug: 'happy-paws' })
  expect(roleOf('happy-paws.old-shops.example', names)).toBeUndefined()
})

test.each(['shops.example', 'a.b.shops.example', '*.other.example', 'happy-paws.other.example', 'xshops.example', ''])(
  'the name "%s" has none (negative control)',
  (hostname) => {
    expect(roleOf(hostname, names)).toBeUndefined()
  },
)

describe('the decision', () => {
  test('requests the name of the dashboard and the API in every mode but off', () => {
    const requesting = platformTlsModes.filter((tls) => decide({ kind: 'service' }, tls, no) === 'request')
    expect(requesting).toEqual(['per-host', 'wildcard', 'file'])
  })

  test('requests the wildcard only in its own mode', () => {
    expect(platformTlsModes.filter((tls) => decide({ kind: 'wildcard' }, tls, no) === 'request')).toEqual(['wildcard'])
  })

  test('requests the name of a site only per host, and only if it is published', () => {
    const site = { kind: 'site', slug: 'north' } as const
    expect(platformTlsModes.filter((tls) => decide(site, tls, published) === 'request')).toEqual(['per-host'])
    expect(platformTlsModes.map((tls) => decide(site, tls, no))).toEqual(platformTlsModes.map(() => 'release'))
  })

  test('keeps the certificate of a site until the wildcard is served', () => {
    const site = { kind: 'site', slug: 'north' } as const
    expect(decide(site, 'wildcard', published)).toBe('keep')
    expect(decide(site, 'wildcard', { ...published, isCovered: true })).toBe('release')
  })

  test('releases every name that is no longer one of the platform', () => {
    fc.assert(
      fc.property(fc.constantFrom(...platformTlsModes), fc.boolean(), fc.boolean(), (tls, isPublished, isCovered) => {
        expect(decide(undefined, tls, { isPublished, isCovered })).toBe('release')
      }),
    )
  })
})

test('a route has the kind of its name, and only a site a slug', () => {
  expect(leadsOf({ kind: 'service' }, 'ab')).toEqual({ kind: 'service', serial: 'ab' })
  expect(leadsOf({ kind: 'wildcard' }, 'ab')).toEqual({ kind: 'wildcard', serial: 'ab' })
  expect(leadsOf({ kind: 'site', slug: 'north' }, 'ab')).toEqual({ kind: 'site', slug: 'north', serial: 'ab' })
  expect(siteNameOf(names, 'north')).toBe('north.shops.example')
})
