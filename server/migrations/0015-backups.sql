-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- The last backup that was taken and verified: one row.
create table last_backup (
  one boolean primary key default true check (one),
  taken_at timestamptz not null,
  bytes bigint not null check (bytes > 0),
  recorded_at timestamptz not null default now()
);
grant select, insert, update on last_backup to petstore_app;
