-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Imports of animals from files: at once, or reviewed before anything is written.

-- `lines`, `bad` and `bad_lines` are written while it runs; `added` counts only once all of it is committed. The file of a
-- reviewed import is read into rows, its columns are mapped, its values matched and its rows judged before anything is
-- written; afterwards it can be undone for a week.
create table imports (
  project_id bigint not null,
  id text not null check (id ~ '^imp_[0-9a-f]{24}$'),
  state text not null default 'uploading' check (state in ('uploading', 'queued', 'reading', 'mapping', 'judging',
    'reviewing', 'running', 'succeeded', 'failed', 'undoing', 'undone', 'discarded')),
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
  is_reviewed boolean not null default false,
  file_name text check (char_length(file_name) <= 255),
  changed bigint not null default 0,
  -- When a member last did something: what is not applied is given up a week later.
  touched_at timestamptz not null default now(),
  -- The sheet that was requested; null for the first.
  sheet text check (char_length(sheet) <= 255),
  -- What was read: format, columns and samples. Then how it is understood, which values were matched by hand, all
  -- values with their matches, and how many rows there are of each outcome.
  contents jsonb,
  reading jsonb,
  decisions jsonb not null default '[]',
  matches jsonb not null default '[]',
  counts jsonb,
  -- Categories that it added, which an undo removes unless animals use them.
  made_categories bigint[] not null default '{}',
  -- Animals that an undo left as they are: the first of them, and their number.
  kept jsonb not null default '[]',
  kept_count bigint not null default 0,
  -- How often each host took too long to send a photo that the file names: a few times, and the import gives it up.
  late_hosts jsonb not null default '{}',
  primary key (project_id, id)
);
create index imports_by_time on imports (project_id, created_at, id);
alter table imports enable row level security;
alter table imports force row level security;
create policy own_project on imports
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on imports to petstore_app;

-- The file, as it was uploaded.
create table import_parts (
  project_id bigint not null,
  import_id text not null,
  number integer not null check (number between 1 and 100000),
  -- Read once and deleted: compressing it would cost more than it saves.
  bytes bytea storage external not null check (octet_length(bytes) between 1 and 1048576),
  primary key (project_id, import_id, number),
  foreign key (project_id, import_id) references imports (project_id, id)
);
alter table import_parts enable row level security;
alter table import_parts force row level security;
create policy own_project on import_parts
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on import_parts referencing new table as added
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');
create trigger stored_on_update after update on import_parts referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');
create trigger stored_on_delete after delete on import_parts referencing old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');
grant select, insert, update, delete on import_parts to petstore_app;

-- The rows of a reviewed import, as they were judged; once it is applied, the animal of each and its values before and
-- after. Deleted a week after the last step.
create table import_rows (
  project_id bigint not null,
  import_id text not null,
  row integer not null check (row >= 1),
  cells jsonb not null,
  outcome text check (outcome in ('create', 'update', 'unchanged', 'problem', 'skip')),
  pet_id bigint,
  problems jsonb not null default '[]',
  changes jsonb not null default '[]',
  photos jsonb not null default '[]',
  -- Whether an address among `photos` has not been fetched yet.
  is_fetching boolean not null default false,
  before jsonb,
  after jsonb,
  primary key (project_id, import_id, row),
  foreign key (project_id, import_id) references imports (project_id, id)
);
create index import_rows_by_outcome on import_rows (project_id, import_id, outcome, row);
create index import_rows_fetching on import_rows (project_id, import_id, row) where is_fetching;
alter table import_rows enable row level security;
alter table import_rows force row level security;
create policy own_project on import_rows
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on import_rows referencing new table as added
  for each statement execute function count_stored_bytes('imports', 'octet_length(cells::text)');
create trigger stored_on_delete after delete on import_rows referencing old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(cells::text)');
create trigger stored_on_update after update of cells on import_rows for each row
  when (old.cells is distinct from new.cells) execute function count_changed_cells();
grant select, insert, update, delete on import_rows to petstore_app;

-- None that can still be undone.
create function limit_imports(of_project bigint, most integer, at_most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    delete from imports
    where project_id = of_project and finished_at < now() - interval '8 days' and id in (
      select id
      from imports
      where project_id = of_project and finished_at is not null
      order by created_at desc, id desc
      offset most
      limit at_most
    )
      and not exists (select from import_rows where project_id = of_project and import_id = imports.id)
      and not exists (select from import_parts where project_id = of_project and import_id = imports.id);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;
