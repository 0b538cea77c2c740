// Generates the table of calls of `/platform/v1` as a module: for each operation, what a client
// needs to send it and to parse its response. The operations themselves contain schemas and
// examples, which a browser would load needlessly; the client uses only their types.

import type { TSchema } from 'typebox'
import type { PlatformOperation } from './operation.ts'
import { platformOperations } from './operations.ts'

export function printedCalls(): string {
  const rows = platformOperations.map((operation) => `  ${operation.operationId}: ${literal(callOf(operation))},`)
  return `// Printed from the operations: change them, then "npm run generate".\n\nexport const calls = {\n${rows.join('\n')}\n} as const\n`
}

type Call = { method: string; path: string; answer: 'json' | 'text' | 'nothing'; int64: readonly string[] }

function callOf({ operationId, method, path, success }: PlatformOperation): Call {
  if (success.status === 204) return { method, path, answer: 'nothing', int64: [] }
  if (!('schema' in success)) return { method, path, answer: 'text', int64: [] }
  const found: Fields = { wide: new Set(), narrow: new Set() }
  gather(success.schema, '', found)
  const both = [...found.wide].find((name) => found.narrow.has(name))
  // Fields are distinguished by their names alone.
  if (both !== undefined)
    throw new Error(`In the answer of ${operationId}, '${both}' is of 64 bits here and not there.`)
  return { method, path, answer: 'json', int64: [...found.wide].toSorted() }
}

type Fields = { wide: Set<string>; narrow: Set<string> }
type Schema = TSchema & {
  $id?: string
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** 64-bit integers by the name of their field, including those in lists. */
function gather(schema: Schema, name: string, found: Fields): void {
  if (schema.$id === 'Int64') found.wide.add(name)
  else if ([schema.type].flat().some((type) => type === 'integer' || type === 'number')) found.narrow.add(name)
  for (const [key, member] of Object.entries(schema.properties ?? {})) gather(member, key, found)
  if (schema.items) gather(schema.items, name, found)
  for (const choice of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) gather(choice, name, found)
}

/** In the style of the formatter. */
function literal({ method, path, answer, int64 }: Call): string {
  const list = int64.map((name) => `'${name}'`).join(', ')
  const line = `{ method: '${method}', path: '${path}', answer: '${answer}', int64: [${list}] }`
  return line
}
