// Two workers and one queue of photos: each photo must be claimed once. PostgreSQL records the claims, so that a photo
// that was processed in vain is counted as well, although its second result is not written.
//
//   npm run experiment -- photo-workers --help

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openInstallation, photograph, withComment } from '../../photos/installation.ts'
import { readFlags } from '../flags.ts'

const PER_ANIMAL = 20
const DIFFERENT = 6

const flags = readFlags('photo-workers')
const count = Number(flags.photos)
await using postgres = await startTemporaryPostgres()
const { appUrl, ownerUrl } = await postgres.createDatabase()
const owning = new pg.Client(ownerUrl)
await owning.connect()
await owning.query(`
  create table claims (id text not null);
  grant insert on claims to petstore_app;
  create function record_claim() returns trigger language plpgsql as $$
    begin
      insert into claims values (new.id);
      ${flags.unclaimed ? 'new.due_at := least(new.due_at, now()); new.claimed_until := null;' : ''}
      return new;
    end $$;
  create trigger record_claims before update on due_directory for each row
    when (new.kind = 'photo' and new.attempts > old.attempts) execute function record_claim()`)
const installation = openInstallation(appUrl, Number(flags.port))
try {
  await installation.start('serve')
  const owner = await installation.owner('many')
  const pictures = await Promise.all(Array.from({ length: DIFFERENT }, () => photograph(640, 480)))
  const animals: string[] = []
  for (let index = 0; index < count; index += 1) {
    if (index % PER_ANIMAL === 0) animals.push((await owner.addAnimal()) ?? '')
    const bytes = withComment(pictures[index % DIFFERENT] ?? Buffer.alloc(0), String(index))
    if (!(await owner.upload(animals.at(-1) ?? '', bytes, String(index)))) throw new Error('an upload got no response')
  }
  const begun = performance.now()
  await Promise.all([installation.start('work', 'work-1'), installation.start('work', 'work-2')])
  let claimed = await claims()
  while (claimed.open > 0) {
    await delay(1000)
    claimed = await claims()
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  let ready = 0
  for (const animal of animals) {
    const photos = await owner.photosOf(animal)
    if (!photos) throw new Error(`the photos of animal ${animal} got no response`)
    ready += photos.filter(({ state }) => state === 'ready').length
  }
  const isOnce = claimed.claims === count && claimed.most === 1 && ready === count
  const figures = { photos: count, ready, claims: claimed.claims, mostClaims: claimed.most, seconds }
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(figures)}\n`
      : `${count} photos, ${ready} ready, ${claimed.claims} claims, at most ${claimed.most} of one photo, ${seconds} s\n` +
          `${isOnce ? 'Each was processed once.' : 'Some were not processed exactly once.'}\n`,
  )
  process.exitCode = isOnce ? 0 : 1
} finally {
  await installation.stop()
  await owning.end()
}

async function claims(): Promise<{ open: number; claims: number; most: number }> {
  const { rows } = await owning.query<{ open: number; claims: number; most: number }>(`
    select (select count(*)::int from due_directory where kind = 'photo') as open,
      coalesce(sum(times), 0)::int as claims, coalesce(max(times), 0)::int as most
    from (select count(*)::int as times from claims group by id) as each`)
  return rows[0] ?? { open: 0, claims: 0, most: 0 }
}
