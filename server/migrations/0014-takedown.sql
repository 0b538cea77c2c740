-- phase: expand
-- oldest-release: 1.0
-- locks: route_directory access exclusive
-- locks: slug_directory access exclusive

-- The operator can suspend a project: its API, its sites and changes in the dashboard are closed until it is resumed. The
-- state is in the directory of slugs, where each process finds it together with the project of a key or of a hostname.
alter table slug_directory add column suspended_at timestamptz;
create index slugs_by_project on slug_directory (project_id);
grant update (suspended_at) on slug_directory to petstore_app;

-- A row of the host table that says that a slug is suspended has no certificate.
alter table route_directory
  drop constraint route_directory_check1,
  add constraint route_directory_check1 check ((kind in ('gone', 'suspended')) = (serial is null));

-- What visitors report about a site. It is for the operator and about the owners, so it is no row of the project: nothing
-- that runs for its members reads it, and it outlives the project.
create table site_reports (
  id text primary key check (id ~ '^rep_[0-9a-f]{24}$'),
  slug text not null,
  host text not null check (char_length(host) <= 261),
  message text not null check (char_length(message) <= 2000),
  contact text not null check (char_length(contact) <= 254),
  reported_at timestamptz not null default now()
);
create index site_reports_by_age on site_reports (reported_at);
grant select, insert, delete on site_reports to petstore_app;
