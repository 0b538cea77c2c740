// The platform's own names on a real PostgreSQL, with authorities in memory: which certificates are
// desired, which routes edges get, and what a change of the settings causes.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { findRoute } from '../../src/fleet/directory.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { DAY, SECOND } from '../../src/foundation/time.ts'
import { sitePublished, siteDeleted, type PlatformNamesDeps } from '../../src/platform-names/advance.io.ts'
import type { PlatformSettings } from '../../src/platform-names/desired.ts'
import { platformNameKinds, scheduleNames } from '../../src/platform-names/jobs.io.ts'
import { NAME_DUE, NAMES_DUE } from '../../src/platform-names/directory.io.ts'
import { defaultOrigins } from '../../src/platform-names/site-address.io.ts'
import { deleteProject } from '../../src/projects/project-queries.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { openEnvironment, PRIMARY, BACKUP, type CertificatesEnvironment } from '../certificates/environment.ts'
import { claimTimer } from '../foundation/claim-timers.ts'

const HOST = 'shops.example'
const SERVICE = 'app.shops.example'
const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
const ALLOWANCE = { perWindow: 240, forRenewals: 120, perRegisteredDomain: 3, perName: 40 }

const timersRow = statement<{ id: string; seconds: number }, [kind: string]>(
  'test-platform-name-timers',
  `select id, extract(epoch from due_at - now())::float8 as seconds
   from due_directory
   where kind = $1
   order by id`,
)

let environment: CertificatesEnvironment
let settings: PlatformSettings
const troubles: string[] = []

beforeEach(async () => {
  environment = await openEnvironment({ allowance: ALLOWANCE, isReserved: (hostname) => hostname === SERVICE })
  settings = { tls: 'per-host', host: HOST, services: [] }
  troubles.length = 0
})
afterEach(() => environment.close())

const deps = (): PlatformNamesDeps => ({
  database: environment.database,
  inProject: inProjectOf(environment.database),
  keys: environment.deps().keys,
  now: () => environment.clock.now,
  newId,
  settings,
  authorities: [PRIMARY, BACKUP],
  registeredOf: () => HOST,
  onTrouble: (sentence) => void troubles.push(sentence),
})
const timers = async (kind = NAME_DUE) => environment.database.run(timersRow, kind)
const workOn = async (kind: string, id: string) => {
  const [due] = await environment.database.run(claimTimer, kind, id)
  if (!due) throw new Error(`there is no timer ${kind} ${id}`)
  return platformNameKinds(deps())[kind]?.work(due)
}
const settle = (hostname: string) => {
  environment.primary.expects(hostname)
  return workOn(NAME_DUE, hostname)
}
/** As the workers do, until the certificate is there and its route is put. */
const goLive = async (hostname: string) => {
  await settle(hostname)
  await environment.settle(hostname)
  return settle(hostname)
}
const routeOf = (hostname: string) => findRoute(environment.database.run, hostname)
const newSite = async (slug: string) => {
  const project = await createProject(environment.database, { slug, name: slug })
  await publishAtOnce(inProjectOf(environment.database), project, content)
  await inProjectOf(environment.database)(project, (db) => sitePublished(settings)(db, project))
  return project
}
const start = async () => {
  await scheduleNames(environment.database.run, settings)
  for (const { id, seconds } of await timers(NAMES_DUE))
    if (seconds <= 0) await workOn(NAMES_DUE, id).then(postpone(id))
}
const postponeRow = statement<never, [kind: string, id: string, seconds: number]>(
  'test-postpone',
  `update due_directory
   set due_at = now() + make_interval(secs => $3), claimed_until = null
   where kind = $1 and id = $2`,
)
const postpone = (id: string) => (seconds: number | void) =>
  environment.database.run(postponeRow, NAMES_DUE, id, seconds ?? 0)

describe('per host', () => {
  test('a published site gets a certificate, then a route and an https address', async () => {
    await newSite('north')
    const hostname = `north.${HOST}`
    const origin = defaultOrigins({ tls: 'per-host', platformHost: HOST, scheme: undefined })
    expect(await settle(hostname)).toBe(3600)
    expect(await routeOf(hostname)).toBeUndefined()
    expect(await origin(environment.database.run, 'north')).toBe(`http://north.${HOST}`)
    await environment.settle(hostname)
    expect(await settle(hostname)).toBe(DAY / SECOND)
    const first = await routeOf(hostname)
    expect(first).toMatchObject({ kind: 'site', slug: 'north', serial: (await environment.servable(hostname))?.serial })
    expect(await origin(environment.database.run, 'north')).toBe(`https://north.${HOST}`)
    // Again nothing changes; with a renewed certificate the serial number does.
    await settle(hostname)
    expect((await routeOf(hostname))?.seq).toBe(first?.seq)
    environment.clock.now = (await environment.servable(hostname))?.renewAt ?? 0
    await environment.settle(hostname)
    await settle(hostname)
    const renewed = await routeOf(hostname)
    expect(renewed?.seq).toBeGreaterThan(first?.seq ?? 0)
    expect(renewed).toMatchObject({ serial: (await environment.servable(hostname))?.serial })
    expect(troubles).toEqual([])
  })

  test('a deleted project releases its name, and one that is not published never has it', async () => {
    const project = await newSite('south')
    const hostname = `south.${HOST}`
    await goLive(hostname)
    await inProjectOf(environment.database)(project, (db) => deleteProject(db, project))
    await siteDeleted(environment.database.run, settings, 'south')
    expect(await settle(hostname)).toBeUndefined()
    expect(await routeOf(hostname)).toMatchObject({ kind: 'gone' })
    expect(await environment.state(hostname)).toBeUndefined()
    await createProject(environment.database, { slug: 'draft', name: 'draft' })
    await siteDeleted(environment.database.run, settings, 'draft')
    expect(await settle(`draft.${HOST}`)).toBeUndefined()
    expect(await environment.records(`draft.${HOST}`)).toBeUndefined()
  })

  test('publishing sets the timer in its own transaction, and only per host', async () => {
    const project = await createProject(environment.database, { slug: 'west', name: 'west' })
    const inProject = inProjectOf(environment.database)
    await publishAtOnce(inProject, project, content)
    await inProject(project, (db) => sitePublished({ ...settings, tls: 'wildcard' })(db, project))
    expect(await timers()).toEqual([])
    const failing = inProject(project, async (db) => {
      await sitePublished(settings)(db, project)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await timers()).toEqual([])
    await inProject(project, (db) => sitePublished(settings)(db, project))
    expect((await timers()).map(({ id }) => id)).toEqual([`west.${HOST}`])
  })

  test('the weekly limit makes sites wait on HTTP, while the service name has a reserve', async () => {
    settings = { ...settings, services: [SERVICE] }
    for (const slug of ['one', 'two', 'three', 'four']) {
      await newSite(slug)
      await goLive(`${slug}.${HOST}`)
    }
    expect((await routeOf(`three.${HOST}`))?.kind).toBe('site')
    expect(await routeOf(`four.${HOST}`)).toBeUndefined()
    expect(await environment.state(`four.${HOST}`)).toMatchObject({ state: 'rate_limited', cause: { isPaced: true } })
    expect(troubles).toEqual([])
    await start()
    await goLive(SERVICE)
    expect(await routeOf(SERVICE)).toMatchObject({ kind: 'service' })
    environment.clock.now += 8 * DAY
    await environment.settle(`four.${HOST}`)
    await settle(`four.${HOST}`)
    expect((await routeOf(`four.${HOST}`))?.kind).toBe('site')
  })
})

describe('the settings', () => {
  test('order the service name first, and cause nothing at the next start with the same ones', async () => {
    settings = { ...settings, services: [SERVICE] }
    await newSite('north')
    await start()
    expect((await timers()).map(({ id }) => id)).toEqual([SERVICE, `north.${HOST}`])
    await goLive(SERVICE)
    await environment.database.run(clearNames)
    await start()
    expect(await timers()).toEqual([])
    const [visit] = await timers(NAMES_DUE)
    expect(visit?.seconds).toBeGreaterThan(DAY)
  })

  test('from per host to wildcard: sites keep their certificates until the wildcard is served', async () => {
    await newSite('north')
    const [site, wildcard] = [`north.${HOST}`, `*.${HOST}`]
    await goLive(site)
    settings = { ...settings, tls: 'wildcard' }
    await start()
    expect((await timers()).map(({ id }) => id)).toEqual([wildcard, site])
    await settle(site)
    expect((await routeOf(site))?.kind).toBe('site')
    await goLive(wildcard)
    expect(await routeOf(wildcard)).toMatchObject({
      kind: 'wildcard',
      serial: (await environment.servable(wildcard))?.serial,
    })
    expect(await settle(site)).toBeUndefined()
    expect((await routeOf(site))?.kind).toBe('gone')
    const origin = defaultOrigins({ tls: 'wildcard', platformHost: HOST, scheme: undefined })
    expect(await origin(environment.database.run, 'north')).toBe(`https://north.${HOST}`)
  })

  test('to off and to another host release everything that was held', async () => {
    settings = { ...settings, tls: 'wildcard', services: [SERVICE] }
    await start()
    await goLive(`*.${HOST}`)
    await goLive(SERVICE)
    settings = { tls: 'off', host: 'other.example', services: [] }
    await start()
    for (const hostname of [`*.${HOST}`, SERVICE]) {
      await settle(hostname)
      expect(await routeOf(hostname)).toMatchObject({ kind: 'gone' })
    }
    // Back again, the kept certificates cost no order.
    settings = { tls: 'wildcard', host: HOST, services: [SERVICE] }
    await start()
    await settle(`*.${HOST}`)
    expect((await routeOf(`*.${HOST}`))?.kind).toBe('wildcard')
    expect(environment.primary.ordersOf(`*.${HOST}`)).toHaveLength(1)
  })

  test('visit sites page by page, the first at once and the others in turn', async () => {
    await environment.database.run(manySlugs)
    await start()
    const found = await timers()
    expect(found).toHaveLength(1200)
    expect(found.filter(({ seconds }) => seconds <= 1)).toHaveLength(201)
    expect(Math.max(...found.map(({ seconds }) => seconds))).toBeGreaterThan((999 - 1) * ((7 * DAY) / SECOND / 40))
  })
})

const clearNames = statement<never, []>('test-clear-names', `delete from due_directory where kind = 'platform_name'`)
const manySlugs = statement<never, []>(
  'test-many-slugs',
  `insert into slug_directory (slug, project_id)
   select 'site-' || lpad(number::text, 4, '0'), number + 1000000
   from generate_series(1, 1200) as number`,
)

test('a failed order is reported in a sentence, and the route of a custom domain is left alone', async () => {
  settings = { ...settings, tls: 'wildcard' }
  await start()
  environment.world.records.present = async () => 'The server 192.0.2.53:53 rejected the update: BADSIG'
  await settle(`*.${HOST}`)
  await environment.work(`*.${HOST}`)
  await settle(`*.${HOST}`)
  expect(troubles).toEqual([
    expect.stringMatching(
      /^The certificate of \*\.shops\.example could not be ordered: The server .* BADSIG\. Next attempt at /,
    ),
  ])
  // A name of a project is neither requested nor released here (negative control).
  const custom = 'www.happy-paws.example'
  await environment.request(custom)
  await environment.settle(custom)
  await siteDeleted(environment.database.run, { ...settings, tls: 'per-host', host: 'happy-paws.example' }, 'www')
  settings = { ...settings, host: 'happy-paws.example' }
  expect(await settle(custom)).toBeUndefined()
  expect(await environment.state(custom)).toMatchObject({ state: 'issued' })
})
