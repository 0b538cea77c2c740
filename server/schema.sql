-- The schema after all migrations. Printed by "npm run schema"; reviewed like code, compared in CI.

create sequence category_ids maxvalue 9007199254740991;
grant usage on sequence category_ids to petstore_app;

create sequence order_ids maxvalue 9007199254740991;
grant usage on sequence order_ids to petstore_app;

create sequence pet_ids maxvalue 9007199254740991;
grant usage on sequence pet_ids to petstore_app;

create sequence project_ids maxvalue 9007199254740991;
grant usage on sequence project_ids to petstore_app;

create or replace function public.allowed_projects()
 returns bigint[]
 language sql
 stable parallel safe
return (nullif(current_setting('petstore.projects'::text, true), ''::text))::bigint[];
grant execute on function allowed_projects() to petstore_app;

create or replace function public.note_key_change()
 returns trigger
 language plpgsql
 set search_path to 'public', 'pg_temp'
as $function$
  begin
    insert into revocation_directory (digest) values (old.digest);
    return null;
  end
  $function$;
grant execute on function note_key_change() to public;

create or replace function public.sweep_idempotency(at_most integer)
 returns integer
 language sql
 security definer
 set search_path to 'public', 'pg_temp'
begin atomic
 with expired as (
          select idempotency.project_id,
             idempotency.key
            from idempotency
           where (idempotency.created_at < (now() - '24:00:00'::interval))
           order by idempotency.created_at
          limit sweep_idempotency.at_most
          for update of idempotency skip locked
         ), swept as (
          delete from idempotency
            using expired
           where ((idempotency.project_id = expired.project_id) and (idempotency.key = expired.key))
           returning 1 as "?column?"
         )
  select (count(*))::integer as count
    from swept;
end;
grant execute on function sweep_idempotency(integer) to petstore_app;

create table api_keys (
  project_id bigint not null,
  id text not null,
  label text not null,
  display_prefix text not null,
  last_four text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey primary key (project_id, id),
  constraint api_keys_digest_check check (octet_length(digest) = 32),
  constraint api_keys_id_check check (id ~ '^key_[0-9A-Za-z]{16,}$'::text),
  constraint api_keys_label_check check (char_length(label) >= 1 and char_length(label) <= 100),
  constraint api_keys_scopes_check check (cardinality(scopes) > 0 and scopes <@ array['pets:read'::text, 'pets:write'::text, 'orders:read'::text])
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy own_project on api_keys for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
create trigger key_changed after delete or update of expires_at, revoked_at, scopes, digest on api_keys for each row execute function note_key_change();
grant insert, select on table api_keys to petstore_app;
grant update (expires_at, revoked_at, last_used_at) on table api_keys to petstore_app;

create table categories (
  project_id bigint not null,
  id bigint default nextval('category_ids'::regclass) not null,
  name text not null,
  constraint categories_pkey primary key (project_id, id),
  constraint categories_name_check check (char_length(name) >= 1 and char_length(name) <= 255)
);
alter table categories enable row level security;
alter table categories force row level security;
create policy own_project on categories for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table categories to petstore_app;

create table idempotency (
  project_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  pet_id bigint not null,
  answer text not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_pkey primary key (project_id, key),
  constraint idempotency_fingerprint_check check (octet_length(fingerprint) = 32),
  constraint idempotency_key_check check (char_length(key) >= 1 and char_length(key) <= 255)
);
create index idempotency_by_age on idempotency using btree (created_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy expired on idempotency for all to petstore_owner
  using (created_at < (now() - '24:00:00'::interval));
create policy own_project on idempotency for all to petstore_app
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table idempotency to petstore_app;

create table key_directory (
  digest bytea not null,
  project_id bigint not null,
  key_id text not null,
  constraint key_directory_pkey primary key (digest),
  constraint key_directory_digest_check check (octet_length(digest) = 32)
);
grant insert, select on table key_directory to petstore_app;

create table orders (
  project_id bigint not null,
  id bigint default nextval('order_ids'::regclass) not null,
  pet_id bigint not null,
  status text not null,
  ship_date timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint orders_pkey primary key (project_id, id),
  constraint orders_id_check check (id >= 1 and id <= '9007199254740991'::bigint),
  constraint orders_status_check check (status = any (array['placed'::text, 'approved'::text, 'delivered'::text, 'declined'::text, 'expired'::text])),
  constraint orders_project_id_pet_id_fkey foreign key (project_id, pet_id) references pets(project_id, id)
);
alter table orders enable row level security;
alter table orders force row level security;
create policy own_project on orders for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table orders to petstore_app;

create table pets (
  project_id bigint not null,
  id bigint default nextval('pet_ids'::regclass) not null,
  category_id bigint not null,
  created_at timestamp with time zone default now() not null,
  status text not null,
  name text not null,
  constraint pets_pkey primary key (project_id, id),
  constraint pets_id_check check (id >= 1 and id <= '9007199254740991'::bigint),
  constraint pets_name_check check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint pets_status_check check (status = any (array['available'::text, 'pending'::text, 'sold'::text]))
);
create index pets_by_status on pets using btree (project_id, status, id);
alter table pets enable row level security;
alter table pets force row level security;
create policy own_project on pets for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table pets to petstore_app;

create table projects (
  project_id bigint default nextval('project_ids'::regclass) not null,
  slug text not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint projects_pkey primary key (project_id),
  constraint projects_name_check check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint projects_project_id_check check (project_id >= 1 and project_id <= '9007199254740991'::bigint)
);
alter table projects enable row level security;
alter table projects force row level security;
create policy own_project on projects for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table projects to petstore_app;

create table revocation_directory (
  id bigint generated always as identity not null,
  xact xid8 default pg_current_xact_id() not null,
  digest bytea not null,
  noted_at timestamp with time zone default now() not null,
  constraint revocation_directory_pkey primary key (id),
  constraint revocation_directory_digest_check check (octet_length(digest) = 32)
);
create index revocations_by_age on revocation_directory using btree (noted_at);
create index revocations_by_xact on revocation_directory using btree (xact);
grant delete, insert, select on table revocation_directory to petstore_app;

create table schema_migrations (
  name text not null,
  digest text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey primary key (name)
);
grant select on table schema_migrations to petstore_app;

create table slug_directory (
  slug text not null,
  project_id bigint not null,
  constraint slug_directory_pkey primary key (slug),
  constraint slug_directory_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text and slug ~ '[a-z]'::text)
);
grant insert, select on table slug_directory to petstore_app;

grant usage on schema public to public;
