// The description of an operation, in either API: data from which the server mounts the route
// and validates requests, and from which the OpenAPI document is generated. So the documented
// API is the enforced one.

import type { TSchema } from 'typebox'
import type { Parameter } from './parameters.ts'

export type JsonBody = {
  schema: TSchema
  /** The message for each field with a wrong value. */
  faults: Record<string, string>
  examples: Record<string, unknown>
  /** 16 KiB by default. */
  bytesMax?: number
}

/** A file, or a part of one, as raw bytes. */
export type BytesBody = {
  /** `image/*` stands for every image type. */
  types: readonly string[]
  bytesMax: number
  description: string
  /** Sent over a slow connection for minutes, and not held in memory meanwhile. */
  isStreamed?: true
}

export type Success =
  | {
      status: 200 | 201 | 202
      description: string
      schema: TSchema
      headers: readonly string[]
      example: unknown
      /** No cache may store it, so it has no ETag. */
      noStore?: true
    }
  | { status: 204; description: string; headers: readonly string[] }
  /** Anything but JSON, such as a CSV file. */
  | { status: 200; description: string; type: string; headers: readonly string[] }
  /** Bytes of one of several types, such as an image. */
  | {
      status: 200
      description: string
      types: readonly string[]
      headers: readonly string[]
      /** The bytes at this address never change. */
      isImmutable?: true
    }

export type OperationShape = {
  operationId: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL. */
  path: string
  tag: string
  summary: string
  description: string
  parameters: Record<string, Parameter>
  body?: JsonBody | BytesBody
  success: Success
  /**
   * Every other status with an entry of its own in the OpenAPI document; those that can occur anywhere are under
   * `default`.
   */
  otherStatuses: readonly number[]
}

/** The `Allow` header of OPTIONS and 405 responses for a path of the contract. */
export function allowedMethods(operations: readonly OperationShape[], path: string): string {
  const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method)
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}
