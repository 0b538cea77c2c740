-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Plans: what a project uses of its limits, counted by triggers in the transaction of what they count, and requests for
-- another plan. The tables whose rows are counted are in the files after this one.

-- Bytes that a project stores besides its photos, by kind. A row for each kind, so that a long import holds up no request
-- and no publication.
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

-- The same for one row of import_rows whose text was changed, where most updates change other columns.
create function count_changed_cells() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    update stored_usage
    set bytes = greatest(bytes + octet_length(new.cells::text) - octet_length(old.cells::text), 0)
    where project_id = new.project_id and kind = 'imports';
    return null;
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

-- How many animals, photos and idempotency keys a project has: the sum of its slots. A connection adds to a slot of its
-- own, so writers never wait for each other, not even for an import that takes minutes. A slot alone may be negative; the
-- daily recount merges them.
create table row_counts (
  project_id bigint not null,
  kind text not null check (kind in ('animals', 'photos', 'idempotencyKeys')),
  -- The process of PostgreSQL that serves the connection.
  slot integer not null,
  rows bigint not null,
  primary key (project_id, kind, slot)
);
alter table row_counts enable row level security;
alter table row_counts force row level security;
create policy own_project on row_counts to petstore_app
  using (project_id = any ((select allowed_projects())::bigint[]));
-- Expired idempotency keys are swept by a function of the owner's, for all projects.
create policy counted on row_counts to petstore_owner using (true);
grant select, insert, update, delete on row_counts to petstore_app;

-- Argument of a trigger: the kind.
create function count_rows() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    if tg_op = 'INSERT' then
      insert into row_counts (project_id, kind, slot, rows)
      select project_id, tg_argv[0], pg_backend_pid(), count(*) from added group by project_id
      on conflict (project_id, kind, slot) do update set rows = row_counts.rows + excluded.rows;
    else
      insert into row_counts (project_id, kind, slot, rows)
      select project_id, tg_argv[0], pg_backend_pid(), -count(*) from removed group by project_id
      on conflict (project_id, kind, slot) do update set rows = row_counts.rows + excluded.rows;
    end if;
    return null;
  end
  $$;

-- Counts again what a project has, corrects it, and returns what was counted wrongly. Rows and slots are committed
-- together, so one snapshot of both is exact without a lock. Then merges the slots that no transaction has locked.
create function recount_rows(of_project bigint) returns table (kind text, counted bigint, actual bigint)
  language plpgsql set search_path = public, pg_temp as $$
  declare
    wrong record;
  begin
    for wrong in
      with now_there (kind, rows) as (
        select 'animals', (select count(*) from pets where project_id = of_project)
        union all
        select 'photos', (select count(*) from photos where project_id = of_project)
        union all
        select 'idempotencyKeys', (select count(*) from idempotency where project_id = of_project)
      ), compared as (
        select now_there.kind, now_there.rows, (
          select coalesce(sum(known.rows), 0)::bigint
          from row_counts as known
          where known.project_id = of_project and known.kind = now_there.kind
        ) as counted
        from now_there
      )
      select compared.kind, compared.counted, compared.rows from compared where compared.counted <> compared.rows
    loop
      insert into row_counts (project_id, kind, slot, rows)
      values (of_project, wrong.kind, pg_backend_pid(), wrong.rows - wrong.counted)
      on conflict on constraint row_counts_pkey do update set rows = row_counts.rows + excluded.rows;
      kind := wrong.kind;
      counted := wrong.counted;
      actual := wrong.rows;
      return next;
    end loop;
    with idle as (
      select known.kind, known.slot
      from row_counts as known
      where known.project_id = of_project and known.slot <> pg_backend_pid()
      for update skip locked
    ), merged as (
      delete from row_counts as known
      using idle
      where known.project_id = of_project and known.kind = idle.kind and known.slot = idle.slot
      returning known.kind, known.rows
    )
    insert into row_counts (project_id, kind, slot, rows)
    select of_project, merged.kind, pg_backend_pid(), sum(merged.rows) from merged group by merged.kind
    on conflict on constraint row_counts_pkey do update set rows = row_counts.rows + excluded.rows;
  end
  $$;

-- Requests for another plan, which the operator answers.
create table plan_requests (
  project_id bigint not null,
  id text not null check (id ~ '^plr_[0-9a-f]{24}$'),
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  message text not null check (char_length(message) <= 1000),
  requested_by text not null,
  requested_at timestamptz not null default now(),
  answer text check (answer in ('granted', 'declined')),
  reason text check (char_length(reason) <= 500),
  answered_at timestamptz,
  primary key (project_id, id),
  check ((answer is null) = (answered_at is null))
);
create unique index open_plan_requests on plan_requests (project_id) where answer is null;
alter table plan_requests enable row level security;
alter table plan_requests force row level security;
create policy own_project on plan_requests
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on plan_requests to petstore_app;
