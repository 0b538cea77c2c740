// Deprecation of operations: every response of a deprecated operation, errors included, carries the
// headers of RFC 9745 and RFC 8594, and from its sunset date on the operation is removed. The date
// belongs to the contract; the clock is an argument, so that the day can be rehearsed.

import type { Operation } from '@petstore-platform/contract/operations'
import { Refusal } from '../refusal.ts'
import type { Instant } from '../time.ts'

export type DeprecationPlaces = { baseUrl: string; docsUrl: string; deprecatedSince: number }

export function deprecationHeaders(
  { deprecation, operationId }: Operation,
  { baseUrl, docsUrl, deprecatedSince }: DeprecationPlaces,
): Record<string, string> {
  if (!deprecation) return {}
  const page = operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return {
    // Only the @seconds form is valid (RFC 9745, section 2.1).
    Deprecation: `@${deprecatedSince}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: [
      `<${baseUrl}/pets?status=available>; rel="successor-version"`,
      `<${docsUrl}/deprecations/${page}>; rel="deprecation"; type="text/html"`,
      `<${docsUrl}/deprecations>; rel="sunset"; type="text/html"`,
    ].join(', '),
  }
}

export const isRemoved = ({ deprecation }: Operation, now: Instant): boolean =>
  deprecation !== undefined && now >= Date.parse(deprecation.sunset)

export function refuseRemoved(operation: Operation, now: Instant): void {
  if (!isRemoved(operation, now)) return
  throw new Refusal(
    'operation_removed',
    `${operation.method} /v1${operation.path} was removed on 5 December 2030. Use GET /v1/pets with the status filter.`,
  )
}
