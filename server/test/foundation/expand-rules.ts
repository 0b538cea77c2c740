// Rules of expand migrations: nothing in them may break the previous release, which runs on the same schema.

import type { Migration } from '../../src/foundation/postgres/migration-plan.ts'

/** The baseline belongs to the first release: no older release runs on the schema before it. */
const LAST_OF_FIRST_RELEASE = 13

export const isOfFirstRelease = (name: string): boolean => Number(/^\d+/.exec(name)?.[0]) <= LAST_OF_FIRST_RELEASE

/** What breaks the previous release, each with the name of its migration. */
export const breakages = (migrations: readonly Migration[]): string[] =>
  migrations
    .filter(({ name, phase }) => phase === 'expand' && !isOfFirstRelease(name))
    .flatMap(({ name, text }) => breakingParts(text).map((part) => `${name}: ${part}`))

/** The parts of the SQL that an older release may not survive. */
export function breakingParts(sql: string): string[] {
  const text = withoutReplacements(
    sql
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/(\$\w*\$)[^]*?\1/g, `''`)
      .replaceAll(/'(?:[^']|'')*'/g, `''`)
      .toLowerCase()
      .replaceAll(/\s+/g, ' '),
  )
  return breaking.flatMap((form) => [...text.matchAll(form)].map(([part]) => part.trim()))
}

const breaking = [
  /\bdrop [^;,]*/g,
  /\brename [^;,]*/g,
  /\bset not null\b/g,
  /\balter column \S+ (set data )?type [^;,]*/g,
  // Rows that the older release inserts have no value for it.
  /\badd column (?:(?! default | generated )[^;,(]|\([^)]*\))*\bnot null\b(?:(?! default | generated )[^;,(]|\([^)]*\))*(?=[;,])/g,
]

/** What the same file creates again under the same name is replaced, not removed: a check that allows more, an index. */
function withoutReplacements(text: string): string {
  return text
    .replaceAll(/\bdrop constraint (?:if exists )?(\w+),?/g, (part, name: string) =>
      new RegExp(`\\badd constraint ${name}\\b`).test(text) ? '' : part,
    )
    .replaceAll(/\bdrop index concurrently if exists (\w+)/g, (part, name: string) =>
      new RegExp(`\\bcreate (unique )?index concurrently ${name}\\b`).test(text) ? '' : part,
    )
}
