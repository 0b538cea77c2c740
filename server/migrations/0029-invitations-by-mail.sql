-- phase: expand
-- oldest-release: 1.0
-- locks: invitation_directory access exclusive
-- locks: invitations access exclusive

-- An invitation names an address. Where it is mailed, only that address can accept it, and each
-- attempt to send it has a link of its own; so links are in the directory alone.
alter table invitations
  add column email text not null default '' check (char_length(email) <= 254),
  add column is_mailed boolean not null default false,
  drop column digest;
alter table invitations
  alter column email drop default,
  alter column is_mailed drop default;
-- To lock one while a link is added to it.
grant update (is_mailed) on invitations to petstore_app;

alter table invitation_directory
  add column created_at timestamptz not null default now();
create index invitation_links on invitation_directory (project_id, invitation_id);

-- Directory: digest of an address -> the invitations that are open for it, so that an invited
-- person can sign up where only invited people may.
create table invited_directory (
  address_digest bytea not null check (octet_length(address_digest) = 32),
  project_id bigint not null,
  invitation_id text not null,
  expires_at timestamptz not null,
  primary key (address_digest, project_id, invitation_id)
);
create index invited_addresses on invited_directory (project_id, invitation_id);
create index invited_by_end on invited_directory (expires_at);
grant select, insert, delete on invited_directory to petstore_app;
