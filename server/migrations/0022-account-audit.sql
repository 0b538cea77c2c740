-- phase: expand
-- oldest-release: 1.0
-- locks: account_links access exclusive

-- What happened to an account: who did it, on what device and from what address group. Not a
-- reference: the events of a deleted account stay, with its id alone.
create sequence account_audit_ids as bigint maxvalue 9007199254740991;
grant usage on sequence account_audit_ids to petstore_app;
create table account_audit (
  account_id text not null check (account_id ~ '^acc_[0-9a-f]{24}$'),
  id bigint not null default nextval('account_audit_ids'),
  at timestamptz not null default now(),
  action text not null check (action ~ '^[a-z]+(_[a-z]+)*$'),
  -- The person, an operator, or a visitor who has only a link.
  actor text not null check (actor in ('person', 'operator', 'visitor')),
  device text check (char_length(device) <= 60),
  address_group text check (char_length(address_group) <= 60),
  -- The ids that it is about, by name.
  subject jsonb not null default '{}' check (jsonb_typeof(subject) = 'object' and pg_column_size(subject) <= 1000),
  primary key (account_id, id)
);
create index account_audit_by_time on account_audit (at);
grant select, insert, update, delete on account_audit to petstore_app;

-- What a mailed link is for: a new password, or the end of everything with which the account can
-- be used.
alter table account_links
  add column purpose text not null default 'recovery' check (purpose in ('recovery', 'secure'));
