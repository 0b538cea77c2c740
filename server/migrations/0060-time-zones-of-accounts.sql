-- phase: expand
-- oldest-release: 1.0
-- locks: accounts access exclusive

-- The time zone of the device that the person used last, such as Europe/Berlin, for times in mails; null until it is known.
alter table accounts add column time_zone text check (char_length(time_zone) between 1 and 64);
