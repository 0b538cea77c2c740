-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- People, where they are signed in, and their personal access tokens. They
-- belong to no project: one person may work in many. Of every secret only the
-- SHA-256 digest is kept, of a password its argon2id string.
create table accounts (
  id text primary key check (id ~ '^acc_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  -- The address as it is compared.
  email_key text not null unique,
  name text not null check (char_length(name) between 1 and 100),
  password text not null,
  created_at timestamptz not null default now()
);
grant select, insert, update on accounts to petstore_app;

create table sessions (
  id text primary key check (id ~ '^ses_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_account on sessions (account_id, created_at);
create index sessions_by_end on sessions (expires_at);
create index sessions_by_use on sessions (seen_at);
grant select, insert, update, delete on sessions to petstore_app;

create table access_tokens (
  id text primary key check (id ~ '^pat_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  label text not null check (char_length(label) between 1 and 100),
  display text not null,
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index access_tokens_by_account on access_tokens (account_id, created_at);
grant select, insert, update, delete on access_tokens to petstore_app;

-- One function for all secrets; the notification hurries, the row is the truth.
create or replace function note_key_change() returns trigger
  language plpgsql set search_path = public, pg_temp
  as $$
  begin
    insert into revocation_directory (digest) values (old.digest);
    perform pg_notify('petstore_revocations', encode(old.digest, 'hex'));
    return null;
  end
  $$;
alter function note_key_change() rename to note_revocation;

create trigger session_ended after delete on sessions
  for each row execute function note_revocation();
create trigger token_revoked after delete on access_tokens
  for each row execute function note_revocation();
