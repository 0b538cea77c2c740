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
