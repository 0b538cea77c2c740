-- phase: expand
-- oldest-release: 1.0
-- locks: imports access exclusive

-- How often each host took too long to send a photo that the file of the import names: a few times, and the import gives it up.
alter table imports add column late_hosts jsonb not null default '{}';
