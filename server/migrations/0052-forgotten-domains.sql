-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Removes what is left of domains that their project removed so many days ago, or more than a day ago and before the newest
-- so many: at most so many rows at a time, those that refer to others first; 0 when nothing is left. What decides who may hold a name stays: hostname_directory,
-- holder_directory and sighting_directory. A name that is added again later gets a new token.
create function forget_removed_domains(of_project bigint, days integer, most integer, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    since constant timestamptz := now() - make_interval(days => greatest(days, 1));
    gone constant text[] := array(
      select id
      from (
        select id, hostname, removed_at, row_number() over (order by removed_at desc, id) as place
        from domains
        where project_id = of_project and removed_at is not null
      ) as ended
      where (removed_at < since or place > most and removed_at < now() - interval '1 day')
        and not exists (
          select from holder_directory
          where holder_directory.hostname = ended.hostname and domain_id = ended.id and released_at is null
        )
      order by place desc
      limit at_most
    );
    name text;
    removed integer;
  begin
    foreach name in array array['mailed_domains', 'domain_looks', 'domain_events'] loop
      execute format(
        'delete from %1$I
         where project_id = $1 and ctid = any (array(
           select ctid from %1$I where project_id = $1 and domain_id = any ($2) limit $3
         ))', name
      ) using of_project, gone, at_most;
      get diagnostics removed = row_count;
      if removed > 0 then
        return removed;
      end if;
    end loop;
    delete from domain_mails
    where project_id = of_project and opened_at < since and not exists (
      select from mailed_domains
      where mailed_domains.project_id = of_project and mail_id = domain_mails.id
    );
    delete from domains
    where project_id = of_project and id = any (gone);
    get diagnostics removed = row_count;
    return removed;
  end
  $$;
revoke execute on function forget_removed_domains(bigint, integer, integer, integer) from public;
grant execute on function forget_removed_domains(bigint, integer, integer, integer) to petstore_app;
