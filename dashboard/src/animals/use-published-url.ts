// The address of the site, for links to its pages.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'

/** Undefined while the site is not published. */
export function usePublishedUrl(): string | undefined {
  const { slug, siteUrl } = useProject()
  const { data: overview } = useQuery(query('getOverview', { project: slug }))
  return overview !== undefined && overview.currentDeployment !== null ? siteUrl : undefined
}
