-- phase: expand
-- oldest-release: 1.0
-- locks: accounts share row exclusive
-- locks: sessions access exclusive

-- Browsers on which a person has signed in before, by the digest of a cookie. It gives no access:
-- a session that begins on one lasts longer, and a sign-in on another one is announced by mail.
create table known_devices (
  account_id text not null references accounts (id),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (account_id, digest)
);
create index known_devices_by_use on known_devices (seen_at);
grant select, insert, update, delete on known_devices to petstore_app;

alter table sessions
  -- How long it lasts without use, and until when that is.
  add column idle_seconds integer not null default 1800 check (idle_seconds > 0),
  add column idle_until timestamptz not null default now() + interval '30 minutes',
  -- When a password or a passkey that verified its user was last presented; null if neither was.
  add column proved_at timestamptz,
  -- The passkey with which it began: it ends with it.
  add column passkey_id text check (passkey_id ~ '^psk_[0-9a-f]{24}$');
drop index sessions_by_use;
create index sessions_by_use on sessions (idle_until);
create index sessions_by_passkey on sessions (passkey_id) where passkey_id is not null;

-- Processes that cache a session read it again.
create trigger session_changed after update of expires_at, proved_at on sessions
  for each row execute function note_revocation();
