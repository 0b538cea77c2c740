-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Accounts: people, how they sign in, and how they get back in. They belong to no project: one person may work in many.
-- Of every secret only the SHA-256 digest is stored, of a password its argon2id string.

-- A deleted account leaves its id in audit events, and nothing else.
create table accounts (
  id text primary key check (id ~ '^acc_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  -- The address as it is compared: every spelling of an address is one account.
  email_key text not null unique,
  name text not null check (char_length(name) between 1 and 100),
  password text not null,
  created_at timestamptz not null default now(),
  -- When the person proved that the address is theirs; null until then.
  verified_at timestamptz,
  -- In which language a person is written to.
  language text not null default 'en' check (language in ('en', 'de', 'fr', 'es')),
  -- Projects that the account has ever created: their slugs are never used again.
  projects_created integer not null default 0 check (projects_created >= 0),
  -- Of the device that the person used last, such as Europe/Berlin, for times in mails; null until it is known.
  time_zone text check (char_length(time_zone) between 1 and 64)
);
grant select, insert, update, delete on accounts to petstore_app;

create table sessions (
  id text primary key check (id ~ '^ses_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- On what the person signed in, in a few words, so that they can tell their sessions from those of others. Null if
  -- that is not known.
  device text check (char_length(device) <= 60),
  -- How long it lasts without use, and until when that is.
  idle_seconds integer not null default 1800 check (idle_seconds > 0),
  idle_until timestamptz not null default now() + interval '30 minutes',
  -- When a password or a passkey that verified its user was last presented; null if neither was.
  proved_at timestamptz,
  -- The passkey with which it began: it ends with it.
  passkey_id text check (passkey_id ~ '^psk_[0-9a-f]{24}$')
);
create index sessions_by_account on sessions (account_id, created_at);
create index sessions_by_end on sessions (expires_at);
create index sessions_by_use on sessions (idle_until);
create index sessions_by_passkey on sessions (passkey_id) where passkey_id is not null;
create trigger session_ended after delete on sessions
  for each row execute function note_revocation();
-- Processes that cache a session read it again.
create trigger session_changed after update of expires_at, proved_at on sessions
  for each row execute function note_revocation();
grant select, insert, update, delete on sessions to petstore_app;

-- Personal access tokens.
create table access_tokens (
  id text primary key check (id ~ '^pat_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  label text not null check (char_length(label) between 1 and 100),
  display text not null,
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  scopes text[] not null default '{read,write}'
    check (scopes <@ '{read,write}' and cardinality(scopes) between 1 and 2)
);
create index access_tokens_by_account on access_tokens (account_id, created_at);
create trigger token_revoked after delete on access_tokens
  for each row execute function note_revocation();
grant select, insert, update, delete on access_tokens to petstore_app;

-- Of a passkey only the public half is here; the secret half never leaves the device.
create table passkeys (
  id text primary key check (id ~ '^psk_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  -- In base64url, as the device names it.
  credential_id text not null unique check (credential_id ~ '^[A-Za-z0-9_-]+$' and char_length(credential_id) <= 1364),
  public_key bytea not null check (octet_length(public_key) between 1 and 2048),
  -- How often the device says that it signed; many always say 0.
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null,
  label text not null check (char_length(label) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);
grant select, insert, update, delete on passkeys to petstore_app;

-- What browsers are asked when a passkey is added or used. A row is deleted when it is answered, rightly or not, so nothing
-- is answered twice.
create table passkey_challenges (
  id text primary key check (id ~ '^chl_[0-9a-f]{24}$'),
  challenge text not null unique check (challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- Who adds a passkey; null for a sign-in, where the person is not known yet.
  account_id text references accounts (id),
  expires_at timestamptz not null,
  -- Who requested it: the oldest of an address group makes room.
  address_group text not null default '' check (char_length(address_group) <= 60)
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_by_group on passkey_challenges (address_group, expires_at);
-- Update is the right to lock a row, with which expired ones are swept.
grant select, insert, update, delete on passkey_challenges to petstore_app;

-- Browsers on which a person has signed in before, by the digest of a cookie. It gives no access: a session that begins on
-- one lasts longer, and a sign-in on another one is announced by mail.
create table known_devices (
  account_id text not null references accounts (id),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (account_id, digest)
);
create index known_devices_by_use on known_devices (seen_at);
grant select, insert, update, delete on known_devices to petstore_app;

-- How many passwords in a row were wrong for an address, on devices that are not known, by the digest of the address,
-- whether or not it has an account. Logged: a crash must not give an attacker another hundred guesses.
create table sign_in_failures (
  digest bytea primary key check (octet_length(digest) = 32),
  count integer not null check (count > 0),
  failed_at timestamptz not null default now()
);
create index sign_in_failures_by_time on sign_in_failures (failed_at);
grant select, insert, update, delete on sign_in_failures to petstore_app;

-- Codes that a person keeps on paper. Each resets the password once.
create table recovery_codes (
  account_id text not null references accounts (id),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  primary key (account_id, digest)
);
grant select, insert, update, delete on recovery_codes to petstore_app;

-- Requests for a link that resets a forgotten password, or signs in: the address as it was entered, whether or not it has
-- an account, so that a response cannot depend on it. The worker that sends the mail decides.
create table recovery_requests (
  id text primary key check (id ~ '^rec_[0-9a-f]{24}$'),
  email_key text not null check (char_length(email_key) between 3 and 254),
  created_at timestamptz not null default now(),
  -- Which link was requested; null for a notice.
  purpose text check (purpose in ('recovery', 'sign_in'))
);
create index recovery_requests_by_time on recovery_requests (created_at);
-- Of each link there is one request for an address; the next one takes its place when no link of it can be valid.
create unique index one_request_for_a_link on recovery_requests (email_key, purpose);
grant select, insert, update, delete on recovery_requests to petstore_app;

-- Changes of an account's address: requested, and confirmed by a link that is mailed to the new address. The old address
-- can undo a change for a week.
create table email_changes (
  id text primary key check (id ~ '^emc_[0-9a-f]{24}$'),
  account_id text not null references accounts (id),
  old_email text not null check (char_length(old_email) between 3 and 254),
  new_email text not null check (char_length(new_email) between 3 and 254),
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz,
  old_email_key text
);
create index email_changes_by_account on email_changes (account_id);
create index email_changes_by_time on email_changes (requested_at);
-- By which a request for recovery from the old address finds what it can undo.
create index email_changes_by_old_key on email_changes (old_email_key);
grant select, insert, update, delete on email_changes to petstore_app;

-- Links that were mailed, by the digest of their secret. A mail that is sent again has another secret; the first that is
-- used ends all of them.
create table account_links (
  digest bytea primary key check (octet_length(digest) = 32),
  account_id text not null references accounts (id),
  mail_id text not null check (mail_id ~ '^mail_[0-9a-f]{24}$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A new password, the end of everything with which the account can be used, a change of address or its undoing, a sign-in.
  purpose text not null default 'recovery'
    check (purpose in ('recovery', 'secure', 'confirm_email', 'undo_email', 'sign_in')),
  -- The change of address that the link is about.
  email_change_id text references email_changes (id) on delete cascade,
  -- To which address it was mailed: a link that restores an account gives it back to that address. Null: to the earliest.
  address_digest bytea check (octet_length(address_digest) = 32)
);
create index account_links_by_account on account_links (account_id, created_at);
create index account_links_by_end on account_links (expires_at);
create index account_links_by_email_change on account_links (email_change_id) where email_change_id is not null;
grant select, insert, update, delete on account_links to petstore_app;

-- Addresses of deleted accounts, until the mail about the deletion has been sent or has ended otherwise.
create table former_addresses (
  id text primary key check (id ~ '^fad_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  mail_id text not null check (mail_id ~ '^mail_[0-9a-f]{24}$')
);
grant select, insert, update, delete on former_addresses to petstore_app;

-- Requests for an account: the address as it was entered, whether or not it has one, so that a response cannot depend on
-- it. The worker that sends the mail decides what it says.
create table sign_up_requests (
  id text primary key check (id ~ '^sup_[0-9a-f]{24}$'),
  email text not null check (char_length(email) between 3 and 254),
  -- An operator or a member has invited the person, where only invited people may sign up.
  is_invited boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_up_requests_by_end on sign_up_requests (expires_at);
grant select, insert, update, delete on sign_up_requests to petstore_app;

-- Links that lead to a new account, by the digest of their secret. The first that is used ends all of its request.
create table sign_up_links (
  digest bytea primary key check (octet_length(digest) = 32),
  request_id text not null references sign_up_requests (id) on delete cascade,
  -- Null where an operator passes it on: it then proves no mailbox.
  mail_id text check (mail_id ~ '^mail_[0-9a-f]{24}$'),
  created_at timestamptz not null default now()
);
create index sign_up_links_by_request on sign_up_links (request_id);
grant select, insert, update, delete on sign_up_links to petstore_app;

-- The history of an account: each action, its actor, and on what device and from what address group. Not a reference: the
-- events of a deleted account stay, with its id alone.
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
