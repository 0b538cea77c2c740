// A request of the owner about the domains of the project happy-paws; fails unless it succeeds.

import type { Environment } from '../testbed/harness/full-environment.ts'

export async function requestDomains<T>(
  { origin, headers }: Pick<Environment['service'], 'origin' | 'headers'>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${origin}/platform/v1/projects/happy-paws/domains${path}`, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
