-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive

-- Orders as members look for them: by the name of the visitor. Stored like the key of an animal's name, because under
-- row level security an index on an expression could not be searched. It is erased with the name.
alter table orders add column visitor_key text collate "pg_c_utf8" not null
  generated always as (lower(visitor_name collate "pg_c_utf8")) stored;

create index orders_by_visitor on orders (project_id, visitor_key, id desc);
