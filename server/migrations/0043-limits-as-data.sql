-- phase: expand
-- oldest-release: 1.0
-- locks: accounts access exclusive
-- locks: api_keys access exclusive
-- locks: audit access exclusive
-- locks: blobs share row exclusive
-- locks: deployments share row exclusive
-- locks: import_parts share row exclusive
-- locks: import_rows share row exclusive
-- locks: order_notes share row exclusive
-- locks: orders access exclusive
-- locks: passkey_challenges access exclusive
-- locks: pet_profiles share row exclusive
-- locks: sites share row exclusive

-- Bytes that a project stores besides its photos, by kind: imports, site, texts, notes. A row for each kind, so that a long
-- import holds up no request and no publication. Changed by triggers in the transaction of what they count.
create table stored_usage (
  project_id bigint not null,
  kind text not null check (kind in ('imports', 'site', 'texts', 'notes')),
  bytes bigint not null check (bytes >= 0),
  primary key (project_id, kind)
);
alter table stored_usage enable row level security;
alter table stored_usage force row level security;
create policy own_project on stored_usage
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on stored_usage to petstore_app;

-- Arguments of a trigger: the kind, and the bytes of a row.
create function count_stored_bytes() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  declare
    changes constant text := case tg_op
      when 'INSERT' then 'select project_id, %1$s as bytes from added'
      when 'DELETE' then 'select project_id, -(%1$s) as bytes from removed'
      else 'select project_id, %1$s as bytes from added union all select project_id, -(%1$s) as bytes from removed' end;
    change record;
  begin
    for change in execute format(
      'select project_id, sum(bytes)::bigint as bytes from (' || changes || ') as changed group by project_id order by project_id',
      tg_argv[1]
    ) loop
      if change.bytes <> 0 then
        insert into stored_usage as known (project_id, kind, bytes)
        values (change.project_id, tg_argv[0], greatest(change.bytes, 0))
        on conflict (project_id, kind) do update
        set bytes = greatest(known.bytes + change.bytes, 0);
      end if;
    end loop;
    return null;
  end
  $$;

-- The same for one row whose text was changed, where most updates change other columns.
create function count_changed_cells() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    update stored_usage
    set bytes = greatest(bytes + octet_length(new.cells::text) - octet_length(old.cells::text), 0)
    where project_id = new.project_id and kind = 'imports';
    return null;
  end
  $$;

create trigger stored_on_insert after insert on import_parts referencing new table as added
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');
create trigger stored_on_update after update on import_parts referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');
create trigger stored_on_delete after delete on import_parts referencing old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(bytes)');

create trigger stored_on_insert after insert on import_rows referencing new table as added
  for each statement execute function count_stored_bytes('imports', 'octet_length(cells::text)');
create trigger stored_on_delete after delete on import_rows referencing old table as removed
  for each statement execute function count_stored_bytes('imports', 'octet_length(cells::text)');
create trigger stored_on_update after update of cells on import_rows for each row
  when (old.cells is distinct from new.cells) execute function count_changed_cells();

create trigger stored_on_insert after insert on blobs referencing new table as added
  for each statement execute function count_stored_bytes('site', 'octet_length(bytes)');
create trigger stored_on_delete after delete on blobs referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'octet_length(bytes)');

create trigger stored_on_insert after insert on deployments referencing new table as added
  for each statement execute function count_stored_bytes('site', 'octet_length(content)');
create trigger stored_on_delete after delete on deployments referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'octet_length(content)');

create trigger stored_on_insert after insert on sites referencing new table as added
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');
create trigger stored_on_update after update on sites referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');
create trigger stored_on_delete after delete on sites referencing old table as removed
  for each statement execute function count_stored_bytes('site', 'coalesce(octet_length(settings), 0)');

create trigger stored_on_insert after insert on pet_profiles referencing new table as added
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');
create trigger stored_on_update after update on pet_profiles referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');
create trigger stored_on_delete after delete on pet_profiles referencing old table as removed
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');

create trigger stored_on_insert after insert on order_notes referencing new table as added
  for each statement execute function count_stored_bytes('notes', 'octet_length(text)');
create trigger stored_on_delete after delete on order_notes referencing old table as removed
  for each statement execute function count_stored_bytes('notes', 'octet_length(text)');

-- Projects that an account has ever created: their slugs are never used again.
alter table accounts add column projects_created integer not null default 0 check (projects_created >= 0);

-- Who asked for a challenge: the oldest of an address group makes room.
alter table passkey_challenges add column address_group text not null default '' check (char_length(address_group) <= 60);
create index passkey_challenges_by_group on passkey_challenges (address_group, expires_at);

-- Removed once they are old, or once there are too many. Of audit events, never those of the last day: what happened must
-- not be hidden by what happens next.
grant delete on audit, api_keys, key_directory, domain_events, deployments, imports, orders to petstore_app;
create policy old_events on audit as restrictive for delete to petstore_app
  using (at < now() - interval '1 day');
create policy ended_keys on api_keys as restrictive for delete to petstore_app
  using (revoked_at is not null or expires_at < now());
create policy old_requests on orders as restrictive for delete to petstore_app
  using (decided_at < now() - interval '90 days');

-- What keeps each of them within its limit. They run with the rights of the caller, for one project that it may see, and
-- return how many rows they removed, so that the caller repeats what is bounded.
create function limit_audit(of_project bigint, days integer, most bigint, at_most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    last_beyond bigint;
    removed integer;
  begin
    select id into last_beyond from audit where project_id = of_project order by id desc offset most limit 1;
    delete from audit
    where project_id = of_project
      and (at < now() - make_interval(days => days) or id <= coalesce(last_beyond, 0))
      and id in (select id from audit where project_id = of_project order by id limit at_most);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

create function limit_ended_keys(of_project bigint, days integer, most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    with ended as (
      select id, least(revoked_at, expires_at) as ended_at
      from api_keys
      where project_id = of_project and least(revoked_at, expires_at) < now()
    ), gone as (
      delete from api_keys
      where project_id = of_project and id in (
        select id from ended where ended_at < now() - make_interval(days => days)
        union all
        (select id from ended order by ended_at desc, id offset most)
      )
      returning digest
    )
    delete from key_directory
    where project_id = of_project and digest in (select digest from gone);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- None that can still be undone.
create function limit_imports(of_project bigint, most integer, at_most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    delete from imports
    where project_id = of_project and finished_at < now() - interval '8 days' and id in (
      select id
      from imports
      where project_id = of_project and finished_at is not null
      order by created_at desc, id desc
      offset most
      limit at_most
    )
      and not exists (select from import_rows where project_id = of_project and import_id = imports.id)
      and not exists (select from import_parts where project_id = of_project and import_id = imports.id);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- Those that ended without an animal handed over, with their notes.
create function limit_requests(of_project bigint, most integer, at_most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    beyond bigint[];
  begin
    beyond := array(
      select id
      from orders
      where project_id = of_project and stage in ('declined', 'withdrawn', 'closed', 'expired')
        and decided_at < now() - interval '90 days'
      order by id desc
      offset most
      limit at_most
    );
    delete from order_notes where project_id = of_project and order_id = any (beyond);
    delete from orders where project_id = of_project and id = any (beyond);
    return cardinality(beyond);
  end
  $$;

-- The logos of those that are gone.
create function limit_deployments(of_project bigint, most integer) returns setof text
  language sql set search_path = public, pg_temp
  begin atomic
    delete from deployments
    where project_id = of_project and finished_at is not null
      and number <= (select max(number) from deployments where project_id = of_project) - most
      and id not in (select deployment_id from published where project_id = of_project)
    returning logo;
  end;

create function limit_domain_events(of_project bigint, of_domain text, most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    delete from domain_events
    where project_id = of_project and domain_id = of_domain and number <= (
      select max(number) from domain_events where project_id = of_project and domain_id = of_domain
    ) - most;
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- Counts again what a project stores, corrects it, and returns what was counted wrongly.
create function recount_stored_bytes(of_project bigint)
  returns table (kind text, counted bigint, actual bigint)
  language plpgsql set search_path = public, pg_temp as $$
  begin
    perform from stored_usage where project_id = of_project order by stored_usage.kind for update;
    return query
      with now_stored (kind, bytes) as (
        select 'imports', (select coalesce(sum(octet_length(bytes)), 0) from import_parts where project_id = of_project)
          + (select coalesce(sum(octet_length(cells::text)), 0) from import_rows where project_id = of_project)
        union all
        select 'site', (select coalesce(sum(octet_length(bytes)), 0) from blobs where project_id = of_project)
          + (select coalesce(sum(octet_length(content)), 0) from deployments where project_id = of_project)
          + (select coalesce(sum(octet_length(settings)), 0) from sites where project_id = of_project)
        union all
        select 'texts', coalesce(sum(octet_length(headline || story || good_with_note || special_needs || internal_notes)), 0)
        from pet_profiles where project_id = of_project
        union all
        select 'notes', coalesce(sum(octet_length(text)), 0) from order_notes where project_id = of_project
      ), wrong as (
        select now_stored.kind, coalesce(known.bytes, 0) as counted, now_stored.bytes::bigint as actual
        from now_stored
        left join stored_usage as known on known.project_id = of_project and known.kind = now_stored.kind
        where coalesce(known.bytes, 0) <> now_stored.bytes
      ), corrected as (
        insert into stored_usage as known (project_id, kind, bytes)
        select of_project, wrong.kind, wrong.actual from wrong
        on conflict on constraint stored_usage_pkey do update set bytes = excluded.bytes
        returning known.kind
      )
      select wrong.kind, wrong.counted, wrong.actual
      from wrong join corrected on corrected.kind = wrong.kind;
  end
  $$;

-- Every project is looked after once a day.
insert into due_directory (kind, project_id, id, due_at)
select 'project_upkeep', project_id, 'all', now()
from slug_directory
on conflict do nothing;
