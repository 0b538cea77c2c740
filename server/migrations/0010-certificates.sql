-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Certificates of hostnames. Nothing here knows a project: clients are opaque texts, and a client is notified by a timer
-- that it named.

-- One row per hostname that a client wants a certificate for. A transaction that writes anything about the hostname locks
-- this row. The generation only rises; what belongs to another one is never stored.
create table certificate_wishes (
  hostname text primary key check (char_length(hostname) between 1 and 253 and hostname = lower(hostname)),
  generation bigint not null,
  -- Among whom the authority's allowance is divided fairly.
  client text not null check (char_length(client) between 1 and 100),
  -- The name that authorities count by.
  registered text not null,
  -- By which authorities it may be issued, the preferred one first.
  authorities text[] not null check (cardinality(authorities) >= 1),
  -- What was known of the name's DNS at the time of the request; only compared.
  evidence text not null,
  -- The timer of the client, and of how many changes it has been notified.
  tell_kind text not null,
  tell_project bigint not null,
  tell_id text not null,
  changes integer not null default 0,
  told integer not null default 0,
  -- When authorizations failed lately, oldest first.
  failed_at timestamptz[] not null default '{}',
  -- No client wants it any longer; the row is deleted with what is kept.
  dropped_at timestamptz,
  kept_until timestamptz,
  check ((dropped_at is null) = (kept_until is null)),
  check (told <= changes)
) with (fillfactor = 80);
-- What one client wants: after a change of the settings every name of the platform is checked, and there are far fewer of
-- them than custom domains.
create index certificate_wishes_by_client on certificate_wishes (client, hostname) where dropped_at is null;
create index certificate_wishes_to_sweep on certificate_wishes (kept_until) where kept_until is not null;
grant select, insert, update, delete on certificate_wishes to petstore_app;

-- A certificate on its way, through as many attempts as it takes. The key is stored before the first request to the
-- authority, and the address of its order before the request to finalize it: a worker that continues after a crash
-- continues with the same order.
create table certificate_orders (
  id text primary key check (id ~ '^cor_[0-9a-f]{24}$'),
  hostname text not null references certificate_wishes (hostname) on delete cascade,
  generation bigint not null,
  state text not null
    check (state in ('wanted', 'intended', 'placed', 'authorizing', 'finalizing', 'issued', 'failed', 'abandoned')),
  is_renewal boolean not null,
  -- RFC 9773: the certificate that this one replaces.
  replaces text,
  authority text,
  sealed_key bytea,
  order_url text,
  -- How many orders may have been requested of the authority in this attempt.
  placements smallint not null default 0,
  placed_at timestamptz,
  -- Failures in a row, and how many of them were the authority's own.
  failures integer not null default 0,
  outages integer not null default 0,
  -- A person pressed Re-verify: the next attempt may use what is reserved for people.
  is_asked boolean not null default false,
  problem text,
  -- The authority demands a pause until then, and no person may shorten it.
  held_until timestamptz,
  -- Null in `failed`: it waits for other evidence than this.
  next_at timestamptz,
  evidence text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('issued', 'abandoned')) = (ended_at is not null)),
  check (state in ('wanted', 'failed', 'issued', 'abandoned') or (authority is not null and sealed_key is not null)),
  check (state not in ('placed', 'authorizing', 'finalizing') or (order_url is not null and placed_at is not null)),
  check (state not in ('issued', 'abandoned') or sealed_key is null)
) with (fillfactor = 80);
create unique index one_active_order on certificate_orders (hostname) where ended_at is null;
create index certificate_orders_by_end on certificate_orders (ended_at) where ended_at is not null;
create index certificate_orders_by_hostname on certificate_orders (hostname, created_at);
grant select, insert, update, delete on certificate_orders to petstore_app;

-- What is served, and what is kept after a removal so that adding the name again costs no order. One per generation: a
-- renewal replaces what it renews.
create table certificates (
  hostname text not null references certificate_wishes (hostname) on delete cascade,
  generation bigint not null,
  -- For which client it was issued; kept for no other.
  client text not null,
  authority text not null,
  serial text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  chain text not null,
  -- Which key-encryption key sealed it, so that rotation finds its rows.
  seal_id text not null,
  sealed_key bytea not null,
  certificate_id text,
  -- What the authority suggests (RFC 9773), and when to query it again.
  window_start timestamptz,
  window_end timestamptz,
  ask_at timestamptz,
  renew_at timestamptz not null,
  kept_until timestamptz,
  primary key (hostname, generation),
  check (not_after > not_before),
  check ((window_start is null) = (window_end is null))
) with (fillfactor = 80);
create index certificates_by_seal on certificates (seal_id, hostname, generation);
create index certificates_to_sweep on certificates (kept_until) where kept_until is not null;
grant select, insert, update, delete on certificates to petstore_app;

-- What is served below /.well-known/acme-challenge/ while an order is open.
create table certificate_challenges (
  token text primary key check (token ~ '^[A-Za-z0-9_-]{1,200}$'),
  hostname text not null references certificate_wishes (hostname) on delete cascade,
  key_authorization text not null,
  expires_at timestamptz not null
);
create index certificate_challenges_by_hostname on certificate_challenges (hostname);
create index certificate_challenges_by_end on certificate_challenges (expires_at);
grant select, insert, update, delete on certificate_challenges to petstore_app;

-- Our account at each authority. A transaction that uses the allowance locks this row, so that only one counts at a time.
create table authority_accounts (
  authority text primary key,
  seal_id text not null,
  sealed_key bytea not null,
  url text,
  -- The authority does not respond, or demands a pause of the whole account.
  paused_until timestamptz,
  outages integer not null default 0
);
grant select, insert, update on authority_accounts to petstore_app;

-- How much of the authority's allowance was used, by whom or what, in which slot of time. Windows are summed over slots;
-- old slots are swept.
create table authority_uses (
  authority text not null,
  scope text not null,
  slot timestamptz not null,
  count integer not null check (count >= 0),
  primary key (authority, scope, slot)
) with (fillfactor = 70);
create index authority_uses_by_slot on authority_uses (slot);
grant select, insert, update, delete on authority_uses to petstore_app;

-- When each client's next attempt may begin: a client that wants thousands at once waits for itself, and no other does.
create table certificate_clients (
  client text primary key,
  free_at timestamptz not null
) with (fillfactor = 70);
create index certificate_clients_by_time on certificate_clients (free_at);
grant select, insert, update, delete on certificate_clients to petstore_app;
