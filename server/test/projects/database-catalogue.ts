// The catalogue check reads facts from PostgreSQL's catalogue and reports their faults: it
// verifies row-level security, the second layer of isolation around every project. Reading
// and judging are separate, so that a test can also judge facts that no test could create.
// Every table of every schema is checked, so a new one is covered automatically.

import type pg from 'pg'

const APP = 'petstore_app'
const OWNER = 'petstore_owner'

/** Reviewed exceptions to the rules. Each entry is a decision. */
const reviewed = {
  /** Key digest or slug to project: global by nature, they only locate rows and hold no project's data. */
  directories: [
    'public.slug_directory',
    'public.key_directory',
    'public.revocation_directory',
    'public.member_directory',
    'public.invitation_directory',
    'public.invited_directory',
    'public.share_directory',
    'public.due_directory',
    'public.hostname_directory',
    'public.holder_directory',
    'public.sighting_directory',
    'public.route_directory',
    'public.edge_directory',
    'public.mail_directory',
    'public.rate_directory',
    'public.tombstone_directory',
  ],
  /** A hostname belongs to no project before one proves it; edges serve all projects, and know slugs alone; counters know no one. */
  projectless: [
    'public.revocation_directory',
    'public.hostname_directory',
    'public.sighting_directory',
    'public.route_directory',
    'public.edge_directory',
    'public.rate_directory',
  ],
  /**
   * Rows that are deleted again: revocations that all have seen, former members, ended
   * invitations and links, timers, counters, tombstones that are written elsewhere.
   */
  swept: [
    'public.revocation_directory',
    'public.member_directory',
    'public.key_directory',
    'public.invitation_directory',
    'public.invited_directory',
    'public.share_directory',
    'public.due_directory',
    'public.route_directory',
    'public.mail_directory',
    'public.rate_directory',
    'public.tombstone_directory',
  ],
  /** A timer is claimed and set again; a counter is raised; a hostname's generation is raised, and its holder releases it; a slug is suspended. */
  changed: [
    'public.slug_directory',
    'public.due_directory',
    'public.hostname_directory',
    'public.holder_directory',
    'public.route_directory',
    'public.edge_directory',
    'public.mail_directory',
    'public.rate_directory',
  ],
  /** People belong to no project. */
  accounts: [
    'public.accounts',
    'public.sessions',
    'public.access_tokens',
    'public.passkeys',
    'public.passkey_challenges',
    'public.recovery_requests',
    'public.account_links',
    'public.account_audit',
    'public.known_devices',
    'public.sign_in_failures',
    'public.recovery_codes',
    'public.email_changes',
    'public.former_addresses',
    'public.sign_up_requests',
    'public.sign_up_links',
  ],
  /** Hostnames and the authorities' accounts, of whatever project: none is named here. */
  certificates: [
    'public.certificate_wishes',
    'public.certificate_orders',
    'public.certificates',
    'public.certificate_challenges',
    'public.certificate_clients',
    'public.authority_accounts',
    'public.authority_uses',
  ],
  /** How often recipients were sent mail, which addresses get none, and whether the relay works: of no project. */
  mail: ['public.mail_counts', 'public.mail_relay_failures', 'public.mail_suppressions', 'public.mail_secrets'],
  /** For the operator, about sites, and outliving their projects: nothing that runs for a project's members reads it. */
  operator: ['public.site_reports'],
  /** One row that counts the changes of the host table, and one about the last backup. */
  clocks: ['public.route_clock', 'public.last_backup'],
  /** Of no project. */
  global: ['public.schema_migrations'],
  /** The owner's functions: one sweeps across projects and sees expired rows only, which are then no longer counted; one erases a project; one gives a sum of all projects. */
  ownerPolicies: [
    'public.idempotency.expired',
    'public.idempotency.erased',
    'public.row_counts.counted',
    'public.project_usage.summed',
  ],
  /** The last ones erase a project that was deleted days ago, and domains that were removed days ago, and no others. */
  definers: [
    'public.sum_photo_bytes()',
    'public.sweep_idempotency(integer)',
    'public.erase_deleted_project(bigint,integer,integer)',
    'public.forget_removed_domains(bigint,integer,integer,integer)',
  ],
} as const

/** Not erased with a project: its slug, who held a hostname and when, and what a restore must not revive. */
const outlives = ['public.slug_directory', 'public.holder_directory', 'public.tombstone_directory']

export type Facts = {
  /** In this order. */
  erased: string[]
  tables: { name: string; owner: string; hasProject: boolean; key: string[]; isEnabled: boolean; isForced: boolean }[]
  views: { name: string; isMaterialized: boolean; isInvoker: boolean }[]
  /** Unique and exclusion indexes; an expression is null. */
  uniques: { table: string; name: string; columns: (string | null)[] }[]
  references: { table: string; name: string; columns: string[]; target: string; targetColumns: string[] }[]
  policies: {
    table: string
    name: string
    isPermissive: boolean
    command: string
    roles: string[]
    using: string | null
    check: string | null
  }[]
  rules: { table: string; name: string }[]
  definers: { name: string; settings: string[]; isPublic: boolean }[]
  roles: { name: string; isSuper: boolean; bypasses: boolean; makesRoles: boolean; replicates: boolean; in: string[] }[]
  grants: { on: string; kind: 'table' | 'column' | 'sequence' | 'schema'; to: string; right: string }[]
}

export async function readCatalogue(client: pg.ClientBase): Promise<Facts> {
  const { rows } = await client.query<{ facts: Facts }>(query)
  if (!rows[0]) throw new Error('the catalogue gave no row')
  return rows[0].facts
}

/** One sentence per fault; none if isolation is complete. */
export function faultsOf(facts: Facts): string[] {
  const tenants = facts.tables.filter(({ name, hasProject }) => hasProject && !isIn(reviewed.directories, name))
  return [
    ...facts.tables.flatMap(tableFaults),
    ...facts.tables
      .filter(({ name, hasProject }) => hasProject && !isIn([...facts.erased, ...outlives], name))
      .map(({ name }) => `${name}: is not erased with its project`),
    ...facts.references
      .filter(({ table, target }) => facts.erased.indexOf(`public.${target}`) < facts.erased.indexOf(table))
      .filter(({ target }) => isIn(facts.erased, `public.${target}`))
      .map(({ table, target }) => `${table}: is erased after ${target}, which it refers to`),
    ...tenants.flatMap((table) => [...wallFaults(table), ...policyFaults(table.name, facts.policies)]),
    ...facts.uniques
      .filter(({ table, columns }) => tenants.some(({ name }) => name === table) && columns[0] !== 'project_id')
      .map(({ table, name }) => `${table}: the unique index ${name} crosses projects`),
    ...facts.references
      .filter(({ table }) => !isIn([...reviewed.accounts, ...reviewed.certificates], table))
      .filter(({ columns, targetColumns }) => columns[0] !== 'project_id' || targetColumns[0] !== 'project_id')
      .map(({ table, name }) => `${table}: the foreign key ${name} crosses projects`),
    ...facts.rules.map(({ table, name }) => `${table}: the rule ${name} runs with the rights of the owner`),
    ...facts.views.flatMap(viewFaults),
    ...facts.definers.flatMap(definerFaults),
    ...facts.roles.flatMap(roleFaults),
    ...facts.grants.flatMap((grant) => grantFaults(grant, tenants)),
  ]
}

function tableFaults({ name, owner, hasProject }: Facts['tables'][number]): string[] {
  return [
    ...(owner === OWNER ? [] : [`${name}: belongs to ${owner}`]),
    ...(hasProject ||
    isIn(
      [
        ...reviewed.global,
        ...reviewed.accounts,
        ...reviewed.certificates,
        ...reviewed.mail,
        ...reviewed.operator,
        ...reviewed.clocks,
        ...reviewed.projectless,
      ],
      name,
    )
      ? []
      : [`${name}: has no project_id and was not reviewed`]),
  ]
}

function wallFaults({ name, key, isEnabled, isForced }: Facts['tables'][number]): string[] {
  return [
    ...(key[0] === 'project_id' ? [] : [`${name}: the primary key does not start with project_id`]),
    ...(isEnabled ? [] : [`${name}: row level security is not enabled`]),
    ...(isForced ? [] : [`${name}: row level security is not forced`]),
  ]
}

/** As PostgreSQL writes it. The sub-select is evaluated once per statement, not once per row. */
const OWN_PROJECTS = /^\(project_id = ANY \(\( SELECT allowed_projects\(\) AS allowed_projects\)(::bigint\[\])?\)\)$/

function policyFaults(table: string, all: Facts['policies']): string[] {
  const policies = all.filter((policy) => policy.table === table && policy.isPermissive)
  const restricts = ({ using, check }: Facts['policies'][number]) =>
    OWN_PROJECTS.test(using ?? '') && (check === null || OWN_PROJECTS.test(check))
  const forApp = policies.filter(({ roles }) => roles.includes(APP) || roles.includes('public'))
  const forOthers = policies.filter((policy) => !forApp.includes(policy))
  return [
    ...(forApp.some((policy) => policy.command === '*' && restricts(policy))
      ? []
      : [`${table}: no policy restricts ${APP} to its projects`]),
    ...forApp
      .filter((policy) => !restricts(policy))
      .map(({ name }) => `${table}: the policy ${name} is wider than one's own projects`),
    ...forOthers
      .filter(({ name, roles }) => !isIn(reviewed.ownerPolicies, `${table}.${name}`) || roles.join() !== OWNER)
      .map(({ name, roles }) => `${table}: the policy ${name} for ${roles.join()} was not reviewed`),
  ]
}

function viewFaults({ name, isMaterialized, isInvoker }: Facts['views'][number]): string[] {
  if (isMaterialized) return [`${name}: a materialized view holds rows outside of row level security`]
  return isInvoker ? [] : [`${name}: the view is not security_invoker`]
}

function definerFaults({ name, settings, isPublic }: Facts['definers'][number]): string[] {
  return [
    ...(isIn(reviewed.definers, name) ? [] : [`${name}: the security definer function was not reviewed`]),
    ...(settings.some((setting) => setting.startsWith('search_path=')) ? [] : [`${name}: has no fixed search_path`]),
    ...(isPublic ? [`${name}: may be executed by everybody`] : []),
  ]
}

function roleFaults(role: Facts['roles'][number]): string[] {
  return [
    ...(role.isSuper ? [`${role.name}: is superuser`] : []),
    ...(role.bypasses ? [`${role.name}: bypasses row level security`] : []),
    ...(role.makesRoles ? [`${role.name}: may make roles`] : []),
    ...(role.replicates ? [`${role.name}: may read everything by replication`] : []),
    ...role.in.map((other) => `${role.name}: has the rights of ${other}`),
  ]
}

/** TRUNCATE checks no policy, REFERENCES and TRIGGER have access to rows that no policy allows. */
function grantFaults({ on, kind, to, right }: Facts['grants'][number], tenants: Facts['tables']): string[] {
  if (to === 'public' && kind === 'schema' && right === 'USAGE') return []
  if (to !== APP) return [`${on}: ${right} is granted to ${to}`]
  const allowed =
    kind === 'schema'
      ? ['USAGE']
      : kind === 'sequence'
        ? ['USAGE']
        : tenants.some(({ name }) => name === on) ||
            isIn(
              [
                ...reviewed.accounts,
                ...reviewed.certificates,
                ...reviewed.mail,
                ...reviewed.operator,
                ...reviewed.clocks,
              ],
              on,
            )
          ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
          : isIn(reviewed.directories, on)
            ? [
                'SELECT',
                'INSERT',
                ...(isIn(reviewed.swept, on) ? ['DELETE'] : []),
                ...(isIn(reviewed.changed, on) ? ['UPDATE'] : []),
              ]
            : ['SELECT']
  return allowed.includes(right) ? [] : [`${on}: ${right} is granted to ${to}`]
}

const isIn = (list: readonly string[], item: string) => list.includes(item)

// `n` are the schemas that are not PostgreSQL's own. `names` turns column numbers into names, in their order.
const names = (relation: string, numbers: string) => `
  (select coalesce(json_agg(attname order by place), '[]')
   from unnest(${numbers}) with ordinality u (number, place)
     left join pg_attribute on attrelid = ${relation} and attnum = number and number > 0)`
const roleName = (oid: string) => `case ${oid} when 0 then 'public' else pg_get_userbyid(${oid}) end`
const list = (columns: string, from: string) =>
  `(select coalesce(json_agg(row_to_json(r)), '[]') from (select ${columns} from ${from}) r)`

const query = `
with n as (
  select oid, nspname, nspacl, nspowner from pg_namespace
  where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
), c as (
  select pg_class.*, format('%I.%I', nspname, relname) as name from pg_class join n on n.oid = relnamespace
)
select json_build_object(
  'erased', (select json_agg('public.' || name) from unnest(erased_tables()) as name),
  'tables', ${list(
    `name, pg_get_userbyid(relowner) as owner, relrowsecurity as "isEnabled", relforcerowsecurity as "isForced",
     exists (select from pg_attribute where attrelid = c.oid and attname = 'project_id' and not attisdropped)
       as "hasProject",
     coalesce((select ${names('c.oid', 'conkey')} from pg_constraint where conrelid = c.oid and contype = 'p'), '[]')
       as key`,
    `c where relkind in ('r', 'p', 'f')`,
  )},
  'views', ${list(
    `name, relkind = 'm' as "isMaterialized",
     coalesce(reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)
       as "isInvoker"`,
    `c where relkind in ('v', 'm')`,
  )},
  'uniques', ${list(
    `c.name as table, i.relname as name, ${names('c.oid', 'indkey')} as columns`,
    `c join pg_index on indrelid = c.oid join pg_class i on i.oid = indexrelid where indisunique or indisexclusion`,
  )},
  'references', ${list(
    `c.name as table, conname as name, confrelid::regclass::text as target,
     ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as "targetColumns"`,
    `c join pg_constraint on conrelid = c.oid where contype = 'f'`,
  )},
  'policies', ${list(
    `c.name as table, polname as name, polpermissive as "isPermissive", polcmd as command,
     (select json_agg(${roleName('role')}) from unnest(polroles) role) as roles,
     pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check`,
    `c join pg_policy on polrelid = c.oid`,
  )},
  'rules', ${list(
    `c.name as table, rulename as name`,
    `c join pg_rewrite on ev_class = c.oid where rulename <> '_RETURN'`,
  )},
  'definers', ${list(
    `format('%I.%s', nspname, replace(p.oid::regprocedure::text, nspname || '.', '')) as name,
     coalesce(to_json(proconfig), '[]') as settings,
     exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0) as "isPublic"`,
    `pg_proc p join n on n.oid = pronamespace where prosecdef`,
  )},
  'roles', ${list(
    `rolname as name, rolsuper as "isSuper", rolbypassrls as bypasses, rolcreaterole as "makesRoles",
     rolreplication as replicates,
     (select coalesce(json_agg(pg_get_userbyid(roleid)), '[]') from pg_auth_members where member = r.oid) as in`,
    `pg_roles r where rolname in ('${APP}', '${OWNER}')`,
  )},
  'grants', ${list(
    `*`,
    `(select name as on, case relkind when 'S' then 'sequence' else 'table' end as kind, relowner as owner, grantee,
       ${roleName('grantee')} as to, privilege_type as right
      from c, aclexplode(relacl)
      union all
      select name, 'column', relowner, grantee, ${roleName('grantee')}, privilege_type
      from c join pg_attribute on attrelid = c.oid, aclexplode(attacl)
      union all
      select nspname, 'schema', nspowner, grantee, ${roleName('grantee')}, privilege_type
      from n, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))) g
     where grantee not in (owner, '${OWNER}'::regrole)`,
  )}
) as facts`
