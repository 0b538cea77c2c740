-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Deletes rows of a project that was deleted so many days ago, at least one, and returns how many; null if it was not. A
-- function of the owner's, because the program may not delete open requests, members' rights or recent events otherwise.
-- Row-level security binds the owner too: nothing of another project can be deleted. What stays: the project and its slug,
-- which is never used again; photos, their files and timers, which a timer of their own removes; domains, whose history
-- shows who held a name; and idempotency keys, which expire.
create function erase_deleted_project(of_project bigint, days integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    -- Those that refer to others first.
    tables constant text[] := array[
      'order_notes', 'request_confirmations', 'orders', 'pet_profiles', 'pets', 'categories', 'import_rows', 'import_parts',
      'imports', 'published', 'deployments', 'sites', 'blobs', 'invitations', 'members', 'notification_settings',
      'plan_requests', 'api_keys', 'audit', 'request_settings', 'site_secrets', 'stored_usage', 'key_directory',
      'member_directory', 'invitation_directory', 'invited_directory', 'share_directory', 'mail_directory'
    ];
    name text;
    removed integer;
  begin
    perform from projects
    where project_id = of_project and project_id = any ((select allowed_projects())::bigint[])
      and deleted_at < now() - make_interval(days => greatest(days, 1));
    if not found then
      return null;
    end if;
    foreach name in array tables loop
      execute format(
        'delete from %1$I where ctid = any (array(select ctid from %1$I where project_id = $1 limit $2))', name
      ) using of_project, at_most;
      get diagnostics removed = row_count;
      if removed > 0 then
        return removed;
      end if;
    end loop;
    return 0;
  end
  $$;
revoke execute on function erase_deleted_project(bigint, integer, integer) from public;
grant execute on function erase_deleted_project(bigint, integer, integer) to petstore_app;
