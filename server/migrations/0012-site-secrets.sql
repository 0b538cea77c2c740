-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- What a site signs its forms with. Made when the site is first asked for, by
-- whoever comes first, and never shown.
create table site_secrets (
  project_id bigint primary key,
  secret bytea not null check (octet_length(secret) = 32)
);

alter table site_secrets enable row level security;
alter table site_secrets force row level security;
create policy own_project on site_secrets
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert on site_secrets to petstore_app;
