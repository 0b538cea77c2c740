-- phase: expand
-- oldest-release: 1.0
-- locks: api_keys share row exclusive

-- Directory: what became of secrets that running processes may hold in memory.
-- A process asks now and then for what was noted since it last asked, and forgets
-- it; so one small question confirms everything it holds, however much that is.
--
-- xact tells what was committed after an earlier snapshot without any lock:
-- every such transaction is at least as young as the oldest one that was still
-- running then (pg_snapshot_xmin).
create table revocation_directory (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  digest bytea not null check (octet_length(digest) = 32),
  noted_at timestamptz not null default now()
);
create index revocations_by_xact on revocation_directory (xact);
create index revocations_by_age on revocation_directory (noted_at);
grant select, insert, delete on revocation_directory to petstore_app;

-- Whoever changes a key, by whatever statement, notes it: none can forget to.
create function note_key_change() returns trigger
  language plpgsql set search_path = public, pg_temp
  as $$
  begin
    insert into revocation_directory (digest) values (old.digest);
    return null;
  end
  $$;

create trigger key_changed
  after update of expires_at, revoked_at, scopes, digest or delete on api_keys
  for each row execute function note_key_change();
