// Clears the cache of a project that the person has left, or that is deleted.

import type { QueryClient } from '@tanstack/react-query'
import { renew } from '../renew.ts'

export async function forgetProject(cache: QueryClient, slug: string): Promise<void> {
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey.some((part) => isOf(part, slug)) })
  await renew(cache, ['listProjects'])
}

const isOf = (part: unknown, slug: string): boolean =>
  typeof part === 'object' && part !== null && 'project' in part && part.project === slug
