-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- As before, and what domains leave: their events alone may be a thousand each. Who held a name, and when, is in
-- holder_directory. While a domain is not removed, its name may still be held, so null is returned: its timer frees it.
-- What stays: the project and its slug, which is never used again; photos, their files and timers, which a timer of their own
-- removes; and idempotency keys, which expire.
create or replace function erase_deleted_project(of_project bigint, days integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    -- Those that refer to others first.
    tables constant text[] := array[
      'order_notes', 'request_confirmations', 'orders', 'pet_profiles', 'pets', 'categories', 'import_rows', 'import_parts',
      'imports', 'published', 'deployments', 'sites', 'blobs', 'invitations', 'members', 'notification_settings',
      'plan_requests', 'api_keys', 'audit', 'request_settings', 'site_secrets', 'stored_usage', 'key_directory',
      'member_directory', 'invitation_directory', 'invited_directory', 'share_directory', 'mail_directory',
      'address_announcements', 'mailed_domains', 'domain_mails', 'redirects', 'domain_settings', 'domain_looks',
      'domain_events', 'domains'
    ];
    name text;
    removed integer;
  begin
    perform from projects
    where project_id = of_project and project_id = any ((select allowed_projects())::bigint[])
      and deleted_at < now() - make_interval(days => greatest(days, 1))
      and not exists (select from domains where domains.project_id = of_project and removed_at is null);
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
