-- phase: expand
-- oldest-release: 1.0
-- locks: certificates share

-- When the first certificate in use ends is measured every 15 seconds; without an index that would read all of them.
create index certificates_by_end on certificates (not_after) where kept_until is null;
