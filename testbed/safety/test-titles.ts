// The tests in the tree, read from their text and not by running them: the title, `file › describe › title` as the source
// writes it, placeholders included, and the source of the test. Files are formatted, so what is inside a describe is
// indented further, and a test ends where the next one that is not inside it begins.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SEPARATOR = ' › '

const root = join(import.meta.dirname, '../..')
const patterns = [
  '{contract,dashboard,devserver,e2e,server,testbed,tools}/**/*.test.ts',
  // A safety line is run as a test by e2e/safety.test.ts.
  'testbed/safety/lines/*.ts',
]

/** Reads only the files that are asked for. */
export function testsInTree(): (file: string) => ReadonlyMap<string, string> {
  const files = new Set(globSync(patterns, { cwd: root, exclude: (path) => path.endsWith('node_modules') }))
  const read = new Map<string, ReadonlyMap<string, string>>()
  return (file) => {
    const known = read.get(file)
    if (known) return known
    const found = new Map(files.has(file) ? testsIn(readFileSync(join(root, file), 'utf8')) : [])
    read.set(file, found)
    return found
  }
}

const CALL = /^( *)(test|it|describe)\b((?:\.\w+)*)/gm
const LITERAL = `(?:'((?:[^'\\\\\\n]|\\\\.)*)'|"((?:[^"\\\\\\n]|\\\\.)*)"|\`((?:[^\`\\\\]|\\\\.)*)\`)`
const DIRECT = new RegExp(`^(?:<[^(]*>)?\\(\\s*${LITERAL}`)
/** Behind the table of `each` or `for`. */
const BEHIND_TABLE = new RegExp(`\\)\\(\\s*${LITERAL}`)
const TABLE_OF_ENTRIES = /^\(Object\.entries\((\w+)\)/
const LINE_TITLE = new RegExp(`^ {2}title: ${LITERAL},$`, 'm')

/**
 * Titles with those of the blocks around them, and the source of each. A test of each entry of an object has the titles of
 * its keys.
 */
export function testsIn(text: string): [title: string, source: string][] {
  const line = LINE_TITLE.exec(text)
  if (line && text.includes('safetyLine')) return [[literalOf(line), text]]
  const around: { indent: number; title: string }[] = []
  const calls = [...text.matchAll(CALL)]
  return calls.flatMap((call, index) => {
    const [whole, { length: indent } = '', kind, modifiers = ''] = call
    while (around.length > 0 && (around.at(-1)?.indent ?? 0) >= indent) around.pop()
    const rest = text.slice(call.index + whole.length)
    const titles = /\.(each|for)$/.test(modifiers) ? titlesOfTable(rest, text) : namedBy(DIRECT.exec(rest))
    const path = around.map(({ title }) => title)
    const [title] = titles
    if (kind === 'describe' && title !== undefined) around.push({ indent, title })
    const next = calls.slice(index + 1).find(([, { length } = '']) => length <= indent)
    const source = text.slice(call.index, next?.index)
    return titles.map((one): [string, string] => [[...path, one].join(SEPARATOR), source])
  })
}

function titlesOfTable(rest: string, text: string): string[] {
  const [title] = namedBy(BEHIND_TABLE.exec(rest))
  const [, table] = TABLE_OF_ENTRIES.exec(rest) ?? []
  if (title !== '%s' || table === undefined) return title === undefined ? [] : [title]
  const [, body = ''] = new RegExp(`^const ${table}\\b[^=]*= \\{\\n([^]*?)^\\}`, 'm').exec(text) ?? []
  return [...body.matchAll(new RegExp(`^ {2}(?:${LITERAL}|(\\w+)):`, 'gm'))].map(([, single, double, template, bare]) =>
    unescaped(single ?? double ?? template ?? bare ?? ''),
  )
}

const namedBy = (found: RegExpExecArray | null): string[] => (found ? [literalOf(found)] : [])
const literalOf = ([, single, double, template]: RegExpExecArray): string =>
  unescaped(single ?? double ?? template ?? '')
const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1')
