-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Directory: one row per hostname that anybody ever added. Whoever verifies, moves
-- or removes it holds this row. The generation is raised each time: what belongs to
-- an older one is never stored and never served.
create table hostname_directory (
  hostname text primary key check (char_length(hostname) between 1 and 253 and hostname = lower(hostname)),
  generation bigint not null default 0
);
grant select, insert, update on hostname_directory to petstore_app;

-- Directory: which project served a hostname, and from which generation on. At most
-- one serves it now, whatever a program does. The last row of a hostname says who
-- proved it last: a token that is older than another project's proof is dead.
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

-- Directory: a CNAME to a default host that was nobody's when it was seen. Whoever
-- takes that slug later has not been named by it.
create table sighting_directory (
  hostname text not null,
  slug text not null,
  seen_at timestamptz not null default now(),
  primary key (hostname, slug)
);
grant select, insert on sighting_directory to petstore_app;

-- A hostname attached to a project: the three axes of its life, each for itself.
-- When it is looked at next is a timer (due_directory, kind 'domain'). A removed
-- domain stays, so that adding the name again finds its token and certificate.
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
  -- What the TXT record must say, and the hostname's generation when it was made up.
  token text not null check (char_length(token) between 26 and 80),
  token_generation bigint not null,
  was_token_seen boolean not null default false,
  -- Earlier tokens of this project for the name that prove nothing any more, newest first.
  stale_tokens text[] not null default '{}',
  -- Of the last three looks at a name that is served, which found it pointing elsewhere (one bit each, the newest
  -- lowest), and since when.
  drift_looks smallint not null default 0 check (drift_looks between 0 and 7),
  drift_since timestamptz,
  added_at timestamptz not null default now(),
  -- When somebody last asked for it: Add domain, Verify, Re-verify. The cadence counts from here.
  asked_at timestamptz not null default now(),
  watched_until timestamptz,
  looked_at timestamptz,
  fully_looked_at timestamptz,
  -- Root cause, its end if it ends by itself, and when we look next; a status is derived, never stored.
  cause text,
  cause_severity text check (cause_severity in ('blocks', 'waits', 'warns')),
  cause_until timestamptz,
  next_look_at timestamptz,
  live_at timestamptz,
  removed_at timestamptz,
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

-- The last full look at a domain: what was judged, and everything that was seen.
-- Apart from the domain's row, which is written far more often.
create table domain_looks (
  project_id bigint not null,
  domain_id text not null,
  at timestamptz not null,
  judgement text not null,
  evidence text not null,
  -- What each server said, short, so that a light look can tell whether anything changed.
  answers text not null,
  -- What the name said when it was first looked at.
  first_look text,
  primary key (project_id, domain_id),
  foreign key (project_id, domain_id) references domains (project_id, id)
);
alter table domain_looks enable row level security;
alter table domain_looks force row level security;
create policy own_project on domain_looks
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on domain_looks to petstore_app;

-- What happened to a domain: written only when something did.
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
grant select, insert on domain_events to petstore_app;

-- The domain a project is known by. The version tells two editors apart.
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
