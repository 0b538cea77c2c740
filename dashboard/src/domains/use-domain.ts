// One domain, live. The server streams every change; where the stream is blocked or
// breaks off, the page polls every few seconds and retries the stream. While the server
// is unreachable, the last known state stays.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import type { TopicChanged } from '@petstore-platform/contract/platform/watching'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isRefused, query } from '../api.ts'
import { renew } from '../renew.ts'
import { watchTopic } from '../stream.ts'

const ASK_MS = 4000

type Watched = Pick<ReturnType<typeof useQuery<Domain>>, 'data' | 'error' | 'refetch'> & { isRemoved: boolean }

export function useDomain(project: string, hostname: string): Watched {
  const cache = useQueryClient()
  const [isStreaming, setStreaming] = useState(false)
  const [isRemoved, setRemoved] = useState(false)
  const asked = useQuery({
    ...query('getDomain', { project, hostname }),
    refetchInterval: isStreaming || isRemoved ? false : ASK_MS,
  })
  const isGone = isRefused(asked.error, 'not_found')
  const mayWatch = asked.data !== undefined && !isGone && !isRemoved

  useEffect(() => {
    if (!mayWatch) return
    // A request shows whether the server is unreachable, or refused the stream.
    const fetchAgain = () =>
      void cache.invalidateQueries({ queryKey: query('getDomain', { project, hostname }).queryKey })
    const leave = watchTopic<Extract<TopicChanged, { domain: unknown }>>(`domain:${project}/${hostname}`, {
      onChanged: ({ domain }) => keepDomain(cache, project, domain),
      onEnded(reason) {
        setStreaming(false)
        if (reason === 'removed') setRemoved(true)
        else fetchAgain()
      },
      onOpen(hasMissed) {
        setStreaming(true)
        if (hasMissed) fetchAgain()
      },
      onLost() {
        setStreaming(false)
        fetchAgain()
      },
      onAway: () => setStreaming(false),
    })
    return () => {
      leave()
      setStreaming(false)
    }
  }, [cache, project, hostname, mayWatch])

  return {
    data: asked.data,
    error: asked.error,
    refetch: asked.refetch,
    isRemoved: isRemoved || (isGone && asked.data !== undefined),
  }
}

/** Shows the update at once; lists that contain the domain are refetched when its status has changed. */
export function keepDomain(cache: QueryClient, project: string, domain: Domain): void {
  const { queryKey } = query('getDomain', { project, hostname: domain.hostname })
  const before = cache.getQueryData<Domain>(queryKey)
  cache.setQueryData<Domain>(queryKey, domain)
  if (before?.status !== domain.status || before.axes.certificate !== domain.axes.certificate)
    void renew(cache, ['listDomainEvents', 'listDomains', 'getOverview', 'getProject', 'listProjects'])
}
