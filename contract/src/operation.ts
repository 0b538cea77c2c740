// What an operation says of itself, in either interface: data, from which the
// server mounts its route and checks requests, and the document is printed. So
// what is served is what is enforced.

import type { TSchema } from 'typebox'
import type { Parameter } from './parameters.ts'

export type JsonBody = {
  schema: TSchema
  /** What is said of a field that holds a wrong value. */
  faults: Record<string, string>
  examples: Record<string, unknown>
  /** 16 KiB unless said otherwise. */
  bytesMax?: number
}

/** A file, or a piece of one, as it is. */
export type BytesBody = { types: readonly string[]; bytesMax: number; description: string }

export type Success =
  | {
      status: 200 | 201 | 202
      description: string
      schema: TSchema
      headers: readonly string[]
      example: unknown
      /** Nobody on the way may keep it, so it has no tag to ask for it again. */
      noStore?: true
    }
  | { status: 204; description: string; headers: readonly string[] }
  /** Anything but JSON, such as a table as CSV. */
  | { status: 200; description: string; type: string; headers: readonly string[] }
  /** Bytes of one of several types, such as a picture. */
  | { status: 200; description: string; types: readonly string[]; headers: readonly string[] }

export type OperationShape = {
  operationId: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address. */
  path: string
  tag: string
  summary: string
  description: string
  parameters: Record<string, Parameter>
  body?: JsonBody | BytesBody
  success: Success
  /** Every other status with a line of its own in the document; what can happen anywhere is under `default`. */
  otherStatuses: readonly number[]
}

/** What OPTIONS and a 405 answer for a path of the contract. */
export function allowedMethods(operations: readonly OperationShape[], path: string): string {
  const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method)
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}
