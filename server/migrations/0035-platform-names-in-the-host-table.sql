-- phase: expand
-- oldest-release: 1.0
-- locks: route_directory access exclusive

-- The platform's own names join the host table: the name of the dashboard and the API (`service`)
-- and the certificate of all default addresses (`wildcard`, whose hostname is `*.<platform host>`)
-- belong to no project; `suspended` is a site whose project was suspended. Every row that was
-- allowed before is allowed afterwards.
alter table route_directory
  drop constraint route_directory_kind_check,
  drop constraint route_directory_check,
  add constraint route_directory_kind_check
    check (kind in ('site', 'redirect', 'gone', 'service', 'wildcard', 'suspended')),
  add constraint route_directory_slug_check
    check ((kind in ('gone', 'service', 'wildcard')) = (slug is null));
