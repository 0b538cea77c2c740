-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Mail: the outbox, what was sent to whom, and addresses that no mail is sent to.

-- The outbox: one row for each mail that a transaction has caused. A row holds ids and no contents: address, language and
-- text are read when the mail is sent. It is a directory of what is to be sent, and not a project's data.
create table mail_directory (
  -- 0 where no project caused it.
  project_id bigint not null,
  id text not null check (id ~ '^mail_[0-9a-f]{24}$'),
  kind text not null check (kind ~ '^[a-z_]{1,60}$'),
  -- By its id: an account, an order, an invitation, or a request of a person who is not signed in.
  recipient text not null check (recipient ~ '^[a-z]{3}_[0-9a-z]{1,24}$'),
  -- The ids that the text is about, by name.
  subject jsonb not null default '{}' check (jsonb_typeof(subject) = 'object' and pg_column_size(subject) <= 1000),
  state text not null default 'queued' check (state in ('queued', 'sent', 'bounced', 'dropped')),
  -- Whether it counts against the limits of its recipient.
  is_counted boolean not null default false,
  attempts integer not null default 0,
  -- The codes of the last reply, or the stage at which the relay failed, or why it was dropped. No text of a relay: that
  -- repeats the address.
  outcome text check (char_length(outcome) <= 60),
  queued_at timestamptz not null default now(),
  valid_until timestamptz not null,
  ended_at timestamptz,
  -- Of the address that it was sent to, so that a report about it finds the address.
  address_digest bytea check (octet_length(address_digest) = 32),
  -- True once a digest is being sent: what comes later goes into another one.
  is_closed boolean not null default false,
  primary key (project_id, id),
  check ((state = 'queued') = (ended_at is null))
);
create index mails_by_state on mail_directory (state, queued_at);
create index mails_by_end on mail_directory (ended_at) where ended_at is not null;
create index mails_by_id on mail_directory (id);
-- A digest waits until its hour or day is over; until then, everything goes into the same one.
create unique index waiting_digests on mail_directory (project_id, recipient)
  where kind = 'digest' and state = 'queued' and not is_closed;
grant select, insert, update, delete on mail_directory to petstore_app;

-- How many mails of a kind were sent to a recipient in a window of time. Counted here, so that the limit is one for all
-- processes.
create table mail_counts (
  recipient text not null,
  kind text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (recipient, kind, window_start)
);
create index mail_counts_by_window on mail_counts (window_start);
grant select, insert, update, delete on mail_counts to petstore_app;

-- Why nothing is sent now, for operators: one row for each queue whose relay fails.
create table mail_relay_failures (
  queue text primary key check (queue in ('urgent', 'bulk')),
  outcome text not null check (char_length(outcome) <= 60),
  failures integer not null,
  failed_at timestamptz not null default now(),
  retry_at timestamptz not null
);
grant select, insert, update, delete on mail_relay_failures to petstore_app;

-- Addresses that no mail is sent to, by digest: `all` where mail came back, `optional` where the person complained,
-- `invitations` where the person wants no more of those.
create table mail_suppressions (
  digest bytea not null check (octet_length(digest) = 32),
  scope text not null check (scope in ('all', 'optional', 'invitations')),
  -- The codes of the reply or of the report; no text of others.
  reason text not null check (char_length(reason) <= 60),
  created_at timestamptz not null default now(),
  primary key (digest, scope)
);
grant select, insert, update, delete on mail_suppressions to petstore_app;

-- What links and addresses are authenticated with that carry no secret of their own; `request` is for links to the pages of
-- requests. Created when it is first needed, and never shown.
create table mail_secrets (
  purpose text primary key check (purpose in ('unsubscribe', 'bounce', 'request')),
  secret bytea not null check (octet_length(secret) = 32)
);
grant select, insert on mail_secrets to petstore_app;
