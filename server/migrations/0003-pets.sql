-- phase: expand
-- oldest-release: 1.0
-- locks: none

create sequence pet_ids as bigint maxvalue 9007199254740991;
create sequence category_ids as bigint maxvalue 9007199254740991;
grant usage on sequence pet_ids, category_ids to petstore_app;

create table categories (
  project_id bigint not null,
  id bigint not null default nextval('category_ids'),
  name text not null check (char_length(name) between 1 and 255),
  primary key (project_id, id)
);

alter table categories enable row level security;
alter table categories force row level security;
create policy own_project on categories
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on categories to petstore_app;

-- No foreign key to categories: any int64 is a category, since `/v1` gives its
-- callers no way to learn which ones there are.
create table pets (
  project_id bigint not null,
  id bigint not null default nextval('pet_ids') check (id between 1 and 9007199254740991),
  category_id bigint not null,
  created_at timestamptz not null default now(),
  status text not null check (status in ('available', 'pending', 'sold')),
  name text not null check (char_length(name) between 1 and 255),
  primary key (project_id, id)
);

-- A list is one range scan: the primary key serves the list without a filter,
-- this index the one with it. Both are read backwards, newest first.
create index pets_by_status on pets (project_id, status, id);

alter table pets enable row level security;
alter table pets force row level security;
create policy own_project on pets
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on pets to petstore_app;
