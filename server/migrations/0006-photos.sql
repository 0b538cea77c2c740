-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Photos of animals, their files where PostgreSQL stores them, and the space that they occupy.

-- The files of a photo follow from `digest`, `recipe` and `widths`, so they have no table. As with profiles there is no
-- foreign key: a photo is written while its animal is locked, and deleted with it.
create table photos (
  project_id bigint not null,
  pet_id bigint not null,
  id text not null check (id ~ '^pho_[0-9a-f]{24}$'),
  position integer not null,
  state text not null default 'processing' check (state in ('processing', 'ready', 'failed')),
  reason text check (reason in ('damaged', 'memory', 'time', 'internal')),
  -- SHA-256 of the uploaded bytes, and of these with the rotation: a repeated attempt has the same addresses.
  upload text not null check (upload ~ '^[0-9a-f]{64}$'),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  turn smallint not null default 0 check (turn in (0, 90, 180, 270)),
  -- The object that is to be processed: an upload, or the master of the rotation before. Null when nothing is.
  source text,
  recipe integer not null check (recipe >= 1),
  widths integer[] not null default '{}' check (cardinality(widths) <= 8),
  -- Bytes of each of its objects; they count towards `project_usage`.
  sizes bigint[] not null,
  width integer check (width >= 1),
  height integer check (height >= 1),
  alt text not null default '' check (char_length(alt) <= 250),
  focal_x smallint not null default 2 check (focal_x between 0 and 4),
  focal_y smallint not null default 2 check (focal_y between 0 and 4),
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  created_at timestamptz not null default now(),
  primary key (project_id, pet_id, id),
  check ((state = 'ready') = (width is not null and height is not null and cardinality(widths) > 0 and source is null)),
  check ((state = 'processing') = (source is not null)),
  check ((state = 'failed') = (reason is not null))
);
create index photos_by_digest on photos (project_id, digest);
-- Those that are being processed: few.
create index photos_by_source on photos (project_id, source) where source is not null;
create unique index photos_by_idempotency_key on photos (project_id, idempotency_key) where idempotency_key is not null;
alter table photos enable row level security;
alter table photos force row level security;
create policy own_project on photos
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger counted_on_insert after insert on photos referencing new table as added
  for each statement execute function count_rows('photos');
create trigger counted_on_delete after delete on photos referencing old table as removed
  for each statement execute function count_rows('photos');
grant select, insert, update, delete on photos to petstore_app;

-- Files of photos, where PostgreSQL stores them. Written once, never changed.
create table objects (
  project_id bigint not null,
  key text collate "C" not null check (char_length(key) between 1 and 200),
  -- Compressed already.
  bytes bytea storage external not null check (octet_length(bytes) between 1 and 20000000),
  created_at timestamptz not null default now(),
  primary key (project_id, key)
);
alter table objects enable row level security;
alter table objects force row level security;
create policy own_project on objects
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on objects to petstore_app;

-- The space that a project occupies, changed in the transaction of what it counts.
create table project_usage (
  project_id bigint primary key,
  photo_bytes bigint not null default 0 check (photo_bytes >= 0)
);
alter table project_usage enable row level security;
alter table project_usage force row level security;
create policy own_project on project_usage
  using (project_id = any ((select allowed_projects())::bigint[]));
-- What all projects occupy together, which is one figure and reveals none of them.
create policy summed on project_usage for select to petstore_owner using (true);
grant select, insert, update on project_usage to petstore_app;

create function sum_photo_bytes() returns bigint
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(sum(photo_bytes), 0)::bigint from project_usage;
  end;
revoke execute on function sum_photo_bytes() from public;
grant execute on function sum_photo_bytes() to petstore_app;
