-- phase: expand
-- oldest-release: 1.0
-- locks: account_links access exclusive
-- locks: rate_directory access exclusive

-- How many passwords in a row were wrong for an address, on devices that are not known, by the digest of the address,
-- whether or not it has an account. Logged: a crash must not give an attacker another hundred guesses.
create table sign_in_failures (
  digest bytea primary key check (octet_length(digest) = 32),
  count integer not null check (count > 0),
  failed_at timestamptz not null default now()
);
create index sign_in_failures_by_time on sign_in_failures (failed_at);
grant select, insert, update, delete on sign_in_failures to petstore_app;

-- Links that sign in.
alter table account_links
  drop constraint account_links_purpose_check,
  add constraint account_links_purpose_check
    check (purpose in ('recovery', 'secure', 'confirm_email', 'undo_email', 'sign_in'));

-- What is counted before it is known to have failed is taken back when it succeeds.
alter table rate_directory
  drop constraint rate_directory_count_check,
  add constraint rate_directory_count_check check (count >= 0);
