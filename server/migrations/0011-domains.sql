-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Domains: hostnames attached to projects, what was found about them, and the mails about them.

-- Directory: one row per hostname that any project ever added. A transaction that verifies, moves or removes it locks this
-- row. The generation is raised each time: what belongs to an older one is never stored and never served.
create table hostname_directory (
  hostname text primary key check (char_length(hostname) between 1 and 253 and hostname = lower(hostname)),
  generation bigint not null default 0
);
grant select, insert, update on hostname_directory to petstore_app;

-- Directory: which project served a hostname, and from which generation on. At most one serves it now, whatever a program
-- does. The last row of a hostname says which project proved it last: a token that is older than another project's proof
-- is invalid.
create table holder_directory (
  hostname text not null,
  generation bigint not null,
  project_id bigint not null,
  domain_id text not null,
  verified_at timestamptz not null default now(),
  released_at timestamptz,
  primary key (hostname, generation)
);
create unique index one_project_serves_a_name on holder_directory (hostname) where released_at is null;
grant select, insert, update on holder_directory to petstore_app;

-- Directory: a CNAME to a default host that belonged to no project when it was seen. A project that takes that slug later
-- has not been named by it.
create table sighting_directory (
  hostname text not null,
  slug text not null,
  seen_at timestamptz not null default now(),
  primary key (hostname, slug)
);
grant select, insert on sighting_directory to petstore_app;

-- A hostname attached to a project: the three axes of its life, each separately. Its next check is a timer (due_directory,
-- kind 'domain'). A removed domain stays for a time, so that adding the name again finds its token and certificate.
create table domains (
  project_id bigint not null,
  id text not null check (id ~ '^dom_[0-9a-f]{24}$'),
  hostname text not null,
  ownership text not null default 'unproven'
    check (ownership in ('unproven', 'proven', 'contested', 'lost', 'released')),
  proof text check (proof in ('cname', 'txt')),
  routing text not null default 'unknown'
    check (routing in ('unknown', 'missing', 'wrong', 'conflict', 'propagating', 'pointing', 'drifted', 'unreachable')),
  certificate text not null default 'none'
    check (certificate in ('none', 'blocked', 'queued', 'validating', 'issued', 'deployed', 'renewing',
      'renewal_failing', 'expired', 'rate_limited')),
  -- Asleep after 30 days without success, or paused because of the plan.
  rest text check (rest in ('dormant', 'paused')),
  -- The generation of the hostname under which this project holds it; null if it does not.
  generation bigint,
  -- What the TXT record must say, and the hostname's generation when it was created.
  token text not null check (char_length(token) between 26 and 80),
  token_generation bigint not null,
  was_token_seen boolean not null default false,
  -- Earlier tokens of this project for the name that no longer prove anything, newest first.
  stale_tokens text[] not null default '{}',
  -- Of the last three checks of a name that is served, which found it pointing elsewhere (one bit each, the newest lowest),
  -- and since when.
  drift_looks smallint not null default 0 check (drift_looks between 0 and 7),
  drift_since timestamptz,
  added_at timestamptz not null default now(),
  -- When a member last requested a check: Add domain, Verify, Re-verify. The cadence counts from here.
  asked_at timestamptz not null default now(),
  watched_until timestamptz,
  looked_at timestamptz,
  fully_looked_at timestamptz,
  -- Root cause, its end if it ends automatically, and when the next check is; a status is derived, never stored.
  cause text,
  cause_severity text check (cause_severity in ('blocks', 'waits', 'warns')),
  cause_until timestamptz,
  next_look_at timestamptz,
  live_at timestamptz,
  removed_at timestamptz,
  -- What the history last said of its certificate, so that nothing is recorded twice: the serial number of the newest one,
  -- whether its end was recorded, and why none could be issued since.
  told_serial text,
  was_expiry_told boolean not null default false,
  told_refusal text,
  -- For its mails. The cause that may be mailed, since when it has been found, and by how many checks.
  problem text,
  problem_since timestamptz,
  problem_checks smallint not null default 0,
  is_problem_mailed boolean not null default false,
  -- Since when visitors of a domain that was live do not reach it.
  down_since timestamptz,
  -- Whether an alert was mailed that no restoration has followed.
  was_alerted boolean not null default false,
  -- How many reminders of a domain that is not yet live were due.
  reminders smallint not null default 0,
  -- The certificate whose failing renewal was mailed, and at which of the three times.
  renewal_serial text,
  renewal_stage smallint not null default 0,
  primary key (project_id, id),
  check ((ownership in ('released', 'lost')) = (removed_at is not null)),
  check ((ownership = 'proven') = (generation is not null)),
  check (removed_at is not null or next_look_at is not null)
) with (fillfactor = 80);
create unique index domains_by_hostname on domains (project_id, hostname) where removed_at is null;
alter table domains enable row level security;
alter table domains force row level security;
create policy own_project on domains
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on domains to petstore_app;

-- The last full check of a domain: its judgement, and everything that was seen. Apart from the domain's row, which is
-- written far more often.
create table domain_looks (
  project_id bigint not null,
  domain_id text not null,
  at timestamptz not null,
  judgement text not null,
  evidence text not null,
  -- What each server answered, abridged, so that a light check can tell whether anything changed.
  answers text not null,
  -- What the name's DNS was at the first check.
  first_look text,
  primary key (project_id, domain_id),
  foreign key (project_id, domain_id) references domains (project_id, id)
);
alter table domain_looks enable row level security;
alter table domain_looks force row level security;
create policy own_project on domain_looks
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on domain_looks to petstore_app;

-- The history of a domain: one row for each change.
create table domain_events (
  project_id bigint not null,
  domain_id text not null,
  number integer not null check (number >= 1),
  at timestamptz not null default now(),
  kind text not null,
  code text,
  detail text not null default '{}',
  primary key (project_id, domain_id, number),
  foreign key (project_id, domain_id) references domains (project_id, id)
);
alter table domain_events enable row level security;
alter table domain_events force row level security;
create policy own_project on domain_events
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on domain_events to petstore_app;

-- The primary domain of a project. The version distinguishes concurrent editors.
create table domain_settings (
  project_id bigint primary key,
  version integer not null default 0 check (version >= 0),
  primary_id text,
  foreign key (project_id, primary_id) references domains (project_id, id)
);
alter table domain_settings enable row level security;
alter table domain_settings force row level security;
create policy own_project on domain_settings
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on domain_settings to petstore_app;

create table redirects (
  project_id bigint not null,
  from_id text not null,
  to_id text not null check (to_id <> from_id),
  status smallint not null default 301 check (status in (301, 302, 307, 308)),
  primary key (project_id, from_id),
  foreign key (project_id, from_id) references domains (project_id, id),
  foreign key (project_id, to_id) references domains (project_id, id)
);
alter table redirects enable row level security;
alter table redirects force row level security;
create policy own_project on redirects
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on redirects to petstore_app;

-- Directory: digest of a link that shows the required DNS of a domain -> project and domain. The link itself is not
-- stored.
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

-- A mail about domains of one project with the same cause. It stays open for a short time, in which more domains join it;
-- its text is composed when it is sent, which closes it.
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

-- New addresses of the edges that were announced to a project; the same ones are not announced to it twice.
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

create function limit_domain_events(of_project bigint, of_domain text, most integer) returns integer
  language plpgsql set search_path = public, pg_temp as $$
  declare
    removed integer;
  begin
    delete from domain_events
    where project_id = of_project and domain_id = of_domain and number <= (
      select max(number) from domain_events where project_id = of_project and domain_id = of_domain
    ) - most;
    get diagnostics removed = row_count;
    return removed;
  end
  $$;

-- Removes what is left of domains that their project removed so many days ago, or more than a day ago and before the newest
-- so many: at most so many rows at a time, those that refer to others first; 0 when nothing is left. What decides who may
-- hold a name stays: hostname_directory, holder_directory and sighting_directory. A name that is added again later gets a
-- new token.
create function forget_removed_domains(of_project bigint, days integer, most integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    since constant timestamptz := now() - make_interval(days => greatest(days, 1));
    gone constant text[] := array(
      select id
      from (
        select id, hostname, removed_at, row_number() over (order by removed_at desc, id) as place
        from domains
        where project_id = of_project and removed_at is not null
      ) as ended
      where (removed_at < since or place > most and removed_at < now() - interval '1 day')
        and not exists (
          select from holder_directory
          where holder_directory.hostname = ended.hostname and domain_id = ended.id and released_at is null
        )
      order by place desc
      limit at_most
    );
    name text;
    removed integer;
  begin
    foreach name in array array['mailed_domains', 'domain_looks', 'domain_events'] loop
      execute format(
        'delete from %1$I
         where project_id = $1 and ctid = any (array(
           select ctid from %1$I where project_id = $1 and domain_id = any ($2) limit $3
         ))', name
      ) using of_project, gone, at_most;
      get diagnostics removed = row_count;
      if removed > 0 then
        return removed;
      end if;
    end loop;
    delete from domain_mails
    where project_id = of_project and opened_at < since and not exists (
      select from mailed_domains
      where mailed_domains.project_id = of_project and mail_id = domain_mails.id
    );
    delete from domains
    where project_id = of_project and id = any (gone);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;
revoke execute on function forget_removed_domains(bigint, integer, integer, integer) from public;
grant execute on function forget_removed_domains(bigint, integer, integer, integer) to petstore_app;
