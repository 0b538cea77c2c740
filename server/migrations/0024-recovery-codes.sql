-- phase: expand
-- oldest-release: 1.0
-- locks: accounts share row exclusive

-- Codes that a person keeps on paper, by digest. Each resets the password once.
create table recovery_codes (
  account_id text not null references accounts (id),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  primary key (account_id, digest)
);
grant select, insert, update, delete on recovery_codes to petstore_app;
