-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Foundation: tenancy, revoked secrets, timers and counters that all features share.
--
-- The program connects as petstore_app, which owns nothing here and cannot bypass row-level security. Every table of a
-- project has a primary key that begins with project_id, and the policy own_project. Tables named …_directory are global:
-- they say in which project to look, and hold no data of a project.

-- The projects that a transaction may touch: the setting `petstore.projects`, an array of ids. Unset, or reset to '' after
-- a transaction, it means none at all.
create function allowed_projects() returns bigint[]
  language sql stable parallel safe
  return nullif(current_setting('petstore.projects', true), '')::bigint[];
revoke execute on function allowed_projects() from public;
grant execute on function allowed_projects() to petstore_app;

-- Directory: digests of revoked or changed secrets that running processes may hold in memory. A process queries now and
-- then what was noted since its last query, and forgets it; so one small query confirms everything that it holds, however
-- much that is.
--
-- xact finds what was committed after an earlier snapshot without any lock: every such transaction is at least as young as
-- the oldest one that was still running then (pg_snapshot_xmin).
create table revocation_directory (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  digest bytea not null check (octet_length(digest) = 32),
  noted_at timestamptz not null default now()
);
create index revocations_by_xact on revocation_directory (xact);
create index revocations_by_age on revocation_directory (noted_at);
grant select, insert, delete on revocation_directory to petstore_app;

-- A trigger of every table with secrets, so that no statement can forget to note a change. The row is what processes read.
-- The program notifies them after its commit: commits that notify wait for each other.
create function note_revocation() returns trigger
  language plpgsql set search_path = public, pg_temp
  as $$
  begin
    insert into revocation_directory (digest) values (old.digest);
    return null;
  end
  $$;

-- Directory: what is due when. A row is a timer: a worker claims it for a while, does the work, and deletes it or sets it
-- to a later time. `fence` rises with each claim, so that a worker that was away for too long finds that its claim is over.
create table due_directory (
  kind text not null check (kind ~ '^[a-z_]+$'),
  project_id bigint not null,
  id text not null,
  due_at timestamptz not null,
  claimed_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  primary key (kind, project_id, id)
);
-- Each kind of work is claimed separately, oldest first. With the kind in front, a backlog of one kind costs the others
-- nothing, and a claim reads only what it takes.
create index due_by_kind on due_directory (kind, due_at);
grant select, insert, update, delete on due_directory to petstore_app;

-- How often something was done in a period that begins with the first time, by the HMAC of who did it. What is counted
-- before it is known to have failed is subtracted when it succeeds. A crash of PostgreSQL empties it: the periods begin
-- again.
create unlogged table rate_directory (
  kind text not null check (kind ~ '^[a-z_]{1,30}$'),
  key bytea not null check (octet_length(key) = 32),
  ends_at timestamptz not null,
  count integer not null check (count >= 0),
  primary key (kind, key)
);
create index rate_directory_by_end on rate_directory (ends_at);
grant select, insert, update, delete on rate_directory to petstore_app;
