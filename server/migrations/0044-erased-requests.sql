-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive

-- When the data of the visitor was erased; the days only if that happened automatically, so many after the end of the
-- request.
alter table orders
  add column erased_at timestamptz,
  add column erased_after_days smallint check (erased_after_days > 0),
  add constraint orders_erased_check check (erased_at is not null or erased_after_days is null);

-- The requests of a project whose data is still to be erased, in the order in which they ended.
create index orders_to_erase on orders (project_id, (coalesce(decided_at, created_at)))
  where stage in ('declined', 'withdrawn', 'closed', 'expired') and erased_at is null;

-- One timer for each project that has some. Without the force the owner of the table reads every project's rows.
alter table orders no force row level security;
insert into due_directory (kind, project_id, id, due_at)
select distinct 'visitor_erasure', project_id, 'all', now()
from orders
where stage in ('declined', 'withdrawn', 'closed', 'expired')
on conflict do nothing;
alter table orders force row level security;
