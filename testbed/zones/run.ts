// Checks every fixture of the corpus on the real test internet, as Verify would: observe, then
// judge. Fixtures whose resolvers must cache have a test internet of their own.

import { randomBytes } from 'node:crypto'
import type { CauseCode } from '../../server/src/domains/causes/causes.ts'
import { nothingKnown, type Evidence, type Probe, type Wanted } from '../../server/src/domains/observing/evidence.ts'
import { judge } from '../../server/src/domains/judging/judge.ts'
import type { Judgement } from '../../server/src/domains/judging/judgement.ts'
import { observe } from '../../server/src/domains/observing/observe.io.ts'
import { probeAt } from '../../server/src/domains/observing/probe.io.ts'
import { mayContact } from '../../server/src/foundation/dns/addresses.ts'
import { openDns } from '../../server/src/foundation/dns/client.io.ts'
import { startWorld, type World } from '../internet/world.ts'
import { PLATFORM_HOST, TARGET, TOKEN, type Fixture } from './fixture.ts'

export type Result = {
  fixture: Fixture
  found: CauseCode | null
  /** The first advice to the owner; null if nothing is wrong. Times of day are written HH:MM. */
  advice: string | null
  judgement: Judgement
  evidence: Evidence
  ms: number
}

/** The cause is named first, the other required causes are found, and where nothing is wrong the name verifies. */
export function isRight({ fixture, found, judgement }: Result): boolean {
  const codes = judgement.troubles.map(({ code }) => code)
  if (found !== fixture.cause || !(fixture.also ?? []).every((code) => codes.includes(code))) return false
  return fixture.cause !== null || (judgement.ownership === 'proven' && judgement.routing === 'pointing')
}

type Options = {
  atOnce?: number
  onResult?: (result: Result) => void
  /** How often an unexpected result is retried: a busy machine answers late, as the real internet does. */
  again?: number
}

export async function runCorpus(fixtures: readonly Fixture[], options: Options = {}): Promise<Result[]> {
  const plain = fixtures.filter(({ remembers }) => !remembers)
  const caching = fixtures.filter(({ remembers }) => remembers)
  const results = [...(await runOn('off', plain, options)), ...(await runOn('real', caching, options))]
  return results.toSorted((one, other) => fixtures.indexOf(one.fixture) - fixtures.indexOf(other.fixture))
}

async function runOn(cache: 'off' | 'real', fixtures: readonly Fixture[], options: Options): Promise<Result[]> {
  if (fixtures.length === 0) return []
  const zones = fixtures.flatMap((fixture) => fixture.zones)
  const truth = { target: TARGET, token: TOKEN, address: '127.0.80.1' }
  const world = await startWorld({ zones, cache, truth, webTls: true })
  try {
    return await checkAll(world, fixtures, options)
  } finally {
    await world.close()
  }
}

async function checkAll(
  world: World,
  fixtures: readonly Fixture[],
  { atOnce = 4, onResult, again = 0 }: Options,
): Promise<Result[]> {
  const waiting = [...fixtures.entries()]
  const results: Result[] = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, fixture] = next
      await fixture.before?.(world)
      let result = await checkFixture(world, fixture)
      for (let left = again; left > 0 && !isRight(result); left--) result = await checkFixture(world, fixture)
      results[index] = result
      onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

async function checkFixture(world: World, fixture: Fixture): Promise<Result> {
  // A new client each time: the cache of one check must not help the next one.
  const dns = openDns({ ...world.dns, randomBytes })
  const wanted: Wanted = {
    hostname: fixture.hostname,
    target: TARGET,
    platformHost: PLATFORM_HOST,
    token: TOKEN,
    addresses: ['127.0.80.1'],
    formerAddresses: [],
    authorities: [
      {
        name: "Let's Encrypt",
        domain: 'letsencrypt.org',
        accountUri: 'https://acme.test/acct/1',
        methods: ['http-01'],
      },
    ],
    ...fixture.wanted,
  }
  const probe = (address: string) => probeInside(world, fixture, address)
  const startedAt = performance.now()
  const evidence = await observe(dns, probe, wanted, { now: Date.now(), isFull: true })
  const judgement = judge({ wanted, evidence, known: { ...nothingKnown, ...fixture.known } }, evidence.at)
  const ms = performance.now() - startedAt
  const [root] = judgement.troubles
  const advice = root === undefined ? null : steady(root.advice)
  return { fixture, found: root?.code ?? null, advice, judgement, evidence, ms }
}

/** Values that change with every run are replaced with a placeholder, so that texts can be compared. */
const steady = (text: string): string =>
  text
    .replace(/(\b\d{1,2} [A-Z][a-z]+, )?\b\d\d:\d\d UTC/g, 'HH:MM UTC')
    .replace(/\b\d{1,2} [A-Z][a-z]+ \d{4}\b/g, 'DAY MONTH YEAR')
    .replace(/key tag \d+/g, 'key tag NUMBER')
    // The port of the world's web servers, which stands for 80.
    .replace(/(\/\/[\w.-]+):\d{5}\//g, '$1/')

/** Nothing is sent to the real internet: addresses outside the test internet are treated as not allowed. */
export async function probeInside({ web }: World, { hostname, plays = {} }: Fixture, address: string): Promise<Probe> {
  const role = plays[address]
  if (role !== undefined) return { ...(await probeAt(web.probing, hostname, web.addressOf(role))), address }
  const isInside = !mayContact(address) && mayContact(address, web.allowedNetworks)
  if (isInside) return probeAt(web.probing, hostname, address)
  return { address, url: `http://${hostname}/`, outcome: { kind: 'silence', why: 'not_allowed' }, hops: [], ms: 0 }
}
