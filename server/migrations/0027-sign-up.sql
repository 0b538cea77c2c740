-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Requests for an account: the address as it was entered, whether or not it has one, so that a
-- response cannot depend on it. The worker that sends the mail decides what it says.
create table sign_up_requests (
  id text primary key check (id ~ '^sup_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  -- An operator or a member has invited the person, where only invited people may sign up.
  is_invited boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_up_requests_by_end on sign_up_requests (expires_at);
grant select, insert, update, delete on sign_up_requests to petstore_app;

-- Links that lead to a new account, by the digest of their secret. The first that is used ends all
-- of its request.
create table sign_up_links (
  digest bytea primary key check (octet_length(digest) = 32),
  request_id text not null references sign_up_requests (id) on delete cascade,
  -- Null where an operator passes it on: it then proves no mailbox.
  mail_id text check (mail_id ~ '^mail_[0-9a-f]{24}$'),
  created_at timestamptz not null default now()
);
create index sign_up_links_by_request on sign_up_links (request_id);
grant select, insert, update, delete on sign_up_links to petstore_app;
