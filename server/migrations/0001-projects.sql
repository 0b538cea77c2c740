-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Projects are the tenants of everything. The program connects as petstore_app,
-- which owns nothing here and cannot bypass row level security.
--
-- Which projects a transaction may touch is said by the setting
-- `petstore.projects`, an array of ids. Unset, or reset to '' after a
-- transaction, it means none at all.
create function allowed_projects() returns bigint[]
  language sql stable parallel safe
  return nullif(current_setting('petstore.projects', true), '')::bigint[];

revoke execute on function allowed_projects() from public;
grant execute on function allowed_projects() to petstore_app;

-- Ids travel as JSON numbers, so none is assigned that a JavaScript client would
-- round. With several databases the sequences are strided.
create sequence project_ids as bigint maxvalue 9007199254740991;
grant usage on sequence project_ids to petstore_app;

create table projects (
  project_id bigint primary key default nextval('project_ids') check (project_id between 1 and 9007199254740991),
  slug text not null,
  name text not null check (char_length(name) between 1 and 255),
  created_at timestamptz not null default now()
);

alter table projects enable row level security;
alter table projects force row level security;
create policy own_project on projects
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on projects to petstore_app;

-- Directory: slug -> project. Global, small, and the one place where a slug is
-- unique. A row stays for ever, so that a slug is never handed out again.
create table slug_directory (
  slug text primary key check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' and slug ~ '[a-z]'),
  project_id bigint not null
);
grant select, insert on slug_directory to petstore_app;
