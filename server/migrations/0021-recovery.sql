-- phase: expand
-- oldest-release: 1.0
-- locks: accounts access exclusive

-- Requests to reset a forgotten password: the address as it was entered, whether or not it has an
-- account, so that a response cannot depend on it. The worker that sends the mail decides.
create table recovery_requests (
  id text primary key check (id ~ '^rec_[0-9a-f]{24}$'),
  email_key text not null check (char_length(email_key) between 3 and 254),
  created_at timestamptz not null default now()
);
create index recovery_requests_by_time on recovery_requests (created_at);
grant select, insert, update, delete on recovery_requests to petstore_app;

-- Links that were mailed, by the digest of their secret. A mail that is sent again has another
-- secret; the first that is used ends all of them.
create table account_links (
  digest bytea primary key check (octet_length(digest) = 32),
  account_id text not null references accounts (id),
  mail_id text not null check (mail_id ~ '^mail_[0-9a-f]{24}$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_links_by_account on account_links (account_id, created_at);
create index account_links_by_end on account_links (expires_at);
grant select, insert, update, delete on account_links to petstore_app;

-- When the person proved that the address is theirs; null for accounts from before, and for those
-- that never did.
alter table accounts
  add column verified_at timestamptz;
