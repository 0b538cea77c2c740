// Rules over the text of SQL statements, for the tests that check every query. The texts are
// read from the sources, so the checked text is the one that was written, and a statement
// that cannot be parsed is an error, not skipped.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as profileColumns from '../../src/animals/profile-columns.ts'

export type Written = { file: string; name: string; text: string }

const sources = join(import.meta.dirname, '../../src')

/** Every `statement(…)` or `query(…)` below server/src, in files that match, such as all queries. */
export function writtenStatements(pattern = '**/*.ts'): Written[] {
  return globSync(pattern, { cwd: sources })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => statementsIn(readFileSync(join(sources, file), 'utf8')).map((found) => ({ file, ...found })))
}

/** The statements of one source, with the constants that their texts are put together from. */
export function statementsIn(source: string): { name: string; text: string }[] {
  const own = [...source.matchAll(/^const (\w+) = `([^`]*)`/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  )
  const constants = new Map([...importedBy(source), ...own])
  const found = [
    ...source.matchAll(
      /(?<!function |[.\w])(?:statement|query|queryFirst|queryAny)<[^]*?>\(\s*'([^']+)',\s*(?:`([^`]*)`|'([^']*)')/g,
    ),
  ]
  const count = source.match(/(?<!function |[.\w])(?:statement|query|queryFirst|queryAny)</g)?.length ?? 0
  if (found.length !== count) throw new Error(`of ${count} statements only ${found.length} can be read`)
  const filled = (name: string, template: string): string =>
    template.replace(/\$\{(\w+)\}/g, (_, constant: string) => {
      const text = constants.get(constant)
      if (text === undefined) throw new Error(`${name} is put together from ${constant}, which is no constant`)
      return filled(name, text)
    })
  return found.map(([, name = '', template, plain = '']) => ({
    name,
    text: template === undefined ? plain : filled(name, template),
  }))
}

/** The constants of statements that do not stand in the source itself: the columns that are derived from a list. */
const importedBy = (source: string): [name: string, text: string][] =>
  source.includes("/profile-columns.ts'")
    ? Object.entries(profileColumns).flatMap(([name, part]) => (typeof part === 'string' ? [[name, part]] : []))
    : []

/** The ways to name the project in a condition. `project_id in (…)`, `>=` or a join do not count. */
export const PROJECT_NAMED = /(?:\b\w+\.)?\bproject_id = (?:\$1\b|asked\.project\b)/g

/**
 * "Every query names its project", which is its first value: once for each table that is
 * read or changed, as the first column of what is inserted, and again when an insert may
 * end as an update. In doubt the result is no.
 */
export function namesItsProject(text: string): boolean {
  if (/petstore\.projects|set_config/.test(text)) return namesItsProjects(text)
  return /\basked\b/.test(text) ? updatesItsProjects(text) : namesOneProject(text)
}

/**
 * A batched change, which cannot set its own allowed projects: PostgreSQL may scan the
 * table before it evaluates the requests, and would then find nothing. So it runs in a
 * transaction that has set them before.
 */
function updatesItsProjects(text: string): boolean {
  const form =
    /^update \w+\s+set [^]*?\sfrom unnest\(\$1::bigint\[\][\w\s,:$[\]]*\) as asked \(project, [\w\s,]*\)\s+where project_id = asked\.project and /
  const rest = text.replace(form, '')
  return rest !== text && !/\$1\b|\bfrom\b|\bjoin\b|\basked as\b|\bor\b/.test(rest)
}

/** A function that makes rows of a value reads no table. */
const ROWS_OF_VALUES =
  /\bfrom (?:unnest|generate_series|jsonb_to_recordset|jsonb_populate_record(?:set)?|keys_of_name|keys_of_profile)\(/g

function namesOneProject(written: string): boolean {
  // In `extract(epoch from …)` no table is read.
  const text = written.replace(/\bextract\(\w+ from\b/g, 'extract(')
  // What is joined laterally is counted inside.
  const touched = count(
    text.replace(ROWS_OF_VALUES, ''),
    /\b(?:from|join|using|(?<!for )update)\s+(?!set\b|lateral\b)\w+/g,
  )
  const named = count(text, PROJECT_NAMED)
  const inserts = count(text, /\binsert into\b/g)
  const insertsNamed = count(text, /\binsert into \w+ \(project_id\b[^)]*\)\s+(?:values \(|select )\$1\b/g)
  // A lock has no table: there the project must at least be part of what is locked.
  const isUsed = /\$1\b/.test(text)
  return (
    isUsed &&
    !isCommaJoined(text) &&
    named >= touched + updatesIn(text) &&
    insertsNamed === inserts &&
    areConflictsNamed(text)
  )
}

/** What a batched statement may access: the projects of its requests, $1, and no others. */
export const ALLOWED = `allowed as materialized (select set_config('petstore.projects', $1::text, true))`

// The requests are read from what is allowed and are materialized, so that no plan can read a row before.
const REQUESTS =
  /^, asked as materialized \(\s*select ([\w\s,()']*?)\s+from allowed, unnest\(\$1::bigint\[\][\w\s,:$[\]]*\)\s+with ordinality as asked \(project, [\w\s,]*\)\s*\)/

/**
 * A batched statement serves many projects. It begins by allowing itself those of $1, and
 * reads its requests from there: $1 occurs nowhere else. From then on every table it
 * accesses is bound to the project of the request.
 */
function namesItsProjects(text: string): boolean {
  const opening = `with ${ALLOWED}`
  if (!text.startsWith(opening)) return false
  const asked = REQUESTS.exec(text.slice(opening.length))
  if (!asked) return false
  const [header, columns = ''] = asked
  const rest = text.slice(opening.length + header.length)

  const isProjectKept = /(?:^|,\s*)project(?:,|$)/.test(columns) && !/\bas project\b/.test(columns)
  const isAskedOnce = !/\$1\b|set_config|\ballowed\b|\basked as\b|\bas asked\b/.test(rest)
  const touched = tablesIn(rest).filter((table) => table !== 'asked').length
  const named = count(rest, /(?:\b\w+\.)?\bproject_id = asked\.project\b/g)
  const inserts = count(rest, /\binsert into\b/g)
  const insertsNamed = count(rest, /\binsert into \w+ \(project_id\b[^)]*\)\s+select project,[\w\s,]*\sfrom asked\b/g)
  const isBound = named >= touched + updatesIn(rest) && insertsNamed === inserts && areConflictsNamed(rest)
  return isProjectKept && isAskedOnce && isBound && !isCommaJoined(rest)
}

/** A second table after a comma would not be counted. */
const isCommaJoined = (text: string) => /\b(?:from|using)\s+\w+(?:\s+(?:as\s+)?\w+)?\s*,/.test(text)

const updatesIn = (text: string) => count(text, /\bdo update\b/g)
const areConflictsNamed = (text: string) =>
  count(text, /\bon conflict \(project_id\b/g) === count(text, /\bon conflict\b/g)

const tablesIn = (text: string) =>
  [...text.matchAll(/\b(?:from|join|using|(?<!for )update)\s+(?!set\b|lateral\b)(\w+)/g)].map(([, table = '']) => table)

// The one exception, reviewed: the locations of the keys are read from the directory, just
// those projects are allowed, and the rest reads by the project and the id from the
// directory.
const KEYS_OPENING = `with place as materialized (
     select digest, project_id, key_id
     from key_directory
     where digest = any ($1::bytea[])
   ), allowed as materialized (
     select set_config('petstore.projects', coalesce(array_agg(project_id), '{}')::text, true)
     from place
   ), asked as materialized (
     select place.project_id as project, place.digest, place.key_id
     from allowed, place
   )`

/** The statements of a directory cross projects, so they may access nothing but directories; and keys found there. */
export function staysInDirectories(text: string): boolean {
  const isOfKeys = text.startsWith(KEYS_OPENING)
  const rest = isOfKeys ? text.slice(KEYS_OPENING.length) : text
  const isOnceSaid = !/\$1\b|set_config|\basked as\b|\bas asked\b|\bplace\b/.test(rest)
  const named = count(rest, /\bfrom api_keys\s+where project_id = asked\.project and id = asked\.key_id\s+limit 1\b/g)
  // Common table expressions of the statement, and the clock of the host table, which holds no project's data.
  const made = [...rest.matchAll(/(?:\bwith|\),)\s+(\w+) as (?:materialized )?\(/g)].map(([, name = '']) => name)
  const harmless = isOfKeys ? [] : ['route_clock', 'unnest', ...made]
  const touched = [...rest.matchAll(/\b(?:from|join|using|(?<!for )update|into)\s+(?!set\b|lateral\b)(\w+)/g)]
    .map(([, table = '']) => table)
    .filter((table) => !table.endsWith('_directory') && !harmless.includes(table))
  if (!isOfKeys) return touched.length === 0
  return isOnceSaid && touched.join() === 'asked,api_keys' && named === 1
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
