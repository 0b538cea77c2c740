// Rules over the text of statements, for the tests that hold every query to
// them. The texts are read from the sources: what is looked at is what was
// written, and a statement that cannot be read so is an error, not left out.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Written = { file: string; name: string; text: string }

const sources = join(import.meta.dirname, '../src')

/** Every `statement(…)` below server/src, in files that match, such as all queries. */
export function writtenStatements(pattern = '**/*.ts'): Written[] {
  return globSync(pattern, { cwd: sources })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => statementsIn(readFileSync(join(sources, file), 'utf8')).map((found) => ({ file, ...found })))
}

/** The statements of one source, with the constants that their texts are put together from. */
export function statementsIn(source: string): { name: string; text: string }[] {
  const constants = new Map([...source.matchAll(/^const (\w+) = `([^`]*)`/gm)].map(([, name, text]) => [name, text]))
  const found = [...source.matchAll(/\bstatement<[^]*?>\(\s*'([^']+)',\s*(?:`([^`]*)`|'([^']*)')/g)]
  const count = source.match(/\bstatement</g)?.length ?? 0
  if (found.length !== count) throw new Error(`of ${count} statements only ${found.length} can be read`)
  return found.map(([, name = '', template, plain = '']) => ({
    name,
    text:
      template?.replace(/\$\{(\w+)\}/g, (_, constant: string) => {
        const text = constants.get(constant)
        if (text === undefined) throw new Error(`${name} is put together from ${constant}, which is no constant`)
        return text
      }) ?? plain,
  }))
}

/** The one way to name the project in a condition. `project_id in (…)`, `>=` or a join do not count. */
export const PROJECT_NAMED = /(?:\b\w+\.)?\bproject_id = \$1\b/g

/**
 * "Every query names its project", which is its first value: once for each table
 * that is read or changed, as the first column of what is inserted, and again
 * when an insert may end as an update. In doubt the answer is no.
 */
export function namesItsProject(text: string): boolean {
  const touched = count(text, /\b(?:from|join|using|(?<!for )update)\s+(?!set\b)\w+/g)
  const named = count(text, PROJECT_NAMED)
  const inserts = count(text, /\binsert into\b/g)
  const insertsNamed = count(text, /\binsert into \w+ \(project_id\b[^)]*\)\s+(?:values \(|select )\$1\b/g)
  const conflicts = count(text, /\bon conflict\b/g)
  const conflictsNamed = count(text, /\bon conflict \(project_id\b/g)
  const updates = count(text, /\bdo update\b/g)
  // A lock has no table: there the project must at least be part of what is locked.
  const isUsed = /\$1\b/.test(text)
  return isUsed && named >= touched + updates && insertsNamed === inserts && conflictsNamed === conflicts
}

/** The statements of a directory cross projects, so they may touch nothing but directories. */
export function staysInDirectories(text: string): boolean {
  return [...text.matchAll(/\b(?:from|join|using|update|into)\s+(?!set\b)(\w+)/g)].every(([, table = '']) =>
    table.endsWith('_directory'),
  )
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
