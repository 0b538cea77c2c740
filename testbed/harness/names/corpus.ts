// Hostnames that were collected by hand, with the expected result of each. The files next to
// this one give the reason for its names in every section.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { NameOptions, ReadName } from '../../../server/src/domains/naming/names.ts'

export type CollectedName = { file: string; typed: string; expected: string }

export const corpusOptions: NameOptions = { platformHost: 'petstore.app', reservedAllowed: [] }

export function collectedNames(): CollectedName[] {
  return globSync('*.txt', { cwd: import.meta.dirname })
    .sort()
    .flatMap((file) =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('## '))
        .map((line) => readLine(basename(file, '.txt'), line)),
    )
}

/** The result for a hostname, in the notation of the files. */
export function inWords(read: ReadName): string {
  if (!read.ok) return `!${read.code}`
  return [read.hostname, read.isCleaned ? 'cleaned' : '', read.isMixedScript ? 'mixed' : ''].filter(Boolean).join(' ')
}

function readLine(file: string, line: string): CollectedName {
  const arrow = line.lastIndexOf(' -> ')
  if (arrow === -1) throw new Error(`${file}: a line without an arrow: ${line}`)
  return { file, typed: unescaped(line.slice(0, arrow)), expected: line.slice(arrow + 4) }
}

const unescaped = (text: string) =>
  text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
