// A line of an edge's log of routes: a digest, and the text it covers. A line that was written only
// in part, or that the disk has changed, is never read as another one; so a log is good up to its
// first bad line. The digest protects against accidents: an attacker who can write to the folder of
// an edge can do anything.

import { hash } from 'node:crypto'
import type { Route } from '../fleet/protocol.ts'
import { readRoute } from './decode-control.ts'

/** A route, or a number up to which the lines above are complete. */
export type LogEntry = Route | { seq: number }

const DIGEST_LENGTH = 16

export function lineOf(entry: LogEntry): string {
  const text = JSON.stringify(entry)
  return `${digestOf(text)} ${text}\n`
}

/** Without its line break; undefined if it is damaged. */
export function entryOf(line: string): LogEntry | undefined {
  const text = line.slice(DIGEST_LENGTH + 1)
  if (line[DIGEST_LENGTH] !== ' ' || !line.startsWith(digestOf(text))) return undefined
  return entryIn(parsed(text))
}

const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH)

function entryIn(value: unknown): LogEntry | undefined {
  const route = readRoute(value)
  if (route) return route
  const { seq, hostname } = (value ?? {}) as { seq?: unknown; hostname?: unknown }
  return Number.isSafeInteger(seq) && hostname === undefined ? { seq: seq as number } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
