-- phase: expand
-- oldest-release: 1.0
-- locks: account_links access exclusive
-- locks: email_changes access exclusive
-- locks: recovery_requests access exclusive

-- To which address a link was mailed, by digest: a link that restores an account gives it back to that address. Null: an
-- earlier release mailed it.
alter table account_links add column address_digest bytea check (octet_length(address_digest) = 32);

-- By which a request for recovery from the old address finds what it can undo.
alter table email_changes add column old_email_key text;
create index email_changes_by_old_key on email_changes (old_email_key);

-- Which link was requested: of each there is one request for an address, and the next one takes its place when no link of
-- it can be valid. Null: a notice, or an earlier release inserted it.
alter table recovery_requests add column purpose text check (purpose in ('recovery', 'sign_in'));
create unique index one_request_for_a_link on recovery_requests (email_key, purpose);
