-- phase: expand
-- oldest-release: 1.0
-- locks: edge_directory access exclusive

-- An edge next to `serve` terminates TLS for dashboard and API as well, and may have their
-- certificates. Others never receive them.
alter table edge_directory add column serves_api boolean not null default false;
