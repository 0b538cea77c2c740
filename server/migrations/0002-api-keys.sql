-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- API keys belong to a project. Only the SHA-256 digest of a key is kept: the
-- input has 190 random bits, so a slow hash would protect nothing more.
create table api_keys (
  project_id bigint not null,
  id text not null check (id ~ '^key_[0-9A-Za-z]{16,}$'),
  label text not null check (char_length(label) between 1 and 100),
  display_prefix text not null,
  last_four text not null,
  digest bytea not null check (octet_length(digest) = 32),
  scopes text[] not null check (
    cardinality(scopes) > 0 and scopes <@ array['pets:read', 'pets:write', 'orders:read']
  ),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (project_id, id)
);

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy own_project on api_keys
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert on api_keys to petstore_app;
grant update (expires_at, revoked_at, last_used_at) on api_keys to petstore_app;

-- Directory: digest of a key -> project and key. Says where to look and nothing
-- else; whether the key still holds is read from its row in the project.
create table key_directory (
  digest bytea primary key check (octet_length(digest) = 32),
  project_id bigint not null,
  key_id text not null
);
grant select, insert on key_directory to petstore_app;
