-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Sites: the draft, its deployments, and which of them visitors see.

-- Files of a project, named by the SHA-256 of their bytes: the same bytes are one row, and a row never changes.
create table blobs (
  project_id bigint not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) between 1 and 524288),
  created_at timestamptz not null default now(),
  primary key (project_id, digest)
);
alter table blobs enable row level security;
alter table blobs force row level security;
create policy own_project on blobs
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on blobs referencing new table as added
  for each statement execute function count_stored_bytes('site', 'octet_length(bytes)');
create trigger stored_on_delete after delete on blobs referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'octet_length(bytes)');
grant select, insert, delete on blobs to petstore_app;

-- The draft of a project's site. Without settings it says what a new site says. A transaction that changes it, or copies
-- it, locks its row.
create table sites (
  project_id bigint primary key,
  version integer not null default 0 check (version >= 0),
  settings text,
  logo text,
  changed_at timestamptz not null default now(),
  foreign key (project_id, logo) references blobs (project_id, digest)
);
alter table sites enable row level security;
alter table sites force row level security;
create policy own_project on sites
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on sites referencing new table as added
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');
create trigger stored_on_update after update on sites referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');
create trigger stored_on_delete after delete on sites referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');
grant select, insert, update on sites to petstore_app;

-- The draft as it was: only the progress of a deployment may change.
create table deployments (
  project_id bigint not null,
  id text not null check (id ~ '^dep_[0-9a-f]{24}$'),
  number integer not null check (number >= 1),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  content text not null,
  logo text,
  state text not null default 'queued' check (state in ('queued', 'building', 'succeeded', 'failed')),
  reason text,
  created_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  unique (project_id, number),
  foreign key (project_id, logo) references blobs (project_id, digest),
  check ((finished_at is not null) = (state in ('succeeded', 'failed')))
);
alter table deployments enable row level security;
alter table deployments force row level security;
create policy own_project on deployments
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on deployments referencing new table as added
  for each statement execute function count_stored_bytes('site', 'octet_length(content)');
create trigger stored_on_delete after delete on deployments referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'octet_length(content)');
grant select, insert, delete on deployments to petstore_app;
grant update (state, reason, finished_at) on deployments to petstore_app;

-- Which deployment visitors see. `decided` is the highest number that was known when that was decided: an older deployment
-- that finishes late changes nothing.
create table published (
  project_id bigint primary key,
  deployment_id text not null,
  decided integer not null check (decided >= 1),
  at timestamptz not null default now(),
  foreign key (project_id, deployment_id) references deployments (project_id, id)
);
alter table published enable row level security;
alter table published force row level security;
create policy own_project on published
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on published to petstore_app;

-- What a site signs its forms with. Created by the first request for the site, and never shown.
create table site_secrets (
  project_id bigint primary key,
  secret bytea not null check (octet_length(secret) = 32)
);
alter table site_secrets enable row level security;
alter table site_secrets force row level security;
create policy own_project on site_secrets
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert on site_secrets to petstore_app;

-- Returns the logos of those that are gone.
create function limit_deployments(of_project bigint, most integer) returns setof text
  language sql set search_path = public, pg_temp
  begin atomic
    delete from deployments
    where project_id = of_project and finished_at is not null
      and number <= (select max(number) from deployments where project_id = of_project) - most
      and id not in (select deployment_id from published where project_id = of_project)
    returning logo;
  end;
