-- phase: expand
-- oldest-release: 1.0
-- locks: certificate_wishes share

-- The platform's own names that have or want a certificate: after a change of the settings each of
-- them is looked at, and there are far fewer than custom domains.
create index certificate_wishes_of_platform on certificate_wishes (hostname)
  where client = 'platform' and dropped_at is null;
