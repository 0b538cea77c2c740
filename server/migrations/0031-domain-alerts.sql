-- phase: expand
-- oldest-release: 1.0
-- locks: domains access exclusive

-- What is remembered of a domain for its mails.
alter table domains
  -- The cause that may be mailed, since when it has been found, and by how many checks.
  add column problem text,
  add column problem_since timestamptz,
  add column problem_checks smallint not null default 0,
  add column is_problem_mailed boolean not null default false,
  -- Since when visitors of a domain that was live do not reach it.
  add column down_since timestamptz,
  -- Whether an alert was mailed that no restoration has followed.
  add column was_alerted boolean not null default false,
  -- How many reminders of a domain that is not yet live were due.
  add column reminders smallint not null default 0,
  -- The certificate whose failing renewal was mailed, and at which of the three times.
  add column renewal_serial text,
  add column renewal_stage smallint not null default 0;

-- A mail about domains of one project with the same cause. It stays open for a short time, in which more domains
-- join it; what it says is read when it is sent, and closes it.
create table domain_mails (
  project_id bigint not null,
  id text not null check (id ~ '^dma_[0-9a-f]{24}$'),
  kind text not null check (kind ~ '^[a-z_]{1,60}$'),
  -- Empty where there is none.
  cause text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (project_id, id)
);
create unique index open_domain_mails on domain_mails (project_id, kind, cause) where closed_at is null;
alter table domain_mails enable row level security;
alter table domain_mails force row level security;
create policy own_project on domain_mails
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on domain_mails to petstore_app;

create table mailed_domains (
  project_id bigint not null,
  mail_id text not null,
  domain_id text not null,
  at timestamptz not null,
  primary key (project_id, mail_id, domain_id),
  foreign key (project_id, mail_id) references domain_mails (project_id, id),
  foreign key (project_id, domain_id) references domains (project_id, id)
);
create index mailed_domains_by_domain on mailed_domains (project_id, domain_id, at);
alter table mailed_domains enable row level security;
alter table mailed_domains force row level security;
create policy own_project on mailed_domains
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on mailed_domains to petstore_app;

-- New addresses of the edges that a project was told of; the same ones are not announced to it twice.
create table address_announcements (
  project_id bigint not null,
  id text not null check (id ~ '^ann_[0-9a-f]{24}$'),
  addresses text[] not null check (cardinality(addresses) >= 1),
  starts_on date not null,
  announced_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, addresses, starts_on)
);
alter table address_announcements enable row level security;
alter table address_announcements force row level security;
create policy own_project on address_announcements
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert on address_announcements to petstore_app;
