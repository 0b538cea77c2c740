-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Commits that notify wait for each other. The row is what processes read; the program notifies them after its commit.
create or replace function note_revocation() returns trigger
  language plpgsql set search_path = public, pg_temp
  as $$
  begin
    insert into revocation_directory (digest) values (old.digest);
    return null;
  end
  $$;
