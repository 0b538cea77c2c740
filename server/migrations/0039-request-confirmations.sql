-- phase: expand
-- oldest-release: 1.0
-- locks: mail_secrets access exclusive
-- locks: orders share

-- Requests that the visitor has not confirmed yet: no orders, and they hold nothing. Each is deleted after a day;
-- of a confirmed one only the digest and the order remain until then, so that its link still leads to the order.
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
  primary key (project_id, id)
);
create unique index request_confirmations_by_digest on request_confirmations (project_id, digest);
alter table request_confirmations enable row level security;
alter table request_confirmations force row level security;
create policy own_project on request_confirmations
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on request_confirmations to petstore_app;

-- The open requests of one visitor.
create index orders_open_by_contact on orders (project_id, lower(visitor_contact collate "pg_c_utf8"))
  where status in ('placed', 'approved');

-- How often something was done in a period that begins with the first time, by the HMAC of who did it. A crash of
-- PostgreSQL empties it: the periods begin again.
create unlogged table rate_directory (
  kind text not null check (kind ~ '^[a-z_]{1,30}$'),
  key bytea not null check (octet_length(key) = 32),
  ends_at timestamptz not null,
  count integer not null check (count > 0),
  primary key (kind, key)
);
create index rate_directory_by_end on rate_directory (ends_at);
grant select, insert, update, delete on rate_directory to petstore_app;

-- The links to the pages of requests.
alter table mail_secrets
  drop constraint mail_secrets_purpose_check,
  add constraint mail_secrets_purpose_check check (purpose in ('unsubscribe', 'bounce', 'request'));
