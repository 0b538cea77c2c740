-- phase: expand
-- oldest-release: 1.0
-- locks: access_tokens share row exclusive
-- locks: accounts share row exclusive
-- locks: api_keys share row exclusive
-- locks: domains share row exclusive
-- locks: edge_directory share row exclusive
-- locks: members share row exclusive
-- locks: orders share row exclusive
-- locks: projects share row exclusive
-- locks: sessions share row exclusive
-- locks: slug_directory share row exclusive

-- Backups, and what a restore must not revive.

-- The last backup that was taken and verified: one row.
create table last_backup (
  one boolean primary key default true check (one),
  taken_at timestamptz not null,
  bytes bigint not null check (bytes > 0)
);
grant select, insert, update on last_backup to petstore_app;

-- What has ended, until `work` has written it to TOMBSTONES_DIRECTORY: ids, and no personal data. A restore of a
-- backup replays it; without that, revoked keys and erased people would be back.
create table tombstone_directory (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null check (kind ~ '^[a-z]+$'),
  -- Null where there is none, as for an account.
  project_id bigint,
  subject text not null check (char_length(subject) <= 100),
  -- When it ends, if later; of a slug, since when it is suspended, and null when it no longer is.
  ends_at timestamptz
);
create index tombstones_by_age on tombstone_directory (at);
grant select, insert, delete on tombstone_directory to petstore_app;

-- Arguments: the kind, the column of the subject, and columns of which the first time counts.
create function note_tombstone() returns trigger
language plpgsql set search_path = public, pg_temp as $$
  declare
    ended constant jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  begin
    insert into tombstone_directory (kind, project_id, subject, ends_at)
    values (
      tg_argv[0], (ended ->> 'project_id')::bigint, ended ->> tg_argv[1],
      least((ended ->> tg_argv[2])::timestamptz, (ended ->> tg_argv[3])::timestamptz)
    );
    return null;
  end
  $$;

create trigger key_ended after update of revoked_at, expires_at on api_keys for each row
  when (
    coalesce(new.revoked_at, new.expires_at) is not null
    and (new.revoked_at is distinct from old.revoked_at or new.expires_at is distinct from old.expires_at)
  )
  execute function note_tombstone('key', 'id', 'revoked_at', 'expires_at');
create trigger session_over after delete on sessions for each row
  when (old.expires_at > now() and old.idle_until > now()) execute function note_tombstone('session', 'id');
create trigger token_over after delete on access_tokens for each row execute function note_tombstone('token', 'id');
create trigger domain_removed after update of removed_at on domains for each row
  when (new.removed_at is not null and old.removed_at is null) execute function note_tombstone('domain', 'id');
create trigger slug_suspended after update of suspended_at on slug_directory for each row
  execute function note_tombstone('suspension', 'slug', 'suspended_at');
create trigger project_deleted after update of deleted_at on projects for each row
  when (new.deleted_at is not null and old.deleted_at is null) execute function note_tombstone('project', 'slug');
create trigger visitor_erased after update of erased_at on orders for each row
  when (new.erased_at is not null and old.erased_at is null) execute function note_tombstone('visitor', 'id');
create trigger account_erased after delete on accounts for each row execute function note_tombstone('account', 'id');
create trigger member_removed after delete on members for each row execute function note_tombstone('member', 'account_id');
create trigger edge_revoked after update of revoked_at on edge_directory for each row
  when (new.revoked_at is not null and old.revoked_at is null) execute function note_tombstone('edge', 'id');

-- What the caller would dump: rows by table, of all but unlogged tables; and the tables of which it does not see every row.
create function describe_for_backup() returns jsonb
language plpgsql stable set search_path = public, pg_temp as $$
  declare
    counted jsonb := '{}';
    hidden text[] := '{}';
    is_filtered boolean := false;
    one record;
    row_count bigint;
  begin
    for one in
      select relname, row_security_active(oid) as is_filtered,
        exists (
          select from pg_policy
          where polrelid = pg_class.oid and polcmd in ('r', '*') and polpermissive
            and (select oid from pg_roles where rolname = current_user) = any (polroles) and pg_get_expr(polqual, polrelid) = 'true'
        ) and not exists (
          select from pg_policy where polrelid = pg_class.oid and polcmd in ('r', '*') and not polpermissive
        ) as is_open
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
      order by relname
    loop
      if one.is_filtered and not one.is_open then
        hidden := hidden || one.relname::text;
        continue;
      end if;
      is_filtered := is_filtered or one.is_filtered;
      execute format('select count(*) from %I', one.relname) into row_count;
      counted := counted || jsonb_build_object(one.relname, row_count);
    end loop;
    return jsonb_build_object(
      'takenAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'rows', counted, 'hidden', hidden, 'seesByPolicy', is_filtered,
      'server', current_setting('server_version_num')::integer / 10000,
      'migrations', array(select name from schema_migrations order by name)
    );
  end
  $$;

-- Where no administrator may let the role for backups read everything, the owner lets it read each table: by a grant, and by
-- a policy that shows every row.
create function let_backups_read() returns void
language plpgsql set search_path = public, pg_temp as $$
  declare
    hidden text;
  begin
    if not exists (
      select from pg_roles
      where rolname = 'petstore_backup' and not (rolbypassrls and pg_has_role(oid, 'pg_read_all_data', 'usage'))
    ) then
      return;
    end if;
    grant select on all tables in schema public to petstore_backup;
    grant select on all sequences in schema public to petstore_backup;
    for hidden in
      select relname from pg_class
      where relnamespace = 'public'::regnamespace and relrowsecurity
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'backup')
    loop
      execute format('create policy backup on %I for select to petstore_backup using (true)', hidden);
    end loop;
  end
  $$;
revoke execute on function let_backups_read() from public;

-- What needs no more than a statement; the rest is replayed by the features. As the owner, who sees every project then.
create function replay_tombstones(tombstones jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
  begin
    create temporary table replayed on commit drop as
      select at, kind, project as project_id, subject, "endsAt" as ends_at
      from jsonb_to_recordset(tombstones)
        as one (at timestamptz, kind text, project bigint, subject text, "endsAt" timestamptz);
    update api_keys set revoked_at = least(revoked_at, ended.at)
    from (select project_id, subject, min(ends_at) as at from replayed where kind = 'key' group by 1, 2) as ended
    where api_keys.project_id = ended.project_id and id = subject and ended.at <= now();
    update api_keys set expires_at = least(expires_at, ended.at)
    from (select project_id, subject, min(ends_at) as at from replayed where kind = 'key' group by 1, 2) as ended
    where api_keys.project_id = ended.project_id and id = subject and ended.at > now();
    delete from sessions using replayed where kind = 'session' and id = subject;
    delete from access_tokens using replayed where kind = 'token' and id = subject;
    update edge_directory set revoked_at = now() from replayed
    where kind = 'edge' and edge_directory.id = subject and revoked_at is null;
    -- A person who was removed may have been added again before the backup.
    with removed as (
      delete from members using replayed
      where kind = 'member' and members.project_id = replayed.project_id and account_id = subject and added_at <= at
      returning members.project_id, account_id
    )
    delete from member_directory using removed
    where member_directory.project_id = removed.project_id and member_directory.account_id = removed.account_id;
  end
  $$;
revoke execute on function replay_tombstones(jsonb) from public;

-- The first step of a restore: refuses a database that is used, closes it to the program, and empties it.
create function prepare_restore() returns void
language plpgsql set search_path = public, pg_temp as $$
  declare
    connected constant text := (
      select string_agg(distinct application_name, '; ') from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'petstore/%'
    );
  begin
    if exists (select from accounts) or exists (select from slug_directory) then
      raise exception 'This database has projects or accounts. Restore into an empty one, as petstore setup creates it.';
    end if;
    if connected is not null then
      raise exception 'These processes are connected, stop them first: %.', connected;
    end if;
    -- It also takes the rights of the owner to the database.
    drop owned by current_user cascade;
    execute format('grant all on database %I to current_user', current_database());
    execute format('grant connect on database %I to petstore_backup', current_database());
    execute format('revoke connect on database %I from public, petstore_app', current_database());
  end
  $$;
revoke execute on function prepare_restore() from public;

-- Rows of every project, for the rest of the transaction.
create function see_all_projects() returns void
language sql set search_path = public, pg_temp as $$
  select set_config('petstore.projects', coalesce(array_agg(project_id), '{}')::text, true) from slug_directory
  $$;
revoke execute on function see_all_projects() from public;

-- The last step: nothing that is under way elsewhere counts any more, edges begin again, ids that were given out since the
-- backup are not given out a second time, and no mail is sent twice. Then the program may connect.
create function finish_restore(backup_taken_at timestamptz, backup_bytes bigint, ends_sessions boolean) returns void
language plpgsql set search_path = public, pg_temp as $$
  declare
    far constant bigint := 1000000;
    sequence text;
  begin
    update due_directory set claimed_until = null, fence = fence + far;
    update route_clock set seq = seq + far, forgotten = seq + far;
    update mail_directory set state = 'dropped', outcome = 'restored', ended_at = now() where state = 'queued';
    foreach sequence in array array['project_ids', 'pet_ids', 'order_ids', 'category_ids', 'audit_ids', 'account_audit_ids']
    loop
      perform setval(sequence::regclass, nextval(sequence::regclass) + far);
    end loop;
    if ends_sessions then
      delete from sessions;
      delete from access_tokens;
    end if;
    insert into audit (project_id, actor, action, subject, detail)
    select project_id, 'operator', 'project_restored', slug, jsonb_build_object('takenAt', backup_taken_at)
    from projects where deleted_at is null;
    -- No process has cached anything, and what was replayed is in the files already.
    delete from revocation_directory;
    delete from tombstone_directory;
    insert into last_backup (taken_at, bytes) values (backup_taken_at, backup_bytes)
    on conflict (one) do update set taken_at = excluded.taken_at, bytes = excluded.bytes;
    execute format('grant connect on database %I to petstore_app', current_database());
  end
  $$;
revoke execute on function finish_restore(timestamptz, bigint, boolean) from public;

-- The oldest ones, which are deleted with it, while no other process takes any.
create function take_tombstones(at_most integer) returns setof jsonb
language sql set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(7243392848);
  with oldest as (
    select id from tombstone_directory order by id limit at_most
  ), taken as (
    delete from tombstone_directory using oldest where tombstone_directory.id = oldest.id
    returning tombstone_directory.*
  )
  select jsonb_build_object(
    'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'kind', kind, 'subject', subject,
    'project', project_id::text, 'endsAt', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
  from taken order by id;
  $$;
