-- phase: expand
-- oldest-release: 1.0
-- locks: domains access exclusive

-- Directory: digest of a link that shows how the DNS of a domain must be -> project
-- and domain. The link itself is stored nowhere.
create table share_directory (
  digest bytea primary key check (octet_length(digest) = 32),
  project_id bigint not null,
  domain_id text not null,
  -- By the true clock: of two transactions that wait for each other, the later one is younger.
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index shares_by_domain on share_directory (project_id, domain_id, made_at);
create index shares_by_end on share_directory (expires_at);
grant select, insert, delete on share_directory to petstore_app;

-- What the history of a domain has told of its certificate last, so that nothing is told twice: the serial number of
-- the newest one, whether its end was told, and why none could be had since.
alter table domains
  add column told_serial text,
  add column was_expiry_told boolean not null default false,
  add column told_refusal text;
