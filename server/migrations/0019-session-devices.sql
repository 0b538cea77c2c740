-- phase: expand
-- oldest-release: 1.0
-- locks: sessions access exclusive

-- On what somebody signed in, in a few words, so that they know their sessions from those of others. Null where that
-- could not be told, and for sessions that began before.
alter table sessions
  add column device text check (char_length(device) <= 60);
