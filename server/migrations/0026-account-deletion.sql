-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- A deleted account leaves its id in audit events, and nothing else.
grant delete on accounts to petstore_app;

-- Addresses of deleted accounts, until the mail that says so has been sent or has ended otherwise.
create table former_addresses (
  id text primary key check (id ~ '^fad_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  mail_id text not null check (mail_id ~ '^mail_[0-9a-f]{24}$')
);
grant select, insert, update, delete on former_addresses to petstore_app;
