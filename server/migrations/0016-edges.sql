-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- The edges: which there are, what each of them must serve, and how far each of
-- them has come with it.

-- The clock of the host table, one row. Whoever changes a route holds it until the
-- transaction ends, so changes become visible in the order of their numbers, and
-- whoever has read up to a number has missed none before it.
create table route_clock (
  one boolean primary key default true check (one),
  seq bigint not null default 0,
  -- Names that were gone before this number are forgotten: who knows less begins anew.
  forgotten bigint not null default 0
);
insert into route_clock default values;
grant select, update on route_clock to petstore_app;

-- Directory: what is served under each attached hostname. Every edge holds a copy
-- and follows it by number. A name that is gone stays for a while, so that an edge
-- that was away learns of it.
create table route_directory (
  hostname text primary key check (char_length(hostname) between 1 and 253 and hostname = lower(hostname)),
  seq bigint not null,
  kind text not null check (kind in ('site', 'redirect', 'gone')),
  -- Of the project whose site it is.
  slug text,
  target text,
  status smallint check (status in (301, 302, 307, 308)),
  generation bigint not null,
  -- Of the certificate, so that an edge knows when there is another one.
  serial text,
  changed_at timestamptz not null default now(),
  check ((kind = 'gone') = (slug is null)),
  check ((kind = 'gone') = (serial is null)),
  check ((kind = 'redirect') = (target is not null and status is not null))
) with (fillfactor = 80);
create unique index route_directory_by_seq on route_directory (seq);
create index routes_to_forget on route_directory (changed_at) where kind = 'gone';
grant select, insert, update, delete on route_directory to petstore_app;

-- Directory: the edges, each with a credential of its own. An edge that asks for
-- what comes after a number says by this that it has what came before.
create table edge_directory (
  id text primary key check (id ~ '^edg_[0-9a-f]{24}$'),
  name text not null unique check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'),
  -- Of its token; the token itself is nowhere.
  digest text not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  acknowledged bigint not null default 0,
  acknowledged_at timestamptz,
  seen_at timestamptz
) with (fillfactor = 50);
grant select, insert, update on edge_directory to petstore_app;
