-- phase: expand
-- oldest-release: 1.0
-- locks: accounts share row exclusive

-- Passkeys of people, and what browsers are asked when one is made or used. Of a
-- passkey only the public half is here; the secret half never leaves the device.
create table passkeys (
  id text primary key check (id ~ '^psk_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  -- In base64url, as the device names it.
  credential_id text not null unique check (credential_id ~ '^[A-Za-z0-9_-]+$' and char_length(credential_id) <= 1364),
  public_key bytea not null check (octet_length(public_key) between 1 and 2048),
  -- How often the device says that it signed; many always say 0.
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null,
  label text not null check (char_length(label) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);
grant select, insert, update, delete on passkeys to petstore_app;

-- A row goes when it is answered, rightly or not, so nothing is answered twice.
create table passkey_challenges (
  id text primary key check (id ~ '^chl_[0-9a-f]{24}$'),
  challenge text not null unique check (challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- Who adds a passkey; null where somebody signs in, of whom nothing is known yet.
  account_id text references accounts (id),
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
-- Update is the right to lock a row, with which those that are over are swept.
grant select, insert, update, delete on passkey_challenges to petstore_app;
