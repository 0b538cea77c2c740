-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive

-- What a visitor says when reserving an animal, for how long the animal is held,
-- and who decided when. An order from before has nobody's name and no end.
alter table orders
  add column visitor_name text not null default '' check (char_length(visitor_name) <= 100),
  add column visitor_contact text not null default '' check (char_length(visitor_contact) <= 254),
  add column message text not null default '' check (char_length(message) <= 2000),
  add column expires_at timestamptz,
  add column decided_at timestamptz,
  -- An account, or `petstore` itself when the time was over.
  add column decided_by text;

-- An animal is held for one visitor at a time, whatever a program does.
create unique index orders_one_placed on orders (project_id, pet_id) where status = 'placed';

-- The list with a filter is one range of this index, read backwards.
create index orders_by_status on orders (project_id, status, id);
