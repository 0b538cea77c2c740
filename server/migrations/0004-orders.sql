-- phase: expand
-- oldest-release: 1.0
-- locks: pets share row exclusive

-- An order is a request for one animal. Written by reservations on the site and
-- by the dashboard; `/v1` only reads them.
create sequence order_ids as bigint maxvalue 9007199254740991;
grant usage on sequence order_ids to petstore_app;

create table orders (
  project_id bigint not null,
  id bigint not null default nextval('order_ids') check (id between 1 and 9007199254740991),
  pet_id bigint not null,
  status text not null check (status in ('placed', 'approved', 'delivered', 'declined', 'expired')),
  ship_date timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, pet_id) references pets (project_id, id)
);

alter table orders enable row level security;
alter table orders force row level security;
create policy own_project on orders
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on orders to petstore_app;
