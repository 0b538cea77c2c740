-- phase: expand
-- oldest-release: 1.0
-- locks: idempotency access exclusive
-- locks: pets access exclusive
-- locks: photos access exclusive

-- How many animals, photos and idempotency keys a project has: the sum of its slots. A writer adds to a slot that no other
-- transaction has locked, or opens one, so writers never wait for each other, not even for an import that takes minutes;
-- there are as many slots as there were writers at once. A slot alone may be negative.
create table row_counts (
  project_id bigint not null,
  kind text not null check (kind in ('animals', 'photos', 'idempotencyKeys')),
  slot uuid not null default gen_random_uuid(),
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

create function add_to_row_count(of_project bigint, of_kind text, more bigint) returns void
  language plpgsql set search_path = public, pg_temp as $$
  begin
    update row_counts
    set rows = rows + more
    where project_id = of_project and kind = of_kind and slot = (
      select slot
      from row_counts
      where project_id = of_project and kind = of_kind
      order by slot
      limit 1
      for update skip locked
    );
    if not found then
      insert into row_counts (project_id, kind, rows) values (of_project, of_kind, more);
    end if;
  end
  $$;

-- Argument of a trigger: the kind.
create function count_rows() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    if tg_op = 'INSERT' then
      perform add_to_row_count(project_id, tg_argv[0], count(*)) from added group by project_id;
    else
      perform add_to_row_count(project_id, tg_argv[0], -count(*)) from removed group by project_id;
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

-- How many more animals each of the projects may have, by what the plans include. For a statement that adds animals of many
-- projects: it runs with the rights of the caller, who sees no other project.
create function animal_rooms(projects bigint[], most jsonb) returns table (project bigint, free bigint)
  language sql stable set search_path = public, pg_temp
  begin atomic
    select asked.project,
      (most ->> coalesce((select plan from projects where project_id = asked.project), 'free'))::bigint
      - coalesce((select sum(rows) from row_counts where project_id = asked.project and kind = 'animals'), 0)::bigint
    from unnest(projects) as asked (project);
  end;

-- Without the force the owner of a table reads every project's rows.
alter table pets no force row level security;
alter table photos no force row level security;
alter table idempotency no force row level security;
insert into row_counts (project_id, kind, rows)
select project_id, 'animals', count(*) from pets group by project_id
union all
select project_id, 'photos', count(*) from photos group by project_id
union all
select project_id, 'idempotencyKeys', count(*) from idempotency group by project_id;
alter table pets force row level security;
alter table photos force row level security;
alter table idempotency force row level security;

-- Counts again what a project has, corrects it, and returns what was counted wrongly. Rows and slots are committed
-- together, so one snapshot of both is exact without a lock.
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
      perform add_to_row_count(of_project, wrong.kind, wrong.rows - wrong.counted);
      kind := wrong.kind;
      counted := wrong.counted;
      actual := wrong.rows;
      return next;
    end loop;
  end
  $$;
