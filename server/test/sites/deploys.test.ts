// Deployments are atomic for visitors: they see the version before or the version after,
// whole, and never anything else. Owner, worker and edge are the real ones.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import { deploying } from './deployments.ts'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner, type TestPlatform } from '../../../testbed/harness/platform.ts'

const HOST = 'petstore.test'
const ANIMALS = ['Rex', '<b>Mia</b>', '\u202Exer']

let platform: TestPlatform
let edge: RunningEdge
let work: RunningWork
let on: ReturnType<typeof deploying>

beforeAll(async () => {
  platform = await startTestPlatform()
  const config = parseConfig({ PLATFORM_HOST: HOST, EDGE_PORT: '0', DATABASE_URL: platform.test.database.appUrl })
  edge = await startEdge(config, { logger: { level: 'silent' } })
  work = await startWork(config, { pauseMs: 10 })
  on = deploying(platform)
})
afterAll(async () => {
  await work?.stop()
  await edge?.stop()
})

const visit = (owner: PlatformOwner, path = '/'): Promise<Received> =>
  exchange(`http://127.0.0.1:${edge.port}`, { path, headers: { Host: `${owner.slug}.${HOST}` } })

/** A store with animals; deployment n has n in every text of the owner. */
async function newStore(): Promise<PlatformOwner> {
  const owner = await platform.owner()
  for (const name of ANIMALS) await owner.send('POST', `/projects/${owner.slug}/animals`, { name, categoryId: 1n })
  return owner
}

const colorOf = (number: number) => `#${(0x100000 + number * 7919).toString(16)}`
const deploy = async (owner: PlatformOwner, number: number) => {
  await on.change(owner, `Title ${number}.`, {
    tagline: `Tagline ${number}.`,
    about: `About ${number}.`,
    themeColor: colorOf(number),
  })
  return on.finished(owner, (await on.deploy(owner)).id)
}
const saysAll = ({ text }: Received) =>
  new Set([...text.matchAll(/(?:Title|Tagline|About) (\d+)\./g)].map(([, n]) => n))
const styleOf = ({ text }: Received) => /href="(\/style-[^"]+)"/.exec(text)?.[1] ?? ''

/** Everything visible to visitors, as bytes: every kind of page and the files they reference. */
async function everything(owner: PlatformOwner): Promise<string[]> {
  const home = await visit(owner)
  const animal = /href="(\/a\/\d+)"/.exec(home.text)?.[1] ?? ''
  const paths = ['/', animal, '/thanks', '/nowhere', '/robots.txt', '/sitemap.xml', '/favicon.svg', styleOf(home)]
  const pages = await Promise.all(paths.map((path) => visit(owner, path)))
  // The token of the form changes with the hour.
  return pages.map(({ status, text }) => `${status} ${text.replace(/name="token" value="[^"]*"/, '')}`)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) if (performance.now() > deadline) throw new Error('it did not happen in time')
}
const shows = (owner: PlatformOwner, number: number) => async () => saysAll(await visit(owner)).has(String(number))

describe('a deployment', () => {
  test('is visible within about a second, and a rollback restores the earlier bytes', async () => {
    const owner = await newStore()
    const first = await deploy(owner, 1)
    await until(shows(owner, 1))
    const before = await everything(owner)
    await deploy(owner, 2)
    await until(shows(owner, 2))
    expect(await everything(owner)).not.toEqual(before)
    const answer = await owner.send('POST', `/projects/${owner.slug}/deployments/${first.id}/publish`)
    expect(answer.status, `it says ${answer.text}`).toBe(200)
    // Each page is cached separately for a moment, so the last one may change later than the first.
    await until(async () => JSON.stringify(await everything(owner)) === JSON.stringify(before))
  })

  test('that fails while its pages are generated leaves every byte as it was', async () => {
    const owner = await newStore()
    await deploy(owner, 1)
    await until(shows(owner, 1))
    const before = await everything(owner)
    // From here on another worker, whose rendering fails.
    await work.stop()
    await on.change(owner, 'Title 2.', { tagline: 'Tagline 2.', about: 'About 2.', themeColor: colorOf(2) })
    const broken = () => {
      throw new Error('the template is broken')
    }
    const failed = await on.working(broken, async () => on.finished(owner, (await on.deploy(owner)).id))
    expect(failed).toMatchObject({ state: 'failed', isCurrent: false })
    expect(failed.reason).toContain('could not be made')
    // Longer than anything is cached.
    const deadline = performance.now() + 1200
    while (performance.now() < deadline) expect(await everything(owner)).toEqual(before)
    work = await startWork(parseConfig({ DATABASE_URL: platform.test.database.appUrl, PLATFORM_HOST: HOST }), {
      pauseMs: 10,
    })
  })

  const DEPLOYS = 30
  test(`${DEPLOYS} times in a row, while visitors load pages and their style, fails no request and mixes nothing`, async () => {
    const owner = await newStore()
    await deploy(owner, 0)
    await until(shows(owner, 0))
    const wrong: string[] = []
    const seen = new Set<string>()
    let loaded = 0
    const day = { isOver: false }
    const visitor = async () => {
      while (!day.isOver) {
        const page = await visit(owner)
        const numbers = saysAll(page)
        const style = await visit(owner, styleOf(page))
        loaded += 1
        if (page.status !== 200 || numbers.size !== 1) wrong.push(`${page.status}: ${[...numbers].join(' and ')}`)
        if (style.status !== 200 || style.headers['content-type'] !== 'text/css; charset=utf-8') {
          wrong.push(`${styleOf(page)}: ${style.status}`)
        }
        for (const number of numbers) if (number !== undefined) seen.add(number)
      }
    }
    const visitors = Array.from({ length: 4 }, visitor)
    const states = new Set<string>()
    for (let number = 1; number <= DEPLOYS; number += 1) states.add((await deploy(owner, number)).state)
    await until(shows(owner, DEPLOYS))
    day.isOver = true
    await Promise.all(visitors)
    process.stdout.write(
      `deploys: ${DEPLOYS}, pages loaded meanwhile ${loaded}, versions seen ${seen.size}, wrong ${wrong.length}\n`,
    )
    expect(wrong).toEqual([])
    expect([...states]).toEqual(['succeeded'])
    expect(seen.size).toBeGreaterThan(5)
  })
})
