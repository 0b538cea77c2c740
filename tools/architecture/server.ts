// Rules of server/src. Paths are relative to it; tests and fakes are no part of what the rules are applied to.
//
// Features are folders, and imports point left along one order of them. main.ts and the files of program/ and commands/ put
// features together: they may import everything, and no feature imports them.

import { functionsIn, importsOf, type Import, type Sources } from './sources.ts'

export const features = [
  'foundation',
  'certificates',
  'mail',
  'accounts',
  'projects',
  'plans',
  'animals',
  'photos',
  'imports',
  'orders',
  'sites',
  'fleet',
  'platform-names',
  'domains',
  'overview',
  'origin',
  'edge',
  'web',
  'operations',
]

/** Inside domains/, from what a hostname is to the routes that show it. */
export const roomsOfDomains = [
  'naming',
  'causes',
  'providers',
  'observing',
  'judging',
  'lifecycle',
  'store',
  'settings',
  'alerts',
  'advance.io.ts',
  'check.io.ts',
  'domains.io.ts',
  'jobs.io.ts',
  'tracing',
  'views',
  'routes',
]

const featureOf = (path: string) => {
  const [first = '', ...rest] = path.split('/')
  return rest.length === 0 || first === 'program' || first === 'commands' ? '' : first
}
const isInFeature = (path: string) => featureOf(path) !== ''

const within = (sources: Sources) => importsOf(sources).filter(({ isPackage, to }) => !isPackage && !isContract(to))
const isContract = (path: string) => path.startsWith('contract/src/')
const report = ({ from, to }: Import) => `${from} may not import ${to}`

export const importsPointingRight = (sources: Sources): string[] =>
  within(sources)
    .filter(({ from }) => isInFeature(from))
    .filter(({ from, to }) => !pointsLeft(features, featureOf(from), featureOf(to)))
    .map(report)

function pointsLeft(order: readonly string[], from: string, to: string): boolean {
  const target = order.indexOf(to)
  return target !== -1 && target <= order.indexOf(from)
}

const DOMAINS = 'domains/'
const roomOf = (path: string) => path.slice(DOMAINS.length).split('/')[0] ?? ''

export const roomsPointingRight = (sources: Sources): string[] =>
  within(sources)
    .filter(({ from, to }) => from.startsWith(DOMAINS) && to.startsWith(DOMAINS))
    .filter(({ from, to }) => !pointsLeft(roomsOfDomains, roomOf(from), roomOf(to)))
    .map(report)

const ENTRIES_MAX = 16

/** More than that cannot be taken in at a glance: a room is missing. */
export function crowdedDomains(sources: Sources): string[] {
  const entries = new Set([...sources.keys()].filter((file) => file.startsWith(DOMAINS)).map(roomOf))
  return entries.size > ENTRIES_MAX ? [`domains/ has ${entries.size} entries`] : []
}

export const importsLeavingServer = (sources: Sources): string[] =>
  within(sources)
    .filter(({ to }) => to.startsWith('..'))
    .map(report)

/** The rule of I/O, as the documents state it. */
export const IO_RULE =
  'In a feature of `server/src`, a file performs I/O, reads the clock or draws a random number if, and only if, its name ends in `-routes.ts` (HTTP), `-queries.ts` (SQL) or `.io.ts` (everything else).'

const isNamedForIo = (file: string) => /(-routes|-queries|\.io)\.ts$/.test(file)

/** A digest, a checksum or the spelling of a name is arithmetic, and a package that is loaded later an import. */
const arithmetic =
  /^import \{ (hash|createHmac|crc32|domainToASCII|domainToASCII, domainToUnicode|createRequire) \} from 'node:(crypto|zlib|url|module)'$/gm
/** A type of Node or Fastify is a socket, a request or a reply; `transaction` is a connection of PostgreSQL. */
const io =
  /from '(node:|fastify|pg|commander|nodemailer)|Date\.now|new Date\(\)|Math\.random|performance\.now|process\.\w|set(Timeout|Interval)\(|\bfetch\(|\btransaction\(/
/** In the foundation, batches and limits wait for the functions that they are given. */
const waiting = /\bawait\b/

/** A template may be a page, a script in it, or SQL: it is no code of this file. */
const codeOf = (text: string) =>
  text
    .replace(arithmetic, '')
    .replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    .replace(/`[^`]*`/g, '')

const performsIo = (file: string, text: string) =>
  io.test(codeOf(text)) || (featureOf(file) !== 'foundation' && waiting.test(codeOf(text)))

/** Types are erased, so a pure file may name the types of one that performs I/O. */
const callsOfIo = (sources: Sources) => within(sources).filter(({ to, isType }) => !isType && isNamedForIo(to))

export function impureFiles(sources: Sources): string[] {
  const isPure = (file: string) => isInFeature(file) && !isNamedForIo(file)
  const direct = [...sources]
    .filter(([file, text]) => isPure(file) && performsIo(file, text))
    .map(([file]) => `${file} performs I/O, and its name does not tell`)
  const indirect = callsOfIo(sources)
    .filter(({ from }) => isPure(from))
    .map(({ from, to }) => `${from} calls ${to}, and its name does not tell`)
  return [...direct, ...indirect]
}

export function needlesslyNamedForIo(sources: Sources): string[] {
  const callers = new Set(callsOfIo(sources).map(({ from }) => from))
  return [...sources]
    .filter(([file, text]) => isNamedForIo(file) && !performsIo(file, text) && !callers.has(file))
    .map(([file]) => `${file} performs no I/O, and its name says that it does`)
}

// An edge runs on hosts that cannot reach the database.

const isDatabase = (file: string) => file.endsWith('-queries.ts') || file.startsWith('foundation/postgres/')

const openToEdge = [
  /^edge\//,
  /^foundation\/(?!postgres\/)/,
  /^fleet\/(protocol|table-name|token-format|probe-proof|probe-routes|request-signature\.io|key-delivery\.io)\.ts$/,
  /^certificates\/key-encryption\.io\.ts$/,
  /^plans\/limit-table\.ts$/,
  /^sites\/pages\/(send-routes|visitor-server\.io)\.ts$/,
]
const mayEdgeImport = (file: string) =>
  openToEdge.some((form) => form.test(file)) || (file.startsWith('sites/') && !isNamedForIo(file))

/** What an edge may import by its name, and through anything that it imports no database. */
export function edgeReachingFurther(sources: Sources): string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to, isType } of within(sources)) {
    if (!isType) targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const forbidden = within(sources)
    .filter(({ from, to }) => from.startsWith('edge/') && !mayEdgeImport(to))
    .map(report)
  const reaching = [...sources.keys()]
    .filter((file) => file.startsWith('edge/'))
    .flatMap((file) => pathsToDatabase([file], targets, new Set()))
  return [...forbidden, ...reaching.map((path) => path.join(' → '))]
}

function pathsToDatabase(
  path: readonly string[],
  targets: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
): (readonly string[])[] {
  const last = path.at(-1) ?? ''
  if (isDatabase(last)) return [path]
  if (seen.has(last)) return []
  seen.add(last)
  return (targets.get(last) ?? []).flatMap((next) => pathsToDatabase([...path, next], targets, seen))
}

export const readersOfEnvironment = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) => file !== 'main.ts' && /process\.(env|argv)/.test(text)).map(([file]) => file)

const codeFromText =
  /(?<![.\w])eval\(|\bnew Function\(|from 'node:vm'|import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'|\bshell:/

/** A program gets its arguments one by one, never as a line for a shell; and no text becomes a function. */
export const runningText = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => codeFromText.test(text)).map(([file]) => file)

/** SQL reaches a connection as a `statement` of a constant text with values apart from it; migrations and setup have no input. */
export const sendingSql = (sources: Sources): string[] =>
  [...sources]
    .filter(([file, text]) => !/^(foundation\/postgres|operations\/setup)\//.test(file) && /\.query\(/.test(text))
    .map(([file]) => file)

/** What names an algorithm of node:crypto; a variable in its place is reported as well. */
const algorithms = /\b(?:create(?:Cipheriv|Decipheriv|Hash|Hmac)\(\s*|hash\((?='))([\w.'[\]-]+)/g
const approved = new Set([`'sha256'`, 'CIPHER', 'tsigAlgorithms[key.algorithm]'])
const namedAlgorithms = /'(?:md5|rc4|3?des(?:-[\w-]+)?|aes-\d+-(?:ecb|cbc|ctr)|sha-?1|rsa-sha1)'/gi
/** Not a secret: it tells whether a response has changed. */
const entityTag = /W\/"\$\{hash\('sha1'/g

/** AES-256-GCM and SHA-2; the constants that name them are checked as well, wherever they are. */
export const weakCryptography = (sources: Sources): string[] =>
  [...sources].flatMap(([file, text]) => {
    const code = text.replaceAll(entityTag, '')
    const used = [...code.matchAll(algorithms)].map(([, name = '']) => name).filter((name) => !approved.has(name))
    return [...used, ...[...code.matchAll(namedAlgorithms)].map(([name]) => name)].map((name) => `${file}: ${name}`)
  })

/** A command that lists keys should not wait for a web server to be loaded. */
const neededAtOnce = [
  'program/config.ts',
  'program/merge-settings.ts',
  'program/read-settings.ts',
  'program/cluster.ts',
  'program/release.ts',
  'foundation/log.ts',
  'foundation/failure-log.ts',
]
export const loadedTooEarly = (sources: Sources): string[] =>
  within(sources)
    .filter(({ from, to, isType, isLazy }) => from === 'main.ts' && !isType && !isLazy && !neededAtOnce.includes(to))
    .map(({ to }) => to)

/**
 * Exported functions of a project's queries: the project is their second argument, or they serve many requests,
 * each of which names its project.
 */
export const queriesWithoutProject = (sources: Sources): string[] =>
  [...sources]
    // Left of projects there is none to name.
    .filter(([file]) => /[/-]queries\.ts$/.test(file) && pointsLeft(features, featureOf(file), 'projects'))
    .flatMap(([file, text]) => [
      ...[...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => `${file}: ${name}`),
      ...[...text.matchAll(/^export const (\w+) = (?:async )?(?:<[^>]*>)?\(([^)]*)/gm)]
        .filter(([, , parameters = '']) => !namesProject(parameters, text))
        .map(([, name]) => `${file}: ${name}`),
      ...[...text.matchAll(/^export const (\w+) = query\w*<([^]*?)>\(\n/gm)]
        .filter(([, , types = '']) => !/\[\s*project: ProjectId\b/.test(types))
        .map(([, name]) => `${file}: ${name}`),
    ])

function namesProject(parameters: string, text: string): boolean {
  if (/^\s*db: Db,\s*project: ProjectId\b/.test(parameters)) return true
  const asked = /^\s*run: Db,\s*asks: readonly (\w+Request)\[\],?\s*$/.exec(parameters)?.[1]
  return asked !== undefined && isRequestOfProject(asked, text)
}

/** Written out, or made from one that is. */
function isRequestOfProject(type: string, text: string): boolean {
  const [, base, fields = ''] =
    new RegExp(`^export type ${type} = (?:(\\w+Request) & )?\\{([^}]*)\\}$`, 'm').exec(text) ?? []
  return base === undefined ? /^\s*project: ProjectId\b/.test(fields) : isRequestOfProject(base, text)
}

const FUNCTION_LINES_MAX = 90

/** Lines of each function that is over the limit, by file and name. */
export const longFunctions = (sources: Sources): Record<string, number> =>
  Object.fromEntries(
    [...sources].flatMap(([file, text]) =>
      functionsIn(file, text)
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ name, lines }) => [`${file} ${name}`, lines]),
    ),
  )
