// Every table has a cap, and every limit is enforced: it is filled through the interface that people and programs have until
// the next one is rejected, or until the oldest makes room.

import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { caps } from '../../../server/src/plans/caps.ts'
import { rowsOf } from '../../../server/src/plans/cap.ts'
import { defaultLimits } from '../../../server/src/plans/limits.ts'
import { backgroundLimits, enforceInBackground } from '../background-limits.ts'
import { fillers, smallLimits, smallTable, startShopService, type FreeShop } from '../free-shop.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'

export const safetyLine: SafetyLine = {
  title: 'Every table has a cap, and every limit rejects one more',
  sizes: { small: 'every table and limit', large: 'the same' },
  guards: [
    { name: 'listed-table', instead: 'a table without an entry', isQuick: true },
    { name: 'named-test', instead: 'a test that was renamed', isQuick: true },
  ],
  run,
}

/** Limits that a test fills, and its name. */
const elsewhere: Readonly<Record<string, readonly [file: string, test: string]>> = {
  members: [
    'server/test/platform/invitations.test.ts',
    'fill a project up to its plan, even when accepted concurrently; the others may try again',
  ],
  openRequests: [
    'server/test/sites/reserve.test.ts',
    'a shop with as many open requests as its plan includes says so, and names its phone number',
  ],
  deletedProjectDays: [
    'server/test/platform/limits.test.ts',
    'leaves nothing but its slug, once it was deleted long enough ago',
  ],
  sessions: ['server/test/platform/limits.test.ts', 'an account has at most 50 sessions: the oldest ends'],
  connections: [
    'server/test/foundation/admission.test.ts',
    'an address has a number of connections, and the next one is refused with a message',
  ],
  newAccountInvitationsPerDay: [
    'server/test/platform/limits.test.ts',
    'from all of its projects together, and fewer while it is new',
  ],
  newAccountDays: [
    'server/test/platform/limits.test.ts',
    'from all of its projects together, and fewer while it is new',
  ],
  edgeConnections: [
    'server/test/fleet/control-flood.test.ts',
    'of too many connections in all, the one that makes room is of the edge that has the most',
  ],
  unknownConnections: [
    'server/test/fleet/control-flood.test.ts',
    'are few in all, whatever their addresses, and an edge with a new connection is answered',
  ],
  unknownGroupConnections: [
    'server/test/fleet/control-flood.test.ts',
    'are few of an address, the newest, and an edge that waits is not cut',
  ],
  streams: ['server/test/platform/watching.test.ts', 'a project has as many as its plan includes'],
  accountStreams: [
    'server/test/platform/watching.test.ts',
    'an account has few streams, and one that is closed makes room',
  ],
  domainEvents: ['server/test/domains/platform.test.ts', 'the oldest event of a domain makes room for another'],
  removedDomainDays: [
    'server/test/domains/forgetting.test.ts',
    'a domain that was removed long enough ago leaves nothing but who held its name',
  ],
  processStreams: ['server/src/projects/stream-counts.test.ts', 'a process has so many in all'],
  accountUploadBytes: [
    'server/test/photos/crowded.test.ts',
    'one account with five projects has slow uploads in each, and those of another account are taken',
  ],
  processUploadBytes: [
    'server/test/photos/crowded.test.ts',
    'where there is no room, the slowest upload of the account that has most ends for one that has less',
  ],
}

async function run({ without, createDatabase, report }: SafetyRun): Promise<void> {
  const { appUrl, ownerUrl } = await createDatabase()
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  try {
    if (without === 'listed-table') await owner.query('create table unlisted (id bigint primary key)')
    const tables = await everyTableHasCap(owner)
    everyLimitIsFilled()
    everyTestExists(without === 'named-test' ? (name) => `${name}, they say` : (name) => name)
    const service = await startShopService(appUrl)
    try {
      await enforceInBackground(service, appUrl)
      for (const limit of Object.keys(fillers)) await fill(await service.openShop(), limit)
      for (const table of Object.keys(removals)) await removeOldest(owner, await service.openShop(), table)
    } finally {
      await service.stop()
    }
    report({
      tables,
      'limits filled': Object.keys(fillers).length,
      'enforced in the background': Object.keys(backgroundLimits).length,
      'oldest removed': Object.keys(removals).length,
      'shown by other tests': Object.keys(elsewhere).length,
    })
  } finally {
    await owner.end()
  }
}

/** How many there are. A table with one row for each owner has the owner as its key. */
async function everyTableHasCap(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ name: string; key: string[] }>(
    `select relname as name, coalesce(array_agg(attname::text order by attname) filter (where attname is not null), '{}') as key
     from pg_class
       left join pg_index on indrelid = pg_class.oid and indisprimary
       left join pg_attribute on attrelid = pg_class.oid and attnum = any (indkey)
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
     group by relname
     order by relname`,
  )
  const unlisted = rows.filter(({ name }) => !(name in caps)).map(({ name }) => name)
  must(unlisted.length === 0, `no cap for ${unlisted.join(', ')}`)
  const unbounded = rows.filter(({ name, key }) => caps[name]?.bound.by === 'key' && key.length !== 1)
  must(unbounded.length === 0, `the key of ${unbounded.map(({ name }) => name).join(', ')} is not the owner`)
  return rows.length
}

function everyLimitIsFilled(): void {
  const names = [...Object.keys(defaultLimits.ofPlan), ...Object.keys(defaultLimits.other)]
  const filled = [...Object.keys({ ...fillers, ...backgroundLimits }), ...limitsOfRemovals()]
  const missing = names.filter((name) => !filled.includes(name) && !(name in elsewhere))
  must(missing.length === 0, `nothing fills ${missing.join(', ')}`)
}

const limitsOfRemovals = () => Object.values(removals).flatMap(({ limits }) => limits)

/** A test that was renamed may no longer be about the limit. */
function everyTestExists(titleOf: (name: string) => string): void {
  const root = new URL('../../../', import.meta.url)
  const gone = Object.entries(elsewhere).filter(([, [file, name]]) => {
    const url = new URL(file, root)
    return !existsSync(url) || !readFileSync(url, 'utf8').includes(`test('${titleOf(name)}'`)
  })
  must(gone.length === 0, `no test fills ${gone.map(([limit, [file]]) => `${limit} (${file})`).join(', ')}`)
}

const refusals: ReadonlySet<unknown> = new Set(['plan_required', 'limit_reached', 'rate_limited'])

async function fill(shop: FreeShop, limit: string): Promise<void> {
  const { most, add } = fillers[limit] ?? { most: 0, add: undefined }
  if (!add) return
  for (let n = 0; n < most; n++) {
    const { status, text } = await add(shop, n)
    must(status < 300, `${limit}: number ${n + 1} of ${most} is rejected: ${status} ${text}`)
  }
  const { status, text, json } = await add(shop, most)
  must(status >= 400, `${limit}: one more than ${most} is accepted`)
  must(refusals.has((json as { code?: unknown }).code), `${limit}: one more is rejected by ${status} ${text}`)
}

/** Rows of long ago, more than are kept, and what must be left of them. */
const removals: Readonly<Record<string, { limits: string[]; add: string; left: number }>> = {
  audit: {
    limits: ['auditEvents', 'auditDays'],
    // Of two days ago, beyond those that are kept; and of two years ago.
    add: `insert into audit (project_id, id, at, actor, action, subject)
      select $1::bigint, -n, now() - make_interval(days => case when n > 20 then 730 else 2 end), 'petstore', 'project_created', 'x'
      from generate_series(1, 30) as n`,
    left: smallLimits.auditEvents,
  },
  api_keys: {
    limits: ['endedKeys', 'endedKeyDays'],
    add: `insert into api_keys (project_id, id, label, display_prefix, last_four, digest, scopes, revoked_at)
      select $1::bigint, 'key_' || lpad(n::text, 16, '0'), 'old', 'x', 'x', sha256(($1 || ' ' || n)::bytea), '{pets:read}',
        now() - make_interval(days => case when n > 5 then 91 else 1 end)
      from generate_series(1, 10) as n`,
    left: smallLimits.endedKeys,
  },
  imports: {
    limits: ['endedImports'],
    add: `insert into imports (project_id, id, state, on_bad_line, created_by, finished_at)
      select $1::bigint, 'imp_' || lpad(n::text, 24, '0'), 'succeeded', 'refuse', 'petstore', now() - interval '9 days'
      from generate_series(1, 6) as n`,
    left: smallLimits.endedImports,
  },
  orders: {
    limits: ['endedRequests'],
    add: `with animal as (
        insert into pets (project_id, name, category_id, status) values ($1::bigint, 'Rex', 1, 'available') returning id
      )
      insert into orders (project_id, pet_id, status, stage, decided_at)
      select $1::bigint, animal.id, 'declined', 'declined', now() - interval '91 days'
      from animal, generate_series(1, 6)`,
    left: smallLimits.endedRequests,
  },
  passkey_challenges: { limits: ['passkeyChallenges'], add: '', left: smallLimits.passkeyChallenges },
}

async function removeOldest(owner: pg.Client, shop: FreeShop, table: string): Promise<void> {
  const { add, left } = removals[table] ?? { add: '', left: 0 }
  await owner.query(`select set_config('petstore.projects', '{${shop.project}}', false)`)
  if (add === '') {
    for (let n = 0; n < left + 2; n++) await shop.send('POST', '/session/passkey/options')
  } else {
    await owner.query(add, [shop.project])
    await shop.upkeep()
  }
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::integer as count from ${table} ${add === '' ? '' : `where project_id = ${shop.project}`}`,
  )
  const count = rows[0]?.count ?? 0
  must(count <= left, `${count} rows of ${table} are left; at most ${left} are kept`)
  must(left <= rowsOf(caps, table, 'free', smallTable), `the cap of ${table} is lower than what is kept`)
}
