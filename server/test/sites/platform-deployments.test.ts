// Deployments on `/platform/v1`: the draft is kept as it was, built in the background, and
// published as a whole or not at all; whatever a worker does or leaves undone, and in
// whatever order deployments finish.

import { beforeAll, describe, expect, test } from 'vitest'
import { NOT_SHOWN } from '../../src/sites/publishing/advance.io.ts'
import { contentJson, digestOf, type CheckSite, type ShownAnimal } from '../../src/sites/publishing/content.ts'
import { hostileNames } from '../../src/sites/publishing/hostile-animals.ts'
import { png, webpLossy } from '../../../testbed/photos/images.ts'
import { UNFINISHED } from '../../src/sites/publishing/jobs.io.ts'
import { findBlob } from '../../src/sites/publishing/deployment-queries.ts'
import type { Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import type { InProject } from '../../src/projects/scope.io.ts'
import { checkSite } from '../../src/sites/pages/check.ts'
import { asProject, expectRefusal, linksOf } from '../v1/responses.ts'
import { allowed, deploying, deploymentOf, type DeploymentBody } from './deployments.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  PLATFORM,
  startTestPlatform,
  type PlatformOwner,
  type PersonClient,
} from '../../../testbed/harness/platform.ts'

const platform = await startTestPlatform()
const on = deploying(platform)
const mia = await platform.owner()

const insert = (owner: PlatformOwner, text: string, values: unknown[]) =>
  asProject(platform.test.database, owner.project, (client) => client.query(text, [owner.project, ...values]))
const addCategory = (owner: PlatformOwner, id: bigint, name: string) =>
  insert(owner, 'insert into categories (project_id, id, name) values ($1, $2, $3)', [id, name])
const addAnimals = (owner: PlatformOwner, count: number) =>
  insert(
    owner,
    `insert into pets (project_id, name, category_id, status)
     select $1, 'Rex ' || n, 1, 'available' from generate_series(1, $2::integer) n`,
    [count],
  )
const uploadLogo = async (owner: PlatformOwner, bytes: Uint8Array, type: string) => {
  const answer = await owner.send('PUT', on.sitePath(owner, '/logo'), bytes, { 'Content-Type': type })
  expect(answer.status, `it says ${answer.text}`).toBe(200)
}
const rollback = (by: Pick<PlatformOwner, 'send'>, to: PlatformOwner, id: string) =>
  by.send('POST', on.deploymentsPath(to, `/${id}/publish`))

/** Deploys with a title of its own, and waits until it is published. */
async function published(owner: PlatformOwner, title: string): Promise<DeploymentBody> {
  await on.change(owner, title)
  const { id } = await on.deploy(owner)
  const done = await on.working(allowed, () => on.finished(owner, id))
  expect(done).toMatchObject({ state: 'succeeded', isCurrent: true, reason: null })
  return done
}

/** Of several timers, that of one deployment. */
function dueOf(claimed: Map<string, Timer>, { id }: DeploymentBody): Timer {
  const due = claimed.get(id)
  if (!due) throw new Error(`${id} is not due`)
  return due
}

describe('a deployment', () => {
  test('is queued, built by a worker, and then is what visitors see', async () => {
    const owner = await platform.owner()
    await addCategory(owner, 9223372036854775807n, 'Cats & "Dogs"')
    await uploadLogo(owner, webpLossy, 'image/webp')
    await on.change(owner, 'Happy Paws', { hiddenCategories: [7n] })
    const queued = await on.deploy(owner)
    expect(queued).toEqual({
      id: expect.stringMatching(/^dep_[0-9a-f]{24}$/),
      number: 1,
      state: 'queued',
      reason: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      isCurrent: false,
      createdBy: owner.id,
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: null,
    })
    expect(await on.current(owner)).toBeUndefined()

    const done = await on.working(allowed, () => on.finished(owner, queued.id))
    expect(done).toEqual({ ...queued, state: 'succeeded', isCurrent: true, finishedAt: expect.any(String) })
    const current = await on.current(owner)
    expect(current).toMatchObject({ deploymentId: queued.id, digest: queued.digest, logoType: 'image/webp' })
    expect(current?.content).toMatchObject({
      settings: { title: 'Happy Paws', hiddenCategories: [7n] },
      categories: [{ id: 9223372036854775807n, name: 'Cats & "Dogs"' }],
    })
    expect(current && digestOf(contentJson(current.content))).toBe(queued.digest)
    expect((await on.auditEvents(owner)).slice(-2)).toEqual([
      `${owner.id} deployment_created ${queued.id}`,
      `petstore deployment_succeeded ${queued.id}`,
    ])
    expect(await on.claim(owner)).toEqual(new Map())
  })

  test('keeps the draft as it was when it was requested, and its logo', async () => {
    const owner = await platform.owner()
    await uploadLogo(owner, png, 'image/png')
    await on.change(owner, 'Before')
    const { id, digest } = await on.deploy(owner)
    await on.change(owner, 'After')
    await uploadLogo(owner, webpLossy, 'image/webp')
    await on.working(allowed, () => on.finished(owner, id))
    const current = await on.current(owner)
    expect(current).toMatchObject({ digest, logoType: 'image/png', content: { settings: { title: 'Before' } } })
    const { project } = owner
    const logo = await on.inProject(project, (db) => findBlob(db, project, current?.content.logo ?? ''))
    expect(logo).toEqual({ type: 'image/png', bytes: png })
  })

  test('cannot be altered by the program, only advanced', async () => {
    const owner = await platform.owner()
    await published(owner, 'For ever')
    for (const change of [`content = '{}'`, `digest = repeat('0', 64)`, 'number = 9', `created_by = 'x'`]) {
      const altered = insert(owner, `update deployments set ${change} where project_id = $1`, [])
      await expect(altered, `of ${change}`).rejects.toMatchObject({ code: '42501' })
    }
    // Old ones are removed; the current one is referenced by what is published.
    await expect(insert(owner, 'delete from deployments where project_id = $1', [])).rejects.toMatchObject({
      code: '23503',
    })
  })

  test('is numbered once, however many are requested concurrently', async () => {
    const owner = await platform.owner()
    const made = await Promise.all(Array.from({ length: 12 }, () => on.deploy(owner)))
    expect(made.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(made.map((_, index) => index + 1))
    expect(new Set(made.map(({ digest }) => digest)).size).toBe(1)
  })
})

describe('the publish check', () => {
  test('covers the newest hundred animals, and hostile ones', async () => {
    const owner = await platform.owner()
    await addAnimals(owner, 130)
    const { id } = await on.deploy(owner)
    const seen: (readonly ShownAnimal[])[] = []
    await on.working(
      ({ settings }, animals) => {
        if (settings.title === owner.slug) seen.push(animals)
        return []
      },
      () => on.finished(owner, id),
    )
    const names = seen.map((animals) => animals.map(({ name }) => name))
    expect(names).toEqual([Array.from({ length: 100 }, (_, n) => `Rex ${130 - n}`), hostileNames])
  })

  test('of the program finds no fault in a new site, whatever its animals are called', async () => {
    const owner = await platform.owner()
    await addAnimals(owner, 3)
    const { id } = await on.deploy(owner)
    const done = await on.working(checkSite, () => on.finished(owner, id))
    expect(done).toMatchObject({ state: 'succeeded', reason: null, isCurrent: true })
  })

  const broken: [string, CheckSite, string][] = [
    ['reports', () => [['The title is empty.', 'A link is dead.']], 'The title is empty.\nA link is dead.'],
    [
      'throws',
      () => {
        throw new RangeError('Invalid colour')
      },
      'The page could not be made: Invalid colour',
    ],
  ]
  test.each(broken)('that %s something leaves what visitors see untouched', async (_, check, reason) => {
    const owner = await platform.owner()
    await published(owner, 'Good')
    const before = await publishedRow(owner)
    await on.change(owner, 'Bad')
    const { id } = await on.deploy(owner)
    const done = await on.working(check, () => on.finished(owner, id))
    expect(done).toMatchObject({ state: 'failed', reason, isCurrent: false })
    expect(await publishedRow(owner)).toEqual(before)
    expect(await on.current(owner)).toMatchObject({ content: { settings: { title: 'Good' } } })
    expect((await on.auditEvents(owner)).at(-1)).toBe(`petstore deployment_failed ${id}`)
    expectRefusal(await rollback(owner, owner, id), 409, 'wrong_state')
  })

  test('that takes long lets its process do other things between two pages', async () => {
    const owner = await platform.owner()
    const { id } = await on.deploy(owner)
    let turns = 0
    let next: NodeJS.Immediate
    const count = () => {
      turns += 1
      next = setImmediate(count)
    }
    count()
    const between: number[] = []
    function* slow(): Generator<readonly string[]> {
      for (let page = 0; page < 4; page += 1) {
        const before = turns
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
        yield []
        between.push(turns - before)
      }
    }
    expect(await on.working(slow, () => on.finished(owner, id))).toMatchObject({ state: 'succeeded' })
    clearImmediate(next!)
    expect(between).toHaveLength(8)
    expect(Math.min(...between)).toBeGreaterThan(0)
  })

  test('that fails at the first deployment leaves nothing published', async () => {
    const owner = await platform.owner()
    const { id } = await on.deploy(owner)
    await on.working(
      () => [['No.']],
      () => on.finished(owner, id),
    )
    expect(await on.current(owner)).toBeUndefined()
  })
})

describe('a worker', () => {
  /** Dies, or does something else, before the transaction with this number. */
  const interrupted = (at: number, meanwhile: () => Promise<void>): InProject => {
    let count = 0
    return async (project, work) => {
      count += 1
      if (count === at) await meanwhile()
      return on.inProject(project, work)
    }
  }
  const died = () => Promise.reject(new Error('killed'))

  test.each([1, 2])('that dies before its step %d is followed by another one, which finishes', async (step) => {
    const owner = await platform.owner()
    const made = await on.deploy(owner)
    const due = dueOf(await on.claim(owner), made)
    await expect(on.workWith(allowed, interrupted(step, died)).work(due)).rejects.toThrow('killed')
    expect(await on.get(owner, made.id)).toMatchObject({ state: step === 1 ? 'queued' : 'building', isCurrent: false })
    expect(await on.current(owner)).toBeUndefined()

    await on.workWith(allowed).work(dueOf(await on.claim(owner), made))
    expect(await on.get(owner, made.id)).toMatchObject({ state: 'succeeded', isCurrent: true })
  })

  test('whose claim has ended changes nothing', async () => {
    const owner = await platform.owner()
    const made = await on.deploy(owner)
    const old = dueOf(await on.claim(owner), made)
    const current = dueOf(await on.claim(owner), made)
    const before = await on.look(owner)
    await on.workWith(allowed).work(old)
    expect(await on.look(owner)).toBe(before)
    await on.workWith(allowed).work(current)
    expect(await on.get(owner, made.id)).toMatchObject({ state: 'succeeded' })
  })

  test('that continues after another one took over changes nothing', async () => {
    const owner = await platform.owner()
    await published(owner, 'Good')
    await on.change(owner, 'Slow')
    const made = await on.deploy(owner)
    const slow = dueOf(await on.claim(owner), made)
    let after = { rows: '', events: [''] }
    const takenOver = interrupted(2, async () => {
      const next = dueOf(await on.claim(owner), made)
      await on.workWith(() => [['The other one says no.']]).work(next)
      after = { rows: await on.look(owner), events: await on.auditEvents(owner) }
    })
    await on.workWith(allowed, takenOver).work(slow)
    expect({ rows: await on.look(owner), events: await on.auditEvents(owner) }).toEqual(after)
    expect(await on.get(owner, made.id)).toMatchObject({ state: 'failed', reason: 'The other one says no.' })
  })

  test('whose claim ends between its two steps leaves the second one to the new holder', async () => {
    const owner = await platform.owner()
    const made = await on.deploy(owner)
    const slow = dueOf(await on.claim(owner), made)
    let after = ''
    const overtaken = interrupted(2, async () => {
      await on.claim(owner)
      after = await on.look(owner)
    })
    await on.workWith(allowed, overtaken).work(slow)
    expect(await on.look(owner)).toBe(after)
    expect(await on.get(owner, made.id)).toMatchObject({ state: 'building' })
  })

  test('that repeats finished work changes nothing', async () => {
    const owner = await platform.owner()
    const made = await on.deploy(owner)
    const due = dueOf(await on.claim(owner), made)
    await on.workWith(allowed).work(due)
    const before = await on.look(owner)
    await on.workWith(() => [['Too late.']]).work(due)
    expect(await on.look(owner)).toBe(before)
  })

  test('that follows many dead ones gives up, and reports it', async () => {
    const owner = await platform.owner()
    const made = await on.deploy(owner)
    const due = dueOf(await on.claim(owner), made)
    let isChecked = false
    await on.workWith(() => ((isChecked = true), [])).work({ ...due, attempts: 13 })
    expect(await on.get(owner, made.id)).toMatchObject({ state: 'failed', reason: UNFINISHED })
    expect(isChecked).toBe(false)
  })
})

describe('of two concurrent deployments', () => {
  test.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ])('the later one is published, when the earlier one finishes %s', async (_, order) => {
    const owner = await platform.owner()
    await on.change(owner, 'Earlier')
    const earlier = await on.deploy(owner)
    await on.change(owner, 'Later')
    const later = await on.deploy(owner)
    const claimed = await on.claim(owner)
    for (const index of order) await on.workWith(allowed).work(dueOf(claimed, [earlier, later][index] ?? later))
    expect(await on.current(owner)).toMatchObject({ deploymentId: later.id, content: { settings: { title: 'Later' } } })
    expect(await on.get(owner, earlier.id)).toMatchObject({
      state: 'succeeded',
      isCurrent: false,
      reason: order[0] === 0 ? null : NOT_SHOWN,
    })
  })
})

describe('a rollback', () => {
  test('restores an earlier deployment byte for byte, at once', async () => {
    const owner = await platform.owner()
    await uploadLogo(owner, png, 'image/png')
    const first = await published(owner, 'First')
    const shown = await on.current(owner)
    await owner.send('DELETE', on.sitePath(owner, '/logo'))
    const second = await published(owner, 'Second')
    expect(await on.current(owner)).toMatchObject({ digest: second.digest, logoType: null })

    const answer = await rollback(owner, owner, first.id)
    expect(answer.status, `it says ${answer.text}`).toBe(200)
    expect(deploymentOf(answer)).toEqual({ ...first, isCurrent: true })
    const back = await on.current(owner)
    expect(back).toEqual(shown)
    expect(back && digestOf(contentJson(back.content))).toBe(first.digest)
    expect(await on.get(owner, second.id)).toMatchObject({ isCurrent: false })
    expect((await on.auditEvents(owner)).at(-1)).toBe(`${owner.id} deployment_published ${first.id}`)

    expect((await rollback(owner, owner, second.id)).status).toBe(200)
    expect(await on.current(owner)).toMatchObject({ deploymentId: second.id })
    const third = await published(owner, 'Third')
    expect(await on.current(owner)).toMatchObject({ deploymentId: third.id })
  })

  test('outlives a deployment that was requested before it and finishes after it', async () => {
    const owner = await platform.owner()
    const first = await published(owner, 'First')
    await published(owner, 'Second')
    const late = await on.deploy(owner)
    const claimed = await on.claim(owner)
    expect((await rollback(owner, owner, first.id)).status).toBe(200)
    await on.workWith(allowed).work(dueOf(claimed, late))
    expect(await on.get(owner, late.id)).toMatchObject({ state: 'succeeded', reason: NOT_SHOWN, isCurrent: false })
    expect(await on.current(owner)).toMatchObject({ deploymentId: first.id })
  })

  test('to an unfinished deployment is refused, and changes nothing', async () => {
    const owner = await platform.owner()
    await published(owner, 'Good')
    const { id } = await on.deploy(owner)
    const before = await on.look(owner)
    const message = "Only a deployment that succeeded can be published; this one is 'queued'."
    expectRefusal(await rollback(owner, owner, id), 409, 'wrong_state', message)
    expect(await on.look(owner)).toBe(before)
  })
})

test('a hundred deployments in a row never leave visitors with nothing, with a mixture or with an older one', async () => {
  const owner = await platform.owner()
  await on.change(owner, '0', { tagline: '0', about: '0' })
  const { id } = await on.deploy(owner)
  const race = { isOver: false }
  const seen = new Set<string>()
  const faults: string[] = []
  let reads = 0
  const visit = async () => {
    for (let last = -1; !race.isOver;) {
      const current = await on.current(owner)
      reads += 1
      if (!current) {
        faults.push('nothing')
        continue
      }
      const { title, tagline, about } = current.content.settings
      const isMixed = tagline !== title || about !== title || digestOf(contentJson(current.content)) !== current.digest
      if (isMixed) faults.push(`a mixture: ${title} ${tagline} ${about}`)
      if (Number(title) < last) faults.push(`${title} after ${last}`)
      last = Number(title)
      seen.add(title)
    }
  }
  await on.working(allowed, async () => {
    await on.finished(owner, id)
    const visitors = Array.from({ length: 4 }, visit)
    let last = id
    for (let n = 1; n <= 100; n++) {
      await on.change(owner, `${n}`, { tagline: `${n}`, about: `${n}` })
      last = (await on.deploy(owner)).id
    }
    await on.finished(owner, last)
    race.isOver = true
    await Promise.all(visitors)
  })
  expect(faults).toEqual([])
  expect(seen.size).toBeGreaterThan(10)
  expect(reads).toBeGreaterThan(100)
  expect(await on.current(owner)).toMatchObject({ content: { settings: { title: '100' } } })
})

describe('the list of deployments', () => {
  test('is newest first, page by page, and marks the one that visitors see', async () => {
    const owner = await platform.owner()
    const shown = await published(owner, 'Shown')
    const made = [shown]
    for (let n = 0; n < 4; n++) made.unshift(await on.deploy(owner))
    const whole = await owner.send('GET', on.deploymentsPath(owner))
    expect(whole.json).toEqual(made)
    expect(whole.headers.link).toBeUndefined()

    const pages: DeploymentBody[][] = []
    let path: string | undefined = on.deploymentsPath(owner, '?limit=2')
    while (path !== undefined) {
      const page: Received = await owner.send('GET', path)
      expect(page.status, `it says ${page.text}`).toBe(200)
      pages.push(page.json as DeploymentBody[])
      const { next, first } = linksOf(page)
      expect(first).toBe(`https://api.petstore.example${PLATFORM}${on.deploymentsPath(owner, '?limit=2')}`)
      path = next?.slice(next.indexOf(PLATFORM) + PLATFORM.length)
    }
    expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)])
  })

  test('of a project without any is empty', async () => {
    expect((await mia.send('GET', on.deploymentsPath(mia))).text).toBe('[]')
  })

  test.each([
    ['limit=0', 'invalid_parameter'],
    ['limit=101', 'invalid_parameter'],
    ['cursor=x', 'invalid_cursor'],
    ['state=failed', 'unknown_parameter'],
  ] as const)('refuses %s', async (query, code) => {
    expectRefusal(await mia.send('GET', on.deploymentsPath(mia, `?${query}`)), 400, code)
  })
})

describe('access to deployments', () => {
  let owner: PlatformOwner
  let viewer: PersonClient
  let admin: PersonClient
  let made: DeploymentBody

  beforeAll(async () => {
    owner = await platform.owner()
    viewer = await on.joins(owner, 'viewer')
    admin = await on.joins(owner, 'admin')
    made = await published(owner, 'Shown')
  })

  const requests: [
    string,
    (by: Pick<PlatformOwner, 'send'>, to: PlatformOwner, id: string) => Promise<Received>,
    boolean,
  ][] = [
    ['deploy', (by, to) => by.send('POST', on.deploymentsPath(to)), true],
    ['listDeployments', (by, to) => by.send('GET', on.deploymentsPath(to)), false],
    ['getDeployment', (by, to, id) => by.send('GET', on.deploymentsPath(to, `/${id}`)), false],
    ['rollback', rollback, true],
  ]

  test.each(requests)('%s is answered to strangers as if there were no project', async (_, request) => {
    const before = await on.look(owner)
    const foreign = await request(mia, owner, made.id)
    expectRefusal(foreign, 404, 'not_found', 'No project with this slug.')
    expect((await request(mia, { ...owner, slug: 'never-was' }, made.id)).text).toBe(foreign.text)
    expectRefusal(await request(platform.anyone, owner, made.id), 401, 'not_signed_in')
    expect(await on.look(owner)).toBe(before)
  })

  test.each(requests)('%s is for the documented roles', async (_, request, isChange) => {
    const answer = await request(viewer, owner, made.id)
    if (isChange) expectRefusal(answer, 403, 'insufficient_role')
    else expect(answer.status).toBe(200)
    expect((await request(admin, owner, made.id)).status).toBeLessThan(300)
  })

  test.each(requests.slice(2))(
    '%s treats a deployment of another project as one that does not exist',
    async (...row) => {
      const [, request] = row
      const foreign = await request(mia, mia, made.id)
      expectRefusal(foreign, 404, 'not_found', 'No deployment with this identifier.')
      for (const id of ['dep_000000000000000000000000', 'x', "'"]) {
        const missing = await request(mia, mia, id)
        expect([missing.status, missing.text], `of ${id}`).toEqual([foreign.status, foreign.text])
      }
    },
  )
})

const publishedRow = async (owner: PlatformOwner) =>
  (await insert(owner, 'select deployment_id, decided, at from published where project_id = $1', [])).rows
