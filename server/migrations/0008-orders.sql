-- phase: expand
-- oldest-release: 1.0
-- locks: pets share row exclusive

-- Orders: requests of visitors, each for one animal. Written by reservations on the site and by the dashboard; `/v1` only
-- reads them.

-- A request has a stage, and may hold its animal: two facts. `status` is for `/v1`, and follows from the stage.
create sequence order_ids as bigint maxvalue 9007199254740991;
grant usage on sequence order_ids to petstore_app;
create table orders (
  project_id bigint not null,
  id bigint not null default nextval('order_ids') check (id between 1 and 9007199254740991),
  pet_id bigint not null,
  status text not null check (status in ('placed', 'approved', 'delivered', 'declined', 'expired')),
  ship_date timestamptz,
  created_at timestamptz not null default now(),
  visitor_name text not null default '' check (char_length(visitor_name) <= 100),
  visitor_contact text not null default '' check (char_length(visitor_contact) <= 254),
  message text not null default '' check (char_length(message) <= 2000),
  expires_at timestamptz,
  decided_at timestamptz,
  -- An account, or `petstore` itself when the time was over.
  decided_by text,
  -- The name as members look for it, stored like the key of an animal's name; it is erased with the name.
  visitor_key text collate "pg_c_utf8" not null generated always as (lower(visitor_name collate "pg_c_utf8")) stored,
  stage text not null default 'new',
  -- Where an ended request was, and where it is again once it is reopened.
  stage_before text,
  is_holding boolean not null default false,
  -- Null without an end.
  held_until timestamptz,
  visit_at timestamptz,
  -- Minutes east of UTC: visitors read the time as the owner named it.
  visit_offset smallint not null default 0 check (visit_offset between -840 and 840),
  visit_place text not null default '' check (char_length(visit_place) <= 200),
  -- Null for a request that was placed without mail, and so without a confirmation.
  confirmed_at timestamptz,
  -- What the visitor answered, each with the question as it was asked: [{"question": …, "answer": …}].
  answers jsonb not null default '[]'
    check (jsonb_typeof(answers) = 'array' and jsonb_array_length(answers) <= 12 and pg_column_size(answers) <= 120000),
  -- SHA-256 of the secret in the address of the visitor's status page.
  secret_digest bytea check (octet_length(secret_digest) = 32),
  -- Of the page on which the visitor placed the request; null is the site's own.
  language text check (language ~ '^[a-z]{2}$'),
  reminded_at timestamptz,
  -- The columns before the last change, and until when they can be restored.
  undo jsonb check (jsonb_typeof(undo) = 'object'),
  undo_until timestamptz,
  -- When the data of the visitor was erased; the days only if that happened automatically, so many after the end of the
  -- request.
  erased_at timestamptz,
  erased_after_days smallint check (erased_after_days > 0),
  -- Why a member declined the request, and the sentence to the visitor: {"reason": …, "text": …}. Null: it is not declined,
  -- or no reason was given. Without a text once the data of the visitor is erased.
  decline jsonb check (
    jsonb_typeof(decline) = 'object' and decline ? 'reason' and char_length(decline ->> 'text') <= 300
  ),
  -- Next to the email address that the request is confirmed with; empty without one.
  visitor_phone text not null default '' check (char_length(visitor_phone) <= 30),
  primary key (project_id, id),
  foreign key (project_id, pet_id) references pets (project_id, id),
  constraint orders_stage_check check (
    status = case stage
      when 'new' then 'placed' when 'talking' then 'placed' when 'visit' then 'placed'
      when 'approved' then 'approved'
      when 'completed' then 'delivered'
      when 'declined' then 'declined' when 'withdrawn' then 'declined' when 'closed' then 'declined'
      when 'expired' then 'expired'
      else ''
    end
  ),
  constraint orders_stage_before_check check (stage_before in ('new', 'talking', 'visit', 'approved')),
  constraint orders_hold_check check (not is_holding or stage in ('new', 'talking', 'visit', 'approved')),
  constraint orders_held_until_check check (is_holding or held_until is null),
  constraint orders_expires_at_check check (expires_at is null or stage in ('new', 'talking')),
  constraint orders_visit_check check (visit_at is not null or visit_place = ''),
  constraint orders_undo_until_check check (undo is not null or undo_until is null),
  constraint orders_erased_check check (erased_at is not null or erased_after_days is null)
);
-- An animal is held for one request at a time, whatever a program does; any number may wait for it.
create unique index orders_one_holding on orders (project_id, pet_id) where is_holding;
-- The queue of an animal, and all its requests.
create index orders_queue on orders (project_id, pet_id, id) where stage in ('new', 'talking', 'visit', 'approved');
create index orders_by_pet on orders (project_id, pet_id, id);
-- The list with a filter is one range of this index, read backwards.
create index orders_by_status on orders (project_id, status, id);
-- A list with a filter reads one range of it per stage, backwards.
create index orders_by_stage on orders (project_id, stage, id);
create index orders_by_visitor on orders (project_id, visitor_key, id desc);
create unique index orders_by_secret on orders (project_id, secret_digest) where secret_digest is not null;
-- The open requests of one visitor.
create index orders_open_by_contact on orders (project_id, lower(visitor_contact collate "pg_c_utf8"))
  where status in ('placed', 'approved');
-- The requests of a project whose data is still to be erased, in the order in which they ended.
create index orders_to_erase on orders (project_id, (coalesce(decided_at, created_at)))
  where stage in ('declined', 'withdrawn', 'closed', 'expired') and erased_at is null;
alter table orders enable row level security;
alter table orders force row level security;
create policy own_project on orders
  using (project_id = any ((select allowed_projects())::bigint[]));
create policy old_requests on orders as restrictive for delete to petstore_app
  using (decided_at < now() - interval '90 days');
grant select, insert, update, delete on orders to petstore_app;

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
create trigger stored_on_insert after insert on order_notes referencing new table as added
  for each statement execute function count_stored_bytes('notes', 'octet_length(text)');
create trigger stored_on_delete after delete on order_notes referencing old table as removed
  for each statement execute function count_stored_bytes('notes', 'octet_length(text)');
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

-- Requests that the visitor has not confirmed yet: no orders, and they hold nothing. Each is deleted after a day; of a
-- confirmed one only the digest and the order remain until then, so that its link still leads to the order.
create table request_confirmations (
  project_id bigint not null,
  id text not null check (id ~ '^req_[0-9a-f]{24}$'),
  -- Of the secret in the mailed link.
  digest bytea not null check (octet_length(digest) = 32),
  pet_id bigint not null,
  visitor_name text not null check (char_length(visitor_name) <= 100),
  visitor_contact text not null check (char_length(visitor_contact) <= 254),
  message text not null check (char_length(message) <= 2000),
  answers jsonb not null default '[]',
  language text not null check (language in ('en', 'de', 'fr', 'es')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  order_id bigint,
  visitor_phone text not null default '' check (char_length(visitor_phone) <= 30),
  primary key (project_id, id)
);
create unique index request_confirmations_by_digest on request_confirmations (project_id, digest);
alter table request_confirmations enable row level security;
alter table request_confirmations force row level security;
create policy own_project on request_confirmations
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on request_confirmations to petstore_app;

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
