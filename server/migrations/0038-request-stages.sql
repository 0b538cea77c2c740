-- phase: expand
-- oldest-release: 1.0
-- locks: orders access exclusive

-- A request has a stage, and may hold its animal: two facts, where `status` knew one. `status` stays for `/v1`, and
-- follows from the stage.
alter table orders
  add column stage text not null default 'new',
  -- Where an ended request was, and where it is again once it is reopened.
  add column stage_before text,
  add column is_holding boolean not null default false,
  -- Null without an end: a request from before times were recorded.
  add column held_until timestamptz,
  add column visit_at timestamptz,
  -- Minutes east of UTC: visitors read the time as the owner named it.
  add column visit_offset smallint not null default 0 check (visit_offset between -840 and 840),
  add column visit_place text not null default '' check (char_length(visit_place) <= 200),
  -- Null for a request that was placed without mail, and so without a confirmation.
  add column confirmed_at timestamptz,
  -- What the visitor answered, each with the question as it was asked: [{"question": …, "answer": …}].
  add column answers jsonb not null default '[]'
    check (jsonb_typeof(answers) = 'array' and jsonb_array_length(answers) <= 12 and pg_column_size(answers) <= 120000),
  -- SHA-256 of the secret in the address of the visitor's status page.
  add column secret_digest bytea check (octet_length(secret_digest) = 32),
  -- Of the page on which the visitor asked; null is the site's own.
  add column language text check (language ~ '^[a-z]{2}$'),
  add column reminded_at timestamptz,
  -- The columns before the last change, and until when they can be restored.
  add column undo jsonb check (jsonb_typeof(undo) = 'object'),
  add column undo_until timestamptz;

-- Without the force the owner of the table reads every project's rows, as this one statement must.
alter table orders no force row level security;
update orders
set stage = case status when 'placed' then 'new' when 'delivered' then 'completed' else status end,
  stage_before = case when status in ('declined', 'expired') then 'new' end,
  is_holding = status = 'placed',
  held_until = case status when 'placed' then expires_at end,
  expires_at = case when status = 'placed' and expires_at is not null then created_at + interval '30 days' end;
alter table orders force row level security;

alter table orders
  add constraint orders_stage_check check (
    status = case stage
      when 'new' then 'placed' when 'talking' then 'placed' when 'visit' then 'placed'
      when 'approved' then 'approved'
      when 'completed' then 'delivered'
      when 'declined' then 'declined' when 'withdrawn' then 'declined' when 'closed' then 'declined'
      when 'expired' then 'expired'
      else ''
    end
  ),
  add constraint orders_stage_before_check check (stage_before in ('new', 'talking', 'visit', 'approved')),
  add constraint orders_hold_check check (not is_holding or stage in ('new', 'talking', 'visit', 'approved')),
  add constraint orders_held_until_check check (is_holding or held_until is null),
  add constraint orders_expires_at_check check (expires_at is null or stage in ('new', 'talking')),
  add constraint orders_visit_check check (visit_at is not null or visit_place = ''),
  add constraint orders_undo_until_check check (undo is not null or undo_until is null);

-- An animal is held for one request at a time, whatever a program does; any number may wait for it.
drop index orders_one_placed;
create unique index orders_one_holding on orders (project_id, pet_id) where is_holding;

-- The queue of an animal, and all its requests.
create index orders_queue on orders (project_id, pet_id, id) where stage in ('new', 'talking', 'visit', 'approved');
create index orders_by_pet on orders (project_id, pet_id, id);
-- A list with a filter reads one range of it per stage, backwards.
create index orders_by_stage on orders (project_id, stage, id);
create unique index orders_by_secret on orders (project_id, secret_digest) where secret_digest is not null;

-- What members write down about a request. No visitor sees it.
create table order_notes (
  project_id bigint not null,
  order_id bigint not null,
  number integer not null check (number between 1 and 200),
  author text not null,
  created_at timestamptz not null default now(),
  text text not null check (char_length(text) between 1 and 2000),
  primary key (project_id, order_id, number),
  foreign key (project_id, order_id) references orders (project_id, id)
);
alter table order_notes enable row level security;
alter table order_notes force row level security;
create policy own_project on order_notes
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on order_notes to petstore_app;

-- How the requests of a project work; without a row, as the contract's defaults say.
create table request_settings (
  project_id bigint primary key,
  hold_rule text not null check (hold_rule in ('by_hand', 'on_approval', 'on_visit', 'on_first_request')),
  hold_days integer not null check (hold_days between 1 and 30),
  shows_request_count boolean not null
);
alter table request_settings enable row level security;
alter table request_settings force row level security;
create policy own_project on request_settings
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on request_settings to petstore_app;
