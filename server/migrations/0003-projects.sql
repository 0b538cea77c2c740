-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Projects: the tenants of everything, with their members, invitations, API keys and audit events.

-- Ids travel as JSON numbers, so none is assigned that a JavaScript client would round. With several databases the
-- sequences are strided.
create sequence project_ids as bigint maxvalue 9007199254740991;
grant usage on sequence project_ids to petstore_app;
create table projects (
  project_id bigint primary key default nextval('project_ids') check (project_id between 1 and 9007199254740991),
  slug text not null,
  name text not null check (char_length(name) between 1 and 255),
  created_at timestamptz not null default now(),
  plan text not null default 'free' check (plan in ('free', 'pro', 'enterprise')),
  deleted_at timestamptz,
  -- Whether visitors who leave an email address are mailed about their requests.
  mails_visitors boolean not null default true,
  -- Which words the site uses. Null until the owner chooses.
  kind text check (kind in ('shelter', 'shop'))
);
alter table projects enable row level security;
alter table projects force row level security;
create policy own_project on projects
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on projects to petstore_app;

-- Directory: slug -> project. Global, small, and the one place where a slug is unique. A row stays permanently, so that a
-- slug is never assigned again.
create table slug_directory (
  slug text primary key check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' and slug ~ '[a-z]'),
  project_id bigint not null
);
grant select, insert on slug_directory to petstore_app;

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

-- Directory: account -> the projects it is a member of. Its role is read in the project.
create table member_directory (
  account_id text not null,
  project_id bigint not null,
  primary key (account_id, project_id)
);
grant select, insert, delete on member_directory to petstore_app;

-- An invitation names an address. If it is mailed, only that address can accept it.
create table invitations (
  project_id bigint not null,
  id text not null check (id ~ '^inv_[0-9a-f]{24}$'),
  role text not null check (role in ('viewer', 'admin', 'owner')),
  note text not null check (char_length(note) between 0 and 100),
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  email text not null check (char_length(email) <= 254),
  is_mailed boolean not null,
  primary key (project_id, id)
);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy own_project on invitations
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on invitations to petstore_app;
-- To lock one while a link is added to it.
grant update (is_mailed) on invitations to petstore_app;

-- Directory: digest of an invitation's link -> project and invitation. Each attempt to mail an invitation has a link of its
-- own, so links are here alone.
create table invitation_directory (
  digest bytea primary key check (octet_length(digest) = 32),
  project_id bigint not null,
  invitation_id text not null,
  created_at timestamptz not null default now()
);
create index invitation_links on invitation_directory (project_id, invitation_id);
grant select, insert, delete on invitation_directory to petstore_app;

-- Directory: digest of an address -> the invitations that are open for it, so that an invited person can sign up where only
-- invited people may.
create table invited_directory (
  address_digest bytea not null check (octet_length(address_digest) = 32),
  project_id bigint not null,
  invitation_id text not null,
  expires_at timestamptz not null,
  primary key (address_digest, project_id, invitation_id)
);
create index invited_addresses on invited_directory (project_id, invitation_id);
create index invited_by_end on invited_directory (expires_at);
grant select, insert, delete on invited_directory to petstore_app;

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

-- API keys. Only the SHA-256 digest of a key is stored: the input has 190 random bits, so a slow hash would protect nothing
-- more.
create table api_keys (
  project_id bigint not null,
  id text not null check (id ~ '^key_[0-9A-Za-z]{16,}$'),
  label text not null check (char_length(label) between 1 and 100),
  display_prefix text not null,
  last_four text not null,
  digest bytea not null check (octet_length(digest) = 32),
  scopes text[] not null check (
    cardinality(scopes) > 0 and scopes <@ array['pets:read', 'pets:write', 'orders:read']
  ),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  deprecated_calls bigint not null default 0,
  -- The account that created the key, so that its keys can be decided on when it leaves. Null: the operator.
  created_by text check (created_by ~ '^acc_[0-9a-f]{24}$'),
  primary key (project_id, id)
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy own_project on api_keys
  using (project_id = any ((select allowed_projects())::bigint[]));
create policy ended_keys on api_keys as restrictive for delete to petstore_app
  using (revoked_at is not null or expires_at < now());
create trigger key_changed
  after update of expires_at, revoked_at, scopes, digest or delete on api_keys
  for each row execute function note_revocation();
grant select, insert, delete on api_keys to petstore_app;
grant update (expires_at, revoked_at, last_used_at, deprecated_calls) on api_keys to petstore_app;

-- Directory: digest of a key -> project and key. Whether the key is still valid is read from its row in the project.
create table key_directory (
  digest bytea primary key check (octet_length(digest) = 32),
  project_id bigint not null,
  key_id text not null
);
grant select, insert, delete on key_directory to petstore_app;

-- Audit events: written in the transaction of the action, and never changed. `actor` is an account, or `visitor`,
-- `operator`, `petstore` itself.
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
-- Old events are removed, but never those of the last day: what happened must not be hidden by what happens next.
create policy old_events on audit as restrictive for delete to petstore_app
  using (at < now() - interval '1 day');
grant select, insert, delete on audit to petstore_app;

-- The functions limit_… of this file and the next ones keep rows within their limit, by age or number. They run with the
-- rights of the caller, for one project that it may see, and return how many rows they removed, so that the caller repeats
-- what is bounded.
create function limit_audit(of_project bigint, days integer, most bigint, at_most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    last_beyond bigint;
    removed integer;
  begin
    select id into last_beyond from audit where project_id = of_project order by id desc offset most limit 1;
    delete from audit
    where project_id = of_project
      and (at < now() - make_interval(days => days) or id <= coalesce(last_beyond, 0))
      and id in (select id from audit where project_id = of_project order by id limit at_most);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

create function limit_ended_keys(of_project bigint, days integer, most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    with ended as (
      select id, least(revoked_at, expires_at) as ended_at
      from api_keys
      where project_id = of_project and least(revoked_at, expires_at) < now()
    ), gone as (
      delete from api_keys
      where project_id = of_project and id in (
        select id from ended where ended_at < now() - make_interval(days => days)
        union all
        (select id from ended order by ended_at desc, id offset most)
      )
      returning digest
    )
    delete from key_directory
    where project_id = of_project and digest in (select digest from gone);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- Deletes rows of a project that was deleted so many days ago, at least one, and returns how many; null if it was not, or
-- if it has a domain that is not removed: its name may still be held, and its timer frees it. A function of the owner's,
-- because the program may not delete open requests, members' rights or recent events otherwise. Row-level security binds
-- the owner too: nothing of another project can be deleted. Domains go as well: their events alone may be a thousand each,
-- and who held a name, and when, is in holder_directory.
-- What stays: the project and its slug, which is never used again; photos, their files and timers, which a timer of their
-- own removes; and idempotency keys, which expire.
create function erase_deleted_project(of_project bigint, days integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    -- Those that refer to others first.
    tables constant text[] := array[
      'order_notes', 'request_confirmations', 'orders', 'pet_profiles', 'pets', 'categories', 'import_rows', 'import_parts',
      'imports', 'published', 'deployments', 'sites', 'blobs', 'invitations', 'members', 'notification_settings',
      'plan_requests', 'api_keys', 'audit', 'request_settings', 'site_secrets', 'stored_usage', 'key_directory',
      'member_directory', 'invitation_directory', 'invited_directory', 'share_directory', 'mail_directory',
      'address_announcements', 'mailed_domains', 'domain_mails', 'redirects', 'domain_settings', 'domain_looks',
      'domain_events', 'domains'
    ];
    name text;
    removed integer;
  begin
    perform from projects
    where project_id = of_project and project_id = any ((select allowed_projects())::bigint[])
      and deleted_at < now() - make_interval(days => greatest(days, 1))
      and not exists (select from domains where domains.project_id = of_project and removed_at is null);
    if not found then
      return null;
    end if;
    foreach name in array tables loop
      execute format(
        'delete from %1$I where ctid = any (array(select ctid from %1$I where project_id = $1 limit $2))', name
      ) using of_project, at_most;
      get diagnostics removed = row_count;
      if removed > 0 then
        return removed;
      end if;
    end loop;
    return 0;
  end
  $$;
revoke execute on function erase_deleted_project(bigint, integer, integer) from public;
grant execute on function erase_deleted_project(bigint, integer, integer) to petstore_app;
