-- phase: expand
-- oldest-release: 1.0
-- locks: imports access exclusive

-- An import that is reviewed: its file is read into rows, its columns are mapped, its values matched and its rows judged
-- before anything is written; afterwards it can be undone for a week.
alter table imports
  drop constraint imports_state_check,
  add constraint imports_state_check check (state in ('uploading', 'queued', 'reading', 'mapping', 'judging', 'reviewing',
    'running', 'succeeded', 'failed', 'undoing', 'undone', 'discarded')),
  add column is_reviewed boolean not null default false,
  add column file_name text check (char_length(file_name) <= 255),
  add column changed bigint not null default 0,
  -- When a member last did something: what is not applied is given up a week later.
  add column touched_at timestamptz not null default now(),
  -- The sheet that was asked for; null for the first.
  add column sheet text check (char_length(sheet) <= 255),
  -- What was read: format, columns and samples. Then how it is understood, which values were matched by hand, all
  -- values with their matches, and how many rows there are of each outcome.
  add column contents jsonb,
  add column reading jsonb,
  add column decisions jsonb not null default '[]',
  add column matches jsonb not null default '[]',
  add column counts jsonb,
  -- Categories that it added, which an undo removes unless animals use them.
  add column made_categories bigint[] not null default '{}',
  -- Animals that an undo left as they are: the first of them, and their number.
  add column kept jsonb not null default '[]',
  add column kept_count bigint not null default 0;

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
grant select, insert, update, delete on import_rows to petstore_app;
