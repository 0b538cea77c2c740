/**
 * Prints the schema `public` of a database as SQL to read, from the catalogue: what the migrations add up to, in one
 * text that is reviewed like code. It depends on the schema alone: not on the order in which that came about, not on
 * the session's settings, and (the bodies of views aside) not on whether PostgreSQL is 15 or 18. It is no dump: a
 * foreign key may stand above the table that it refers to.
 *
 * A kind of object that it cannot print (an aggregate, a rule, …) is an error rather than left out, because a change
 * that the print does not show is a change that nobody reviews.
 */
import type pg from 'pg'

const head = '-- The schema after all migrations. Printed by "npm run schema"; reviewed like code, compared in CI.'

/** The settings that change how PostgreSQL writes names, constants and expressions. */
const session = {
  search_path: 'public',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  quote_all_identifiers: 'off',
}

export async function printSchema(client: pg.Client | pg.ClientBase): Promise<string> {
  const apply = 'select set_config(key, value, false) from jsonb_each_text($1::jsonb)'
  const read = 'select jsonb_object_agg(key, current_setting(key))::text as value from jsonb_object_keys($1::jsonb) key'
  const before = await client.query<{ value: string }>(read, [JSON.stringify(session)])
  await client.query(apply, [JSON.stringify(session)])
  try {
    const blocks = new Map<string, string[]>()
    for (const sql of sections) {
      for (const { block, line } of (await client.query<{ block: string; line: string }>(withObjects + sql)).rows) {
        blocks.set(block, [...(blocks.get(block) ?? []), line.trimEnd()])
      }
    }
    const unknown = blocks.get('unknown')
    if (unknown) throw new Error(`printSchema cannot print: ${unknown.join(', ')}. Teach it.`)
    const body = [...blocks.values()].map((lines) => lines.join('\n')).join('\n\n')
    return `${head}\n\n${lowerCase(body)}\n`
  } finally {
    // In a transaction that has failed this fails too, and is not needed: the rollback undoes the settings.
    await client.query(apply, [before.rows[0]?.value]).catch(() => {})
  }
}

/** PostgreSQL writes its keywords in capitals. Strings, quoted names and the bodies of functions stay as they are. */
function lowerCase(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[^]*?\1|[A-Z]+/g, (part) =>
    /^[A-Z]/.test(part) ? part.toLowerCase() : part,
  )
}

/**
 * `object` is everything that has an owner and rights, less what belongs to an extension. Its `block` is what SQL calls
 * it (`table pet`) and names its block of the print; its `class` is the letter by which acldefault knows its kind.
 */
const withObjects = `
with member as (
  select classid, objid from pg_depend where deptype = 'e'
), relation as (
  select c.*, quote_ident(relname) as name, kind || quote_ident(relname) as block,
    coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') as options
  from pg_class c
    join (values ('r', 'table '), ('p', 'table '), ('v', 'view '), ('m', 'materialized view ')) k (letter, kind)
    on relkind = letter::"char"
  where relnamespace = 'public'::regnamespace and ('pg_class'::regclass, oid) not in (table member)
), object as (
  select * from (
    select 'pg_namespace'::regclass, oid, 1, 'schema public', 'n'::"char", nspowner, nspacl
      from pg_namespace where nspname = 'public'
    union all
    select 'pg_type'::regclass, oid, 2, case typtype when 'd' then 'domain ' else 'type ' end || oid::regtype,
        'T', typowner, typacl
      from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
    union all
    select 'pg_class'::regclass, oid, 3, 'sequence ' || quote_ident(relname), 's', relowner, relacl
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union all
    select 'pg_proc'::regclass, oid, 4,
        case prokind when 'p' then 'procedure ' else 'function ' end || oid::regprocedure, 'f', proowner, proacl
      from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'
    union all
    select 'pg_class'::regclass, oid, case when relkind in ('v', 'm') then 6 else 5 end, block, 'r', relowner, relacl
      from relation
  ) o (catalogue, oid, rank, block, class, owner, acl)
  where (catalogue, oid) not in (table member)
)`

const roleName = (oid: string): string =>
  `case ${oid} when 0 then 'public' else quote_ident(pg_get_userbyid(${oid})) end collate "C"`

const createType = `
  select concat_ws(' ', 'create', block, 'as', case typtype
      when 'e' then 'enum (' || (
        select coalesce(string_agg(quote_literal(enumlabel), ', ' order by enumsortorder), '')
        from pg_enum where enumtypid = t.oid) || ')'
      else format_type(typbasetype, typtypmod) end,
    'default ' || typdefault, case when typnotnull then 'not null' end, (
      select string_agg(format('constraint %I %s', conname, pg_get_constraintdef(c.oid, true)), ' ' order by conname)
      from pg_constraint c where contypid = t.oid and contype = 'c')) || ';'
  from pg_type t where t.oid = object.oid`

/** What differs from the defaults of an ascending sequence. */
const sequenceOptions = `nullif(concat_ws(' ',
  case when seqincrement <> 1 then 'increment by ' || seqincrement end,
  case when seqmin <> 1 then 'minvalue ' || seqmin end,
  case when seqmax <> case seqtypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647
    else 9223372036854775807 end then 'maxvalue ' || seqmax end,
  case when seqstart <> seqmin then 'start with ' || seqstart end,
  case when seqcache <> 1 then 'cache ' || seqcache end,
  case when seqcycle then 'cycle' end), '')`

const createSequence = `
  select concat_ws(' ', 'create', block, 'as ' || nullif(format_type(seqtypid, null), 'bigint'), ${sequenceOptions},
    'owned by ' || (
      select refobjid::regclass || '.' || quote_ident(attname)
      from pg_depend d join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      where d.classid = 'pg_class'::regclass and objid = object.oid and deptype = 'a')) || ';'
  from pg_sequence where seqrelid = object.oid`

const columns = `
  select string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
      case concat(attgenerated, attidentity)
        when 's' then 'generated always as (' || pg_get_expr(adbin, adrelid, true) || ') stored'
        when 'v' then 'generated always as (' || pg_get_expr(adbin, adrelid, true) || ') virtual'
        when 'a' then 'generated always as identity' || identity
        when 'd' then 'generated by default as identity' || identity
        else 'default ' || pg_get_expr(adbin, adrelid, true) end,
      case when attnotnull then 'not null' end), e',\\n  ' order by attnum)
  from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join lateral (
      select coalesce(' (' || ${sequenceOptions} || ')', '') as identity
      from pg_sequence where seqrelid = pg_get_serial_sequence(relation.name, attname)::regclass) s on true
  where attrelid = relation.oid and attnum > 0 and not attisdropped and not relispartition`

// Not null (n) is printed with its column: only PostgreSQL 18 keeps it as a constraint too.
const constraints = `
  select string_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid, true)), e',\\n  '
    order by position(contype::text in 'puxcf'), conname)
  from pg_constraint
  where conrelid = relation.oid and contype in ('p', 'u', 'x', 'c', 'f') and conparentid = 0 and conislocal`

const createRelation = `
  select case when relkind in ('v', 'm') then concat('create ', block, options, e' as\\n', pg_get_viewdef(oid, true))
    else concat('create ', case relpersistence when 'u' then 'unlogged ' end, block,
      case when relispartition then ' partition of ' || parents end,
      e' (\\n  ' || nullif(concat_ws(e',\\n  ', (${columns}), (${constraints})), '') || e'\\n)',
      case when not relispartition then ' inherits (' || parents || ')' end,
      ' ' || pg_get_expr(relpartbound, oid), ' partition by ' || pg_get_partkeydef(oid), options, ';') end
  from relation, lateral (
    select string_agg(inhparent::regclass::text, ', ' order by inhseqno) as parents
    from pg_inherits where inhrelid = relation.oid) p
  where relation.oid = object.oid`

/** Lines of SQL, each with the block it belongs to. Within a block they stand in the order of this list. */
const sections = [
  // What would be passed over: all that lives in the schema, less what the sections below print.
  `select 'unknown' as block, pg_describe_object(classid, objid, 0) as line from pg_depend
   where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace and deptype = 'n'
     and classid <> 'pg_default_acl'::regclass
     and (classid, objid) not in (select catalogue, oid from object union all table member)
   union all
   select 'unknown', pg_describe_object('pg_rewrite'::regclass, r.oid, 0)
   from pg_rewrite r join relation on relation.oid = ev_class where rulename <> '_RETURN'
   union all
   select 'unknown', 'event trigger ' || evtname from pg_event_trigger`,

  `select 'extensions' as block, format('create extension %I;', extname) as line
   from pg_extension where extname <> 'plpgsql' order by extname`,

  // The rights are letters, and quoted: they are not keywords to be put in lower case.
  `select 'schema public' as block, format('-- default privileges of %I%s for %s: %L', pg_get_userbyid(defaclrole),
     case defaclnamespace when 0 then '' else ' in this schema' end,
     case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types'
       else 'schemas' end,
     (select string_agg(item::text, ' ' order by item::text collate "C") from unnest(defaclacl) item)) as line
   from pg_default_acl where defaclnamespace in (0, 'public'::regnamespace)
   order by pg_get_userbyid(defaclrole), defaclobjtype, defaclnamespace`,

  `select block, case class when 'T' then (${createType}) when 's' then (${createSequence})
     when 'f' then rtrim(pg_get_functiondef(oid), e' \\n') || ';' else (${createRelation}) end as line
   from object
   where class <> 'n' and not exists ( -- the sequence of an identity column
     select from pg_depend d where d.classid = catalogue and objid = oid and deptype = 'i' and class = 's')
   order by rank, block collate "C"`,

  `select block, pg_get_indexdef(indexrelid, 0, true) || ';' as line
   from relation join pg_index on indrelid = relation.oid join pg_class i on i.oid = indexrelid
   where not i.relispartition
     and not exists (select from pg_constraint where conindid = i.oid and contype in ('p', 'u', 'x'))
   order by i.relname`,

  `select block, format('alter table %s %s row level security;', name, what) as line
   from relation, lateral (values ('enable', relrowsecurity), ('force', relforcerowsecurity)) v (what, holds)
   where holds order by what`,

  `select block, concat(format('create policy %I on %s', polname, name),
     case when not polpermissive then ' as restrictive' end,
     case polcmd when '*' then ' for all' when 'r' then ' for select' when 'a' then ' for insert'
       when 'w' then ' for update' else ' for delete' end,
     ' to ', (select string_agg(${roleName('role')}, ', ' order by ${roleName('role')}) from unnest(polroles) role),
     e'\\n  using (' || pg_get_expr(polqual, polrelid, true) || ')',
     e'\\n  with check (' || pg_get_expr(polwithcheck, polrelid, true) || ')', ';') as line
   from relation join pg_policy on polrelid = relation.oid order by polname`,

  `select block, concat(pg_get_triggerdef(t.oid, true), ';', e'\\nalter table ' || name || case tgenabled
       when 'D' then ' disable' when 'R' then ' enable replica' when 'A' then ' enable always' end
     || ' trigger ' || quote_ident(tgname) || ';') as line
   from relation join pg_trigger t on tgrelid = relation.oid where not tgisinternal and tgparentid = 0 order by tgname`,

  `select block, case objsubid when 0 then format('comment on %s is %L;', block, description)
     else format('comment on column %s.%I is %L;', objoid::regclass, attname, description) end as line
   from object join pg_description on classoid = catalogue and objoid = oid
     left join pg_attribute on attrelid = objoid and attnum = objsubid and catalogue = 'pg_class'::regclass
   where class <> 'n' order by block, objsubid`,

  // Only where it is not the owner of the database, as whom the migrations run.
  `select block, format('alter %s owner to %I;', block, pg_get_userbyid(owner)) as line
   from object join pg_database on datname = current_database()
   where owner not in (datdba, 'pg_database_owner'::regrole) order by block`,

  // To others than the owner. Where nothing was granted or revoked, the defaults hold: functions are for everybody.
  // "all" where it is all, because PostgreSQL 17 has one right more than 15.
  `select block, concat('grant ', rights, ' on ', regexp_replace(block, '^(materialized )?view|^domain',
     case class when 'T' then 'type' else 'table' end), ' to ', role, option, ';') as line
   from object, lateral (
     select ${roleName('grantee')} as role, case when is_grantable then ' with grant option' end as option,
       case when count(*) > 1 and array_agg(privilege_type) @> (
           select array_agg(privilege_type) from aclexplode(acldefault(class, owner)) where grantee = owner)
         then 'all' else string_agg(distinct privilege_type, ', ') end as rights
     from aclexplode(coalesce(acl, acldefault(class, owner))) where grantee <> owner
     group by grantee, is_grantable) g
   order by block, role, option`,

  `select block, concat('grant ', privilege_type, ' (', string_agg(quote_ident(attname), ', ' order by attnum),
     ') on table ', name, ' to ', ${roleName('grantee')},
     case when is_grantable then ' with grant option' end, ';') as line
   from relation join pg_attribute on attrelid = relation.oid, aclexplode(attacl)
   where grantee <> relowner and not attisdropped
   group by block, name, grantee, privilege_type, is_grantable
   order by block, ${roleName('grantee')}, privilege_type, is_grantable`,
]
