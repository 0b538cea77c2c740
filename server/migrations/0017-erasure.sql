-- phase: expand
-- oldest-release: 1.0
-- locks: idempotency access exclusive
-- locks: slug_directory access exclusive

-- Erasure of a project, and its opposite: a legal hold, which stops erasure and everything that removes rows for their age or
-- number. Both are states of the slug, which outlives its project. `erasing_at`: since when nothing is written that is kept.
alter table slug_directory
  add column held_at timestamptz,
  add column erasing_at timestamptz;
create index slugs_held on slug_directory (project_id) where held_at is not null;
grant update (held_at, erasing_at) on slug_directory to petstore_app;
create trigger slug_held after update of held_at on slug_directory for each row
  execute function note_tombstone('hold', 'slug', 'held_at');
create trigger slug_erased after update of erasing_at on slug_directory for each row
  when (new.erasing_at is not null and old.erasing_at is null) execute function note_tombstone('erasure', 'slug');

create function is_held(of_project bigint) returns boolean
language sql stable set search_path = public, pg_temp
  return exists (select from slug_directory where slug_directory.project_id = of_project and held_at is not null);

-- Every table with rows of projects, in the order in which they are erased: those that refer to others first, and those that
-- triggers write to last. What is not listed stays: the slug, who held a hostname and when, and tombstones.
create function erased_tables() returns text[]
language sql immutable set search_path = public, pg_temp
  return array[
    'order_notes', 'request_confirmations', 'orders', 'photos', 'pet_words', 'pet_profiles', 'pets', 'categories', 'import_rows',
    'import_parts', 'imports', 'published', 'deployments', 'sites', 'blobs', 'objects', 'idempotency', 'invitation_directory',
    'invited_directory', 'invitations', 'member_directory', 'members', 'notification_settings', 'plan_requests', 'key_directory',
    'api_keys', 'request_settings', 'site_secrets', 'share_directory', 'mail_directory', 'address_announcements', 'mailed_domains',
    'domain_mails', 'redirects', 'domain_settings', 'domain_looks', 'domain_events', 'domains', 'due_directory', 'stored_usage',
    'row_counts', 'project_usage', 'audit', 'projects'
  ];

-- Its other policy shows the owner only those that have expired.
create policy erased on idempotency to petstore_owner
  using (project_id = any ((select allowed_projects())::bigint[]));

-- Deletes rows of a project that is being erased, at least one and of one table, and counts them in the audit event of the
-- erasure; returns how many, and 0 once none is left. A project that was deleted so many days ago is erased from then on. Null:
-- it is not erased, because it exists, was deleted later than that, or is held; or not yet, because requests that were under way
-- may still write, a domain holds its name, or the files of its photos are being removed. These have timers of their own.
-- A function of the owner's, because the program may not delete open requests, members' rights or recent events otherwise.
-- Row-level security binds the owner too: nothing of another project can be deleted.
-- What stays of what is listed: the audit event, and the timer of whoever calls this.
create or replace function erase_deleted_project(of_project bigint, days integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    name text;
    condition text;
    removed integer;
  begin
    if not of_project = any ((select allowed_projects())::bigint[]) or is_held(of_project) then
      return null;
    end if;
    update slug_directory set erasing_at = deleted_at from projects
    where slug_directory.project_id = of_project and erasing_at is null
      and projects.project_id = of_project and deleted_at < now() - make_interval(days => greatest(days, 1));
    if found then
      insert into audit (project_id, actor, action, subject)
      select of_project, 'petstore', 'project_erased', slug from projects where project_id = of_project;
    end if;
    perform from slug_directory where project_id = of_project and erasing_at is not null;
    if not found then
      return null;
    end if;
    if exists (
        select from projects
        where project_id = of_project and (deleted_at is null or deleted_at > now() - interval '1 minute')
      )
      or exists (select from domains where domains.project_id = of_project and removed_at is null)
      or exists (select from due_directory where kind = 'photo_sweep' and project_id = of_project)
    then
      return null;
    end if;
    foreach name in array erased_tables() loop
      -- By their indexes, which do not begin with the project.
      condition := case name
        when 'key_directory' then 'digest = any (array(select digest from api_keys where project_id = $1))'
        when 'member_directory' then 'account_id = any (array(select account_id from members where project_id = $1))'
        when 'due_directory' then 'kind <> ''project_upkeep'' and kind = any (array(
          with recursive kinds as (
            select min(kind) as kind from due_directory
            union all
            select (select min(kind) from due_directory where kind > kinds.kind) from kinds where kinds.kind is not null
          )
          select kind from kinds where kind is not null
        ))'
        when 'audit' then 'action <> ''project_erased'''
        else 'true' end;
      execute format(
        'delete from %1$I where ctid = any (array(select ctid from %1$I where project_id = $1 and %2$s limit $2))',
        name, condition
      ) using of_project, at_most;
      get diagnostics removed = row_count;
      if removed > 0 then
        update audit
        set detail = jsonb_set(
          detail || jsonb_build_object('rows', coalesce(detail -> 'rows', '{}')), array['rows', name],
          to_jsonb(coalesce((detail #>> array['rows', name])::bigint, 0) + removed)
        )
        where project_id = of_project and action = 'project_erased';
        return removed;
      end if;
    end loop;
    return 0;
  end
  $$;

-- As before, and nothing of a project that is held.
create or replace function sweep_idempotency(at_most integer) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    with expired as (
      select project_id, key from idempotency
      where created_at < now() - interval '24 hours'
        and project_id not in (select held.project_id from slug_directory as held where held_at is not null)
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
create or replace function limit_deployments(of_project bigint, most integer) returns setof text
  language sql set search_path = public, pg_temp
  begin atomic
    delete from deployments
    where project_id = of_project and finished_at is not null and not is_held(of_project)
      and number <= (select max(number) from deployments where project_id = of_project) - most
      and id not in (select deployment_id from published where project_id = of_project)
    returning logo;
  end;
create or replace function limit_domain_events(of_project bigint, of_domain text, most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    delete from domain_events
    where project_id = of_project and domain_id = of_domain and not is_held(of_project) and number <= (
      select max(number) from domain_events where project_id = of_project and domain_id = of_domain
    ) - most;
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- In the detail of an audit event: who on the command line did it, and why.
create function named_operator() returns jsonb
language sql stable set search_path = public, pg_temp
  return coalesce(nullif(current_setting('petstore.operator', true), ''), '{}')::jsonb;
