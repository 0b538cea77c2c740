-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Fleet: the edges, what each of them must serve, and how far each of them has come with it.

-- The clock of the host table, one row. A transaction that changes a route locks it until its end, so changes become
-- visible in the order of their numbers, and an edge that has read up to a number has missed none before it.
create table route_clock (
  one boolean primary key default true check (one),
  seq bigint not null default 0,
  -- Names that were gone before this number are forgotten: an edge that knows less starts from the beginning.
  forgotten bigint not null default 0
);
insert into route_clock default values;
grant select, update on route_clock to petstore_app;

-- Directory: what is served under each attached hostname. Every edge holds a copy and follows it by number. A name that is
-- gone stays for a while, so that an edge that was away learns of it. The platform's own names belong to no project: that
-- of the dashboard and the API (`service`), and the certificate of all default addresses (`wildcard`, whose hostname is
-- `*.<platform host>`). `suspended` is a site whose project was suspended.
create table route_directory (
  hostname text primary key check (char_length(hostname) between 1 and 253 and hostname = lower(hostname)),
  seq bigint not null,
  kind text not null check (kind in ('site', 'redirect', 'gone', 'service', 'wildcard', 'suspended')),
  -- Of the project whose site it is.
  slug text,
  target text,
  status smallint check (status in (301, 302, 307, 308)),
  generation bigint not null,
  -- Of the certificate, so that an edge knows when there is another one.
  serial text,
  changed_at timestamptz not null default now(),
  constraint route_directory_slug_check check ((kind in ('gone', 'service', 'wildcard')) = (slug is null)),
  constraint route_directory_check1 check ((kind = 'gone') = (serial is null)),
  constraint route_directory_check2 check ((kind = 'redirect') = (target is not null and status is not null))
) with (fillfactor = 80);
create unique index route_directory_by_seq on route_directory (seq);
create index routes_to_forget on route_directory (changed_at) where kind = 'gone';
grant select, insert, update, delete on route_directory to petstore_app;

-- Directory: the edges. The token of an edge enrols one key pair, within minutes, and is of no use afterwards: the edge
-- signs its requests, and private keys are encrypted to it. A poll for what comes after a number acknowledges what came
-- before it.
create table edge_directory (
  id text primary key check (id ~ '^edg_[0-9a-f]{24}$'),
  name text not null unique check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'),
  -- Of its token; the token itself is not stored.
  digest text not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  acknowledged bigint not null default 0,
  acknowledged_at timestamptz,
  seen_at timestamptz,
  -- An edge next to `serve` terminates TLS for dashboard and API as well, and may have their certificates. Others never
  -- receive them.
  serves_api boolean not null default false,
  -- Until when the token can be used; null for an edge without keys that its token identifies.
  enrolment_ends_at timestamptz,
  enrolled_at timestamptz,
  -- Public keys, 32 bytes in base64url: Ed25519 and X25519.
  sign_key text check (sign_key ~ '^[A-Za-z0-9_-]{43}$'),
  seal_key text check (seal_key ~ '^[A-Za-z0-9_-]{43}$'),
  -- The last time that the token was presented after it was used or had expired.
  token_misused_at timestamptz,
  -- The last time that the edge had received as many private keys as it may.
  export_stopped_at timestamptz,
  constraint edge_directory_enrolled
    check ((enrolled_at is null) = (sign_key is null) and (sign_key is null) = (seal_key is null))
) with (fillfactor = 50);
grant select, insert, update on edge_directory to petstore_app;
