-- phase: expand
-- oldest-release: 1.0
-- locks: certificate_wishes share

-- What one client wants: after a change of the settings every name of the platform is looked at, and
-- there are far fewer of them than custom domains.
create index certificate_wishes_by_client on certificate_wishes (client, hostname) where dropped_at is null;
