// A request to an operation of the contract, valid but for what the caller changes: its path with these values, and the
// body of its first example.

import type { OperationShape } from '@petstore-platform/contract/operation'

export type OperationRequest = {
  path: string
  /** An object is sent as JSON. */
  body: Record<string, unknown> | string | undefined
  headers: Record<string, string>
}

type Described = Pick<OperationShape, 'path' | 'body'>

export function requestOf({ path, body }: Described, values: Readonly<Record<string, string>>): OperationRequest {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  if (!body) return { path: target, body: undefined, headers: {} }
  if ('schema' in body) return { path: target, body: exampleOf({ body }), headers: {} }
  return { path: target, body: 'name,categoryId\r\n', headers: { 'Content-Type': body.types[0] ?? '' } }
}

export function exampleOf({ body }: Pick<OperationShape, 'body'>): Record<string, unknown> {
  if (!body || !('schema' in body)) return {}
  const [example] = Object.values(body.examples) as { value: Record<string, unknown> }[]
  return { ...example?.value }
}
