-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Files of a project, named by the SHA-256 of their bytes: the same bytes are one
-- row, and a row never changes.
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
grant select, insert, delete on blobs to petstore_app;

-- The draft of a project's site. Without settings it says what a new site says.
-- Whoever changes it, or takes a copy of it, holds its row.
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
grant select, insert, update on sites to petstore_app;

-- The draft as it was, kept for ever: only how far its making has come may change.
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
grant select, insert on deployments to petstore_app;
grant update (state, reason, finished_at) on deployments to petstore_app;

-- Which deployment visitors see. `decided` is the highest number that was known
-- when that was decided: an older deployment that finishes late changes nothing.
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
