-- phase: expand
-- oldest-release: 1.0
-- locks: accounts access exclusive
-- locks: mail_directory access exclusive
-- locks: projects access exclusive

-- In which language a person is written to.
alter table accounts
  add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'es'));

-- What a member wants to be mailed about; a topic without a row has its default.
create table notification_settings (
  project_id bigint not null,
  account_id text not null check (account_id ~ '^acc_[0-9a-f]{24}$'),
  topic text not null check (topic ~ '^[a-z]{1,30}$'),
  choice text not null check (choice in ('each', 'daily', 'off')),
  primary key (project_id, account_id, topic)
);
alter table notification_settings enable row level security;
alter table notification_settings force row level security;
create policy own_project on notification_settings
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on notification_settings to petstore_app;

alter table projects
  -- Whether visitors who leave an email address are mailed about their requests.
  add column mails_visitors boolean not null default true;

alter table mail_directory
  drop constraint mail_directory_recipient_check,
  -- By its id: an account, an order, an invitation, or a request of a person who is not signed in.
  add constraint mail_directory_recipient_check check (recipient ~ '^[a-z]{3}_[0-9a-z]{1,24}$'),
  -- The digest of the address that it was sent to, so that a report about it finds the address.
  add column address_digest bytea check (octet_length(address_digest) = 32),
  -- True once a digest is being sent: what comes later goes into another one.
  add column is_closed boolean not null default false;
create index mails_by_id on mail_directory (id);
-- A digest waits until its hour or day is over; until then, everything goes into the same one.
create unique index waiting_digests on mail_directory (project_id, recipient)
  where kind = 'digest' and state = 'queued' and not is_closed;

-- Addresses that no mail is sent to, by digest: `all` where mail came back, `optional` where the
-- person complained, `invitations` where the person wants no more of those.
create table mail_suppressions (
  digest bytea not null check (octet_length(digest) = 32),
  scope text not null check (scope in ('all', 'optional', 'invitations')),
  -- The codes of the reply or of the report; no text of others.
  reason text not null check (char_length(reason) <= 60),
  created_at timestamptz not null default now(),
  primary key (digest, scope)
);
grant select, insert, update, delete on mail_suppressions to petstore_app;

-- What links and addresses are authenticated with that carry no secret of their own. Created when
-- it is first needed, and never shown.
create table mail_secrets (
  purpose text primary key check (purpose in ('unsubscribe', 'bounce')),
  secret bytea not null check (octet_length(secret) = 32)
);
grant select, insert on mail_secrets to petstore_app;
