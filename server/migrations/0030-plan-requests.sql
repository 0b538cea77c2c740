-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Requests for another plan, which the operator answers.
create table plan_requests (
  project_id bigint not null,
  id text not null check (id ~ '^plr_[0-9a-f]{24}$'),
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  message text not null check (char_length(message) <= 1000),
  requested_by text not null,
  requested_at timestamptz not null default now(),
  answer text check (answer in ('granted', 'declined')),
  reason text check (char_length(reason) <= 500),
  answered_at timestamptz,
  primary key (project_id, id),
  check ((answer is null) = (answered_at is null))
);
create unique index open_plan_requests on plan_requests (project_id) where answer is null;
alter table plan_requests enable row level security;
alter table plan_requests force row level security;
create policy own_project on plan_requests
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update on plan_requests to petstore_app;
