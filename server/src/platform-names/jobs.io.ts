// Background work for the platform's own names. Each has a timer. After the settings have changed all
// names are visited once: those that were held before, and with `per-host` every site, a page at a
// time. A start with the same settings costs one statement, however many projects there are.

import { listHostnamesOf } from '../certificates/stored-queries.ts'
import { wildcardOf } from '../fleet/table-name.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { DAY, SECOND } from '../foundation/time.ts'
import { listSlugs } from '../projects/directory.io.ts'
import { settleName, type PlatformNamesDeps } from './advance.io.ts'
import { hostsOf, siteNameOf, type PlatformSettings } from './desired.ts'
import { NAME_DUE, NAMES_DUE, PLATFORM_CLIENT, scheduleVisit, setNameTimers } from './directory.io.ts'

const CLAIM_SECONDS = 60
const PAGE = 500
/** A visit is repeated only when the settings change; its timer remembers which ones it was for. */
const NEVER_SECONDS = (3650 * DAY) / SECOND
/** So many sites are settled at once; the others one by one, as the weekly limit of an authority allows. */
const AT_ONCE = 200
const PER_WEEK = 40

export const platformNameKinds = (deps: PlatformNamesDeps): Readonly<Record<string, TimerWork>> => ({
  [NAME_DUE]: { claimSeconds: CLAIM_SECONDS, work: (due) => settleName(deps, due) },
  [NAMES_DUE]: { claimSeconds: CLAIM_SECONDS, work: (due) => visitAll(deps, due) },
})

/** At every start. */
export const scheduleNames = (run: Db, settings: PlatformSettings) => scheduleVisit(run, textOf(settings))

const textOf = (settings: PlatformSettings): string =>
  [settings.tls, ...hostsOf(settings), ...settings.services].join(' ')

async function visitAll({ database: { run }, settings }: PlatformNamesDeps, due: Timer): Promise<number> {
  // A worker that still has other settings finds nothing to do.
  if (due.id !== textOf(settings)) return 60
  const first = [...settings.services, ...(settings.tls === 'wildcard' ? hostsOf(settings).map(wildcardOf) : [])]
  await setNameTimers(run, first.map(now))
  const held = await eachPage(run, due, listHeld, (names) => setNameTimers(run, names.map(now)))
  if (!held || settings.tls !== 'per-host') return NEVER_SECONDS
  let count = 0
  await eachPage(run, due, listSlugs, (slugs) =>
    setNameTimers(
      run,
      slugs.map((slug) => ({ hostname: siteNameOf(settings, slug), seconds: turnOf(count++) })),
    ),
  )
  return NEVER_SECONDS
}

const listHeld = (db: Db, after: string, count: number) => listHostnamesOf(db, PLATFORM_CLIENT, after, count)
const now = (hostname: string) => ({ hostname, seconds: 0 })
const turnOf = (index: number): number => Math.max(0, index - AT_ONCE) * ((7 * DAY) / SECOND / PER_WEEK)

/** False if another worker has taken over. */
async function eachPage(
  run: Db,
  due: Timer,
  list: (db: Db, after: string, count: number) => Promise<string[]>,
  visit: (page: readonly string[]) => Promise<unknown>,
): Promise<boolean> {
  for (let after = ''; ;) {
    const page = await list(run, after, PAGE)
    if (page.length === 0) return true
    if (!(await lockTimer(run, due, CLAIM_SECONDS))) return false
    await visit(page)
    after = page.at(-1) ?? after
  }
}
