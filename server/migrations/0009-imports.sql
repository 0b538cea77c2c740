-- phase: expand
-- oldest-release: 1.0
-- locks: pets access exclusive

-- Animals as people look for them: by name, by category, and imported as a table.

-- A name as it is compared: in lower case, by a collation that every database has and that never changes. Stored,
-- because under row level security an index on an expression could not be searched.
alter table pets add column name_key text collate "pg_c_utf8" not null
  generated always as (lower(name collate "pg_c_utf8")) stored;

-- With the status in front of the name these serve the lists with and without a status: without, three ranges are merged.
create index pets_by_name on pets (project_id, status, name_key, id);
create index pets_by_category on pets (project_id, category_id, status, name_key, id);

-- A table of animals on its way in. `lines`, `bad` and `bad_lines` are written while it runs; `added` counts only once
-- all of it is committed.
create table imports (
  project_id bigint not null,
  id text not null check (id ~ '^imp_[0-9a-f]{24}$'),
  state text not null default 'uploading' check (state in ('uploading', 'queued', 'running', 'succeeded', 'failed')),
  on_bad_line text not null check (on_bad_line in ('refuse', 'skip')),
  parts integer check (parts between 1 and 100000),
  lines bigint not null default 0,
  added bigint not null default 0,
  bad bigint not null default 0,
  bad_lines jsonb not null default '[]',
  reason text,
  created_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id)
);
create index imports_by_time on imports (project_id, created_at, id);
alter table imports enable row level security;
alter table imports force row level security;
create policy own_project on imports
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on imports to petstore_app;

create table import_parts (
  project_id bigint not null,
  import_id text not null,
  number integer not null check (number between 1 and 100000),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  primary key (project_id, import_id, number),
  foreign key (project_id, import_id) references imports (project_id, id)
);
-- Read once and thrown away: compressing it would cost more than it saves.
alter table import_parts alter column bytes set storage external;
alter table import_parts enable row level security;
alter table import_parts force row level security;
create policy own_project on import_parts
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on import_parts to petstore_app;
