-- phase: expand
-- oldest-release: 1.0
-- locks: idempotency access exclusive
-- locks: pets access exclusive
-- locks: photos access exclusive

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

create trigger counted_on_insert after insert on pets referencing new table as added
  for each statement execute function count_rows('animals');
create trigger counted_on_delete after delete on pets referencing old table as removed
  for each statement execute function count_rows('animals');
create trigger counted_on_insert after insert on photos referencing new table as added
  for each statement execute function count_rows('photos');
create trigger counted_on_delete after delete on photos referencing old table as removed
  for each statement execute function count_rows('photos');
create trigger counted_on_insert after insert on idempotency referencing new table as added
  for each statement execute function count_rows('idempotencyKeys');
create trigger counted_on_delete after delete on idempotency referencing old table as removed
  for each statement execute function count_rows('idempotencyKeys');

-- Without the force the owner of a table reads every project's rows.
alter table pets no force row level security;
alter table photos no force row level security;
alter table idempotency no force row level security;
insert into row_counts (project_id, kind, slot, rows)
select project_id, 'animals', 0, count(*) from pets group by project_id
union all
select project_id, 'photos', 0, count(*) from photos group by project_id
union all
select project_id, 'idempotencyKeys', 0, count(*) from idempotency group by project_id;
alter table pets force row level security;
alter table photos force row level security;
alter table idempotency force row level security;

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
