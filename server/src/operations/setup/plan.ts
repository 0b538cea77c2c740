// `planSetup` decides what `petstore setup` does, from what there is: a list of steps, empty if everything is there.
// Pure. It never changes a secret that exists, nor a setting that an operator has written.

import type { SqlStatement } from './database-sql.ts'

/** Whose file it is: of root, of root and readable by the program, of the program, or of Caddy. */
export type FileOwner = 'root' | 'root:petstore' | 'petstore' | 'caddy'

export type SetupStep =
  | Readonly<{ kind: 'user'; name: string; home: string }>
  | Readonly<{ kind: 'sql' } & SqlStatement>
  | Readonly<{ kind: 'folder'; path: string; mode: number; owner: FileOwner }>
  | Readonly<{ kind: 'file'; path: string; mode: number; owner: FileOwner; text: string; isNew: boolean }>
  | Readonly<{ kind: 'link'; path: string; target: string }>
  | Readonly<{ kind: 'reload' }>
  | Readonly<{ kind: 'form'; on: readonly string[]; off: readonly string[] }>

export type SetupFacts = Readonly<{
  hasUser: boolean
  /** Undefined if the path does not exist, is no file, or no folder. */
  files: ReadonlyMap<string, string>
  folders: ReadonlySet<string>
  links: ReadonlyMap<string, string>
  /** systemd is installed, though it need not run. */
  hasSystemd: boolean
}>

export type WantedInstallation = Readonly<{
  paths: SetupPaths
  /** False below another root: users are those of the machine. */
  needsUser: boolean
  sql: readonly SqlStatement[]
  env: string
  /** By name of the setting. */
  secrets: Readonly<Record<string, string>>
  caddy: Readonly<{ text: string; storage: string | undefined }>
  /** By file name. */
  units: Readonly<Record<string, string>>
  /** Targets by path: how the program is reached. */
  links: Readonly<Record<string, string>>
}>

export type SetupPaths = ReturnType<typeof pathsBelow>

export const pathsBelow = (root: string) => ({
  folder: `${root}/etc/petstore`,
  env: `${root}/etc/petstore/petstore.env`,
  secrets: `${root}/etc/petstore/secrets`,
  caddy: `${root}/etc/petstore/caddy.json`,
  data: `${root}/var/lib/petstore`,
  units: `${root}/etc/systemd/system`,
  caddyDropIn: `${root}/etc/systemd/system/caddy.service.d/petstore.conf`,
  link: `${root}/usr/local/bin/petstore`,
  current: `${root}/opt/petstore/current`,
})

export function planSetup(wanted: WantedInstallation, facts: SetupFacts): readonly SetupStep[] {
  const { paths } = wanted
  const secrets = Object.entries(wanted.secrets)
    .map(([name, text]) => ({ path: `${paths.secrets}/${name}`, text }))
    .filter(({ path }) => !facts.files.has(path))
  const units = facts.hasSystemd ? unitSteps(wanted, facts) : []
  return [
    ...(wanted.needsUser && !facts.hasUser ? [{ kind: 'user', name: 'petstore', home: paths.data } as const] : []),
    ...wanted.sql.map((statement) => ({ kind: 'sql', ...statement }) as const),
    ...folder(facts, paths.folder, 0o755, 'root'),
    ...folder(facts, paths.secrets, 0o700, 'petstore'),
    ...folder(facts, paths.data, 0o700, 'petstore'),
    ...secrets.map(
      ({ path, text }) =>
        ({ kind: 'file', path, mode: 0o400, owner: 'petstore', text: `${text}\n`, isNew: true }) as const,
    ),
    ...file(facts, paths.env, wanted.env, 0o640, 'root:petstore'),
    ...file(facts, paths.caddy, `${wanted.caddy.text}\n`, 0o644),
    ...(wanted.caddy.storage === undefined ? [] : folder(facts, wanted.caddy.storage, 0o700, 'caddy')),
    ...units,
    ...linkSteps(wanted, facts),
  ]
}

/** Makes the units those of this release. */
export function unitSteps(
  { paths, units, secrets }: Pick<WantedInstallation, 'paths' | 'units' | 'secrets'>,
  facts: SetupFacts,
): readonly SetupStep[] {
  const steps = [
    ...Object.entries(units).flatMap(([name, text]) => [
      ...file(facts, `${paths.units}/${name}`, text, 0o644),
      ...credentialSteps(paths, name, missingCredentials(text, secrets), facts),
    ]),
    ...folder(facts, paths.caddyDropIn.slice(0, paths.caddyDropIn.lastIndexOf('/')), 0o755, 'root'),
    ...file(facts, paths.caddyDropIn, caddyDropIn(paths.caddy), 0o644),
  ]
  return steps.length === 0 ? [] : [...steps, { kind: 'reload' }]
}

/** Secrets that the unit of this release does not list. The unit of an edge, which has no database, gets none. */
const missingCredentials = (unit: string, secrets: Readonly<Record<string, string>>): readonly string[] => {
  const loaded = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name)
  return loaded.includes('DATABASE_URL')
    ? Object.keys(secrets).filter(
        (name) => !/^(?:DATABASE_(?:OWNER|BACKUP)_URL|EDGE_\w+)$/.test(name) && !loaded.includes(name),
      )
    : []
}

function credentialSteps(
  paths: SetupPaths,
  unit: string,
  names: readonly string[],
  facts: SetupFacts,
): readonly SetupStep[] {
  if (names.length === 0) return []
  const lines = names.map((name) => `LoadCredential=${name}:${paths.secrets}/${name}\n`)
  const dropIns = `${paths.units}/${unit}.d`
  return [
    ...folder(facts, dropIns, 0o755, 'root'),
    ...file(facts, `${dropIns}/secrets.conf`, `# Written by petstore setup.\n[Service]\n${lines.join('')}`, 0o644),
  ]
}

/** Without an admin endpoint Caddy cannot be reloaded; a configuration that changes needs a restart. */
const caddyDropIn = (file: string) => `# Written by petstore setup.
[Service]
ExecStart=
ExecStart=/usr/bin/caddy run --environ --config ${file}
ExecReload=
`

const folder = (facts: SetupFacts, path: string, mode: number, owner: FileOwner): readonly SetupStep[] =>
  facts.folders.has(path) ? [] : [{ kind: 'folder', path, mode, owner }]

function file(
  facts: SetupFacts,
  path: string,
  text: string,
  mode: number,
  owner: FileOwner = 'root',
): readonly SetupStep[] {
  const present = facts.files.get(path)
  if (present === text) return []
  return [{ kind: 'file', path, mode, owner, text, isNew: present === undefined }]
}

/** A release that was unpacked is reached through a link, which `petstore upgrade` moves; others directly. */
export const linksTo = (paths: SetupPaths, release: string, isUnpacked: boolean): Readonly<Record<string, string>> =>
  isUnpacked
    ? { [paths.current]: release, [paths.link]: `${paths.current}/bin/petstore` }
    : { [paths.link]: `${release}/bin/petstore.js` }

const linkSteps = ({ links }: WantedInstallation, facts: SetupFacts): readonly SetupStep[] =>
  Object.entries(links)
    .filter(([path, target]) => facts.links.get(path) !== target)
    .map(([path, target]) => ({ kind: 'link', path, target }))

/** One line, without secrets. */
export function stepText(step: SetupStep): string {
  const mode = 'mode' in step ? step.mode.toString(8).padStart(4, '0') : ''
  switch (step.kind) {
    case 'user':
      return `create the system user ${step.name}`
    case 'sql':
      return `run in PostgreSQL: ${step.shown}`
    case 'folder':
      return `create the folder ${step.path} (${mode}, ${step.owner})`
    case 'file':
      return `${step.isNew ? 'write' : 'change'} ${step.path} (${mode}, ${step.owner})`
    case 'link':
      return `link ${step.path} to ${step.target}`
    case 'reload':
      return 'reload the units of systemd'
    case 'form':
      return `${step.off.length > 0 ? `stop and disable ${step.off.join(', ')}; ` : ''}enable and restart ${step.on.join(', ')}`
  }
}
