// Seeds rows in every table of a project, so that a statement that reads too far finds
// something. Where a join could go wrong both projects have a row with the same identifier;
// otherwise only the north has the rows that statements request.

import type pg from 'pg'
import {
  EXTERNAL_ID,
  ANNOUNCEMENT,
  BLOBS,
  DIGESTS,
  CARRIED_CATEGORY,
  CLOSED_DOMAIN_MAIL,
  DOMAIN,
  EXPIRED_INVITATION,
  INVITATION,
  NORTHS_HOSTNAME,
  NORTHS_KEY,
  OBJECT,
  PHOTO,
  PHOTO_IN_WORK,
  SOURCE,
  OPEN_DOMAIN_MAIL,
  OWNER,
  PHOTOS,
  SECRET_DIGEST,
  REQUEST,
  REQUEST_DIGEST,
  TWIN_DEPLOYMENTS,
  REMOVED_HOSTNAME,
  TWIN_DOMAINS,
  TWIN_ORDER,
  TWIN_PET,
  TWIN_RESERVED_PET,
  UPLOADING,
  type North,
  PLAN_REQUEST,
} from './statements.ts'

/** Must run in a transaction in which the project is allowed. */
export async function fill(
  app: pg.Client,
  project: bigint,
  slug: string,
): Promise<Pick<North, 'petId' | 'lonePetId' | 'categoryId'>> {
  const isNorth = slug === 'north'
  const idOf = async (text: string, ...values: unknown[]): Promise<string> =>
    (await app.query<{ id: string }>(text, [project, ...values])).rows[0]?.id ?? ''
  const put = (text: string, ...values: unknown[]) => app.query(text, [project, ...values])
  const addPet = (status: string, category = '1') =>
    idOf(
      `insert into pets (project_id, name, status, category_id) values ($1, $2, $3, $4) returning id`,
      slug,
      status,
      category,
    )

  const petId = await addPet('available')
  const lonePetId = await addPet('available')
  await addPet('pending')
  await addPet('sold')
  if (isNorth) await addPet('available', CARRIED_CATEGORY)
  await put(
    `insert into pets (project_id, id, name, status, category_id) values ($1, $2, $3, 'available', 1)`,
    TWIN_PET,
    slug,
  )
  await put(
    `insert into pets (project_id, id, name, status, category_id) values ($1, $2, $3, 'pending', 1)`,
    TWIN_RESERVED_PET,
    slug,
  )
  await put(
    `insert into pet_profiles (project_id, pet_id, headline, story, breed, second_breed, is_mixed, color,
       good_with_children, good_with_dogs, good_with_cats, good_with_note, is_neutered, is_vaccinated,
       is_house_trained, special_needs, traits, location, is_hidden, is_featured, chip_number, internal_notes)
     select $1, id, $2, '', 'w ' || $2, '', false, '', 'yes', 'no', 'no', '', 'yes', 'yes', 'yes', '', '{}', '', false, true, '', ''
     from pets
     where project_id = $1`,
    slug,
  )
  const externalId = isNorth ? EXTERNAL_ID : 'S-1'
  await put(`update pet_profiles set external_id = $2 where project_id = $1 and pet_id = $3`, externalId, TWIN_PET)
  await fillTwinPhotos(put, slug)
  await put(`insert into orders (project_id, pet_id, status) values ($1, $2, 'placed')`, petId)
  await put(
    `insert into orders (project_id, pet_id, status, stage, decided_at) values ($1, $2, 'approved', 'approved', now())`,
    petId,
  )
  await put(
    `insert into orders (project_id, pet_id, status, stage, decided_at) values ($1, $2, 'delivered', 'completed', now())`,
    petId,
  )
  await put(
    `insert into orders (project_id, pet_id, status, stage, decided_at)
     values ($1, $2, 'declined', 'declined', now() - make_interval(days => $3))`,
    petId,
    isNorth ? 500 : 400,
  )
  // Its last change was a move from another stage, which can be undone.
  await put(
    `insert into orders (project_id, id, pet_id, status, stage, secret_digest, undo, undo_until)
     values ($1, $2, $3, 'placed', 'talking', $4,
       '{"before": {"status": "placed", "stage": "new", "is_holding": false, "visit_place": "", "visit_offset": 0}}',
       now() + interval '1 hour')`,
    TWIN_ORDER,
    TWIN_PET,
    SECRET_DIGEST,
  )
  await put(
    `insert into order_notes (project_id, order_id, number, author, text) values ($1, $2, 1, $3, 'Called.')`,
    TWIN_ORDER,
    slug,
  )
  await put(
    `insert into request_settings (project_id, hold_rule, hold_days, shows_request_count) values ($1, 'on_visit', $2, false)`,
    isNorth ? 5 : 6,
  )
  await put(
    `insert into request_confirmations (project_id, id, digest, pet_id, visitor_name, visitor_contact, message, language,
       expires_at)
     values ($1, $2, $3, $4, 'Ben', 'ben@visitor.example', '', 'en', now() + interval '1 day')`,
    REQUEST,
    REQUEST_DIGEST,
    petId,
  )
  const categoryId = await idOf(`insert into categories (project_id, name) values ($1, $2) returning id`, slug)
  await put(
    `insert into idempotency (project_id, key, fingerprint, pet_id, answer) values ($1, $2, $3, $4, $5)`,
    isNorth ? NORTHS_KEY : slug,
    Buffer.alloc(32),
    petId,
    slug,
  )
  await fillPhotos(put, isNorth, petId)
  await fillMembers(put, isNorth)
  await fillImports(put, isNorth)
  await fillSite(put, isNorth)
  await fillDomains(put, slug)
  return { petId, lonePetId, categoryId }
}

/** The north has one that is ready, with a key, and one that is being turned; the south has others, of other sizes. */
async function fillPhotos(put: Put, isNorth: boolean, petId: string): Promise<void> {
  const own = (text: string) => (isNorth ? text : text.replace(/^(pho_)?./, '$1f'))
  await put(
    `insert into photos (project_id, pet_id, id, position, state, upload, digest, recipe, widths, sizes, width, height,
       idempotency_key)
     values ($1, $2, $3, 1, 'ready', $4, $4, 1, '{320}', $5, 400, 300, $6)`,
    petId,
    own(PHOTO),
    own(DIGESTS.ready),
    isNorth ? [10] : [20],
    isNorth ? 'north' : 'south',
  )
  await put(
    `insert into photos (project_id, pet_id, id, position, state, upload, digest, recipe, widths, sizes, width, height,
       source)
     values ($1, $2, $3, 2, 'processing', $4, $4, 1, '{320}', '{10}', 400, 300, $5)`,
    petId,
    own(PHOTO_IN_WORK),
    own(DIGESTS.inWork),
    isNorth ? SOURCE : `photos/${own(DIGESTS.source)}/1-master.webp`,
  )
  await put(`insert into project_usage (project_id, photo_bytes) values ($1, $2)`, isNorth ? 20 : 30)
  await put(`insert into objects (project_id, key, bytes) values ($1, $2, $3)`, own(OBJECT), Buffer.from('bytes'))
}

type Put = (text: string, ...values: unknown[]) => Promise<unknown>

async function fillMembers(put: Put, isNorth: boolean): Promise<void> {
  const own = (id: string) => (isNorth ? id : id.replace(/^(\w+_)0/, '$1f'))
  await put(`insert into members (project_id, account_id, role) values ($1, $2, 'owner')`, own(OWNER))
  for (const [id, end] of [
    [INVITATION, '1 day'],
    [EXPIRED_INVITATION, '-1 day'],
  ] as const) {
    await put(
      `insert into invitations (project_id, id, email, is_mailed, role, note, created_by, expires_at)
       values ($1, $2, 'jonas@shop.example', true, 'viewer', '', $3, now() + $4::interval)`,
      own(id),
      own(OWNER),
      end,
    )
  }
  await put(
    `insert into notification_settings (project_id, account_id, topic, choice) values ($1, $2, 'requests', 'off')`,
    own(OWNER),
  )
  await put(
    `insert into plan_requests (project_id, id, plan, message, requested_by, requested_at)
     values ($1, $2, 'pro', '', $3, $4)`,
    own(PLAN_REQUEST),
    own(OWNER),
    isNorth ? '2027-01-02T00:00:00Z' : '2027-01-01T00:00:00Z',
  )
  await put(`insert into audit (project_id, actor, action, subject) values ($1, $2, 'project_made', 'it')`, own(OWNER))
}

async function fillImports(put: Put, isNorth: boolean): Promise<void> {
  const own = (id: string) => (isNorth ? id : id.replace(/^imp_0/, 'imp_f'))
  await put(
    `insert into imports (project_id, id, state, on_bad_line, created_by) values ($1, $2, 'uploading', 'refuse', $3)`,
    own(UPLOADING),
    OWNER,
  )
  await put(
    `insert into import_parts (project_id, import_id, number, bytes) values ($1, $2, 1, $3)`,
    own(UPLOADING),
    Buffer.from(isNorth ? 'north' : 'south'),
  )
  await put(
    `insert into import_rows (project_id, import_id, row, cells, outcome, pet_id, photos, is_fetching, after)
     values ($1, $2, 2, '["Rex"]', 'create', 1, '[{"name":"a","state":"pending","reason":null}]', true, '{}')`,
    own(UPLOADING),
  )
}

/** Each publishes another of the twins; the north has come further, and uses a file that the south only has. */
async function fillSite(put: Put, isNorth: boolean): Promise<void> {
  for (const digest of Object.values(BLOBS)) {
    const bytes = Buffer.from(isNorth ? 'north' : 'south')
    await put(`insert into blobs (project_id, digest, type, bytes) values ($1, $2, 'image/png', $3)`, digest, bytes)
  }
  await put(`insert into sites (project_id, logo) values ($1, $2)`, isNorth ? BLOBS.used : BLOBS.shown)
  for (const [index, id] of TWIN_DEPLOYMENTS.entries()) {
    await put(
      `insert into deployments (project_id, id, number, digest, content, logo, state, created_by, finished_at)
       values ($1, $2, $3, $4, '{}', $5, 'succeeded', $6, now())`,
      id,
      index + (isNorth ? 7 : 1),
      'f'.repeat(64),
      isNorth ? BLOBS.used : BLOBS.shown,
      OWNER,
    )
  }
  await put(
    `insert into published (project_id, deployment_id, decided) values ($1, $2, $3)`,
    TWIN_DEPLOYMENTS[isNorth ? 0 : 1],
    isNorth ? 8 : 2,
  )
  await put(`insert into site_secrets (project_id, secret) values ($1, $2)`, Buffer.alloc(32, isNorth ? 1 : 2))
}

/** Both have a photo of the same bytes; the north has one more. */
async function fillTwinPhotos(put: Put, slug: string): Promise<void> {
  const digests = slug === 'north' ? [PHOTOS.twin, PHOTOS.norths] : [PHOTOS.twin]
  for (const [position, digest] of digests.entries()) {
    await put(
      `insert into photos (project_id, pet_id, id, position, state, upload, digest, recipe, widths, sizes, width, height, alt)
       values ($1, $2, $3, $4, 'ready', $5, $5, 1, '{320}', '{1}', 320, 240, $6)`,
      TWIN_PET,
      `pho_${digest.slice(0, 24)}`,
      position,
      digest,
      slug,
    )
    await put(
      `insert into objects (project_id, key, bytes) values ($1, $2, $3)`,
      `photos/${digest}/1-320.webp`,
      Buffer.from(slug),
    )
  }
}

/** The north has one more, and more of a history. */
async function fillDomains(put: Put, slug: string): Promise<void> {
  const isNorth = slug === 'north'
  const domains = [...TWIN_DOMAINS.map((id) => [id, `${id}.${slug}.example.com`]), [DOMAIN, NORTHS_HOSTNAME]] as const
  for (const [id = '', hostname] of isNorth ? domains : domains.slice(0, 2)) {
    await put(
      `insert into domains (project_id, id, hostname, token, token_generation, next_look_at)
       values ($1, $2, $3, $4, 0, now())`,
      id,
      hostname,
      `petstore-verify=${slug.padEnd(28, '0')}`,
    )
    for (let number = 1; number <= (isNorth ? 3 : 1); number++) {
      await put(
        `insert into domain_events (project_id, domain_id, number, kind) values ($1, $2, $3, 'domain.verified')`,
        id,
        number,
      )
    }
    await put(
      `insert into domain_looks (project_id, domain_id, at, judgement, evidence, answers)
       values ($1, $2, now(), $3, '{}', '{}')`,
      id,
      JSON.stringify({ slug }),
    )
  }
  if (isNorth) {
    await put(
      `insert into domains (project_id, id, hostname, ownership, removed_at, token, token_generation)
       values ($1, 'dom_00000000000000000000000e', $2, 'released', now(), $3, 0)`,
      REMOVED_HOSTNAME,
      `petstore-verify=${'r'.repeat(28)}`,
    )
  }
  await fillDomainMails(put, isNorth)
  const [first, second] = TWIN_DOMAINS
  await put(`insert into domain_settings (project_id, version, primary_id) values ($1, $2, $3)`, isNorth ? 7 : 1, first)
  await put(`insert into redirects (project_id, from_id, to_id) values ($1, $2, $3)`, first, second)
}

/** Both projects have the same mail; that of the south has another cause, and its domains no addresses. */
async function fillDomainMails(put: Put, isNorth: boolean): Promise<void> {
  const [first, twin] = TWIN_DOMAINS
  // Each project lacks a part of what the other one has: a proven domain, or an address.
  const [proven, byAddress] = isNorth ? [[first, twin], [twin]] : [[twin], [first]]
  await put(
    `update domains set ownership = 'proven', generation = 1 where project_id = $1 and id = any ($2::text[])`,
    proven,
  )
  await put(
    `update domain_looks set judgement = $3 where project_id = $1 and domain_id = any ($2::text[])`,
    byAddress,
    JSON.stringify({ slug: isNorth ? 'north' : 'south', how: 'address' }),
  )
  await put(
    `insert into domain_mails (project_id, id, kind, cause, opened_at) values ($1, $2, 'domain_alert', $3, now())`,
    OPEN_DOMAIN_MAIL,
    isNorth ? 'dns.cname_wrong' : 'dns.parked',
  )
  await put(
    `insert into mailed_domains (project_id, mail_id, domain_id, at) values ($1, $2, $3, now())`,
    OPEN_DOMAIN_MAIL,
    twin,
  )
  const other = 'dma_000000000000000000000003'
  await put(
    `insert into domain_mails (project_id, id, kind, cause, opened_at) values ($1, $2, 'domain_alert', $3, now())`,
    other,
    isNorth ? 'dns.parked' : 'dns.cname_wrong',
  )
  if (!isNorth) return
  await put(`insert into mailed_domains (project_id, mail_id, domain_id, at) values ($1, $2, $3, now())`, other, twin)
  await put(
    `insert into mailed_domains (project_id, mail_id, domain_id, at) values ($1, $2, $3, now())`,
    OPEN_DOMAIN_MAIL,
    DOMAIN,
  )
  await put(
    `insert into domain_mails (project_id, id, kind, cause, opened_at, closed_at)
     values ($1, $2, 'domain_alert', 'caa.blocked', now(), now())`,
    CLOSED_DOMAIN_MAIL,
  )
  await put(
    `insert into mailed_domains (project_id, mail_id, domain_id, at) values ($1, $2, $3, now())`,
    CLOSED_DOMAIN_MAIL,
    DOMAIN,
  )
  await put(
    `insert into address_announcements (project_id, id, addresses, starts_on)
     values ($1, $2, '{192.0.2.30}', '2027-06-01')`,
    ANNOUNCEMENT,
  )
}
