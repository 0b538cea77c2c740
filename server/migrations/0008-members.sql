-- phase: expand
-- oldest-release: 1.0
-- locks: api_keys access exclusive
-- locks: projects access exclusive

-- Who may do what in a project, who was invited, and who did what.
alter table projects add column plan text not null default 'free' check (plan in ('free', 'pro', 'enterprise'));
alter table projects add column deleted_at timestamptz;

create table members (
  project_id bigint not null,
  account_id text not null,
  role text not null check (role in ('viewer', 'admin', 'owner')),
  added_at timestamptz not null default now(),
  primary key (project_id, account_id)
);
alter table members enable row level security;
alter table members force row level security;
create policy own_project on members
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on members to petstore_app;

-- Directory: account -> the projects it is a member of. What it may do there is
-- read in the project.
create table member_directory (
  account_id text not null,
  project_id bigint not null,
  primary key (account_id, project_id)
);
grant select, insert, delete on member_directory to petstore_app;

create table invitations (
  project_id bigint not null,
  id text not null check (id ~ '^inv_[0-9a-f]{24}$'),
  role text not null check (role in ('viewer', 'admin', 'owner')),
  note text not null check (char_length(note) between 0 and 100),
  digest bytea not null check (octet_length(digest) = 32),
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (project_id, id)
);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy own_project on invitations
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on invitations to petstore_app;

-- Directory: digest of an invitation's link -> project and invitation.
create table invitation_directory (
  digest bytea primary key check (octet_length(digest) = 32),
  project_id bigint not null,
  invitation_id text not null
);
grant select, insert, delete on invitation_directory to petstore_app;

-- Who did what, when. Written in the transaction of what was done, and never
-- changed. `actor` is an account, or `visitor`, `operator`, `petstore` itself.
create sequence audit_ids as bigint maxvalue 9007199254740991;
grant usage on sequence audit_ids to petstore_app;
create table audit (
  project_id bigint not null,
  id bigint not null default nextval('audit_ids'),
  at timestamptz not null default now(),
  actor text not null,
  action text not null check (action ~ '^[a-z]+(_[a-z]+)*$'),
  subject text not null,
  detail jsonb not null default '{}',
  primary key (project_id, id)
);
alter table audit enable row level security;
alter table audit force row level security;
create policy own_project on audit
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert on audit to petstore_app;

alter table api_keys add column deprecated_calls bigint not null default 0;
grant update (deprecated_calls) on api_keys to petstore_app;

-- Directory: what is due when. A row is a timer: a worker claims it for a while,
-- does the work, and takes it away or sets it to a later time. It says where to
-- look and holds nobody's data. `fence` rises with each claim, so that a worker
-- that was away for too long finds that its claim is over.
create table due_directory (
  kind text not null check (kind ~ '^[a-z_]+$'),
  project_id bigint not null,
  id text not null,
  due_at timestamptz not null,
  claimed_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  primary key (kind, project_id, id)
);
create index due_by_time on due_directory (due_at);
grant select, insert, update, delete on due_directory to petstore_app;
