-- phase: expand
-- oldest-release: 1.0
-- locks: account_links access exclusive
-- locks: accounts share row exclusive

-- Changes of an account's address: requested, and confirmed by a link that is mailed to the new
-- address. The old address can undo a change for a week.
create table email_changes (
  id text primary key check (id ~ '^emc_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  old_email text not null check (char_length(old_email) between 3 and 254),
  new_email text not null check (char_length(new_email) between 3 and 254),
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz
);
create index email_changes_by_account on email_changes (account_id);
create index email_changes_by_time on email_changes (requested_at);
grant select, insert, update, delete on email_changes to petstore_app;

alter table account_links
  drop constraint account_links_purpose_check,
  add constraint account_links_purpose_check
    check (purpose in ('recovery', 'secure', 'confirm_email', 'undo_email')),
  -- The change of address that the link is about.
  add column email_change_id text references email_changes (id) on delete cascade;
create index account_links_by_email_change on account_links (email_change_id) where email_change_id is not null;
