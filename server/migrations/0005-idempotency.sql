-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- The answer to a POST with an Idempotency-Key, written in the transaction of
-- the animal it speaks of: a crash leaves both or neither. The scope is the
-- project and not the API key, so a retry survives the rotation of the key.
create table idempotency (
  project_id bigint not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  pet_id bigint not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, key)
);

create index idempotency_by_age on idempotency (created_at);

alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy own_project on idempotency to petstore_app
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on idempotency to petstore_app;

-- Sweeping crosses projects, so it is a function of the owner's, and row level
-- security, which binds the owner too, shows it expired rows and no others.
create policy expired on idempotency to petstore_owner
  using (created_at < now() - interval '24 hours');

create function sweep_idempotency(at_most integer) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    with expired as (
      select project_id, key from idempotency
      where created_at < now() - interval '24 hours'
      order by created_at
      limit at_most
      for update skip locked
    ), swept as (
      delete from idempotency using expired
      where idempotency.project_id = expired.project_id and idempotency.key = expired.key
      returning 1
    )
    select count(*)::integer from swept;
  end;

revoke execute on function sweep_idempotency(integer) from public;
grant execute on function sweep_idempotency(integer) to petstore_app;
