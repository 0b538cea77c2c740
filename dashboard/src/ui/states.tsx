// The placeholder states of a page: loading, empty, unreachable, or not found.

import { Button, Loader } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { isRefused, loadNewVersion, wordsOf } from '../api.ts'
import { texts } from '../texts/texts.ts'

export const Loading = () => (
  <div className="row" role="status" aria-live="polite">
    <Loader size="sm" aria-hidden />
    <span className="quiet">{texts.common.loading}</span>
  </div>
)

export const NotThere = () => (
  <div className="card stack">
    <h1>{texts.common.notThere}</h1>
    <p className="quiet">{texts.common.notThereAdvice}</p>
  </div>
)

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isRefused(error, 'not_found')) return <NotThere />
  return (
    <div className="note bad stack" role="alert">
      <span>{wordsOf(error)}</span>
      {onRetry && (
        <div>
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.common.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A bug of ours, or a part of the page that could not be loaded. */
export function PageFailure({ error }: { error: unknown }) {
  const router = useRouter()
  useEffect(() => void loadNewVersion(), [])
  return (
    <div className="card stack">
      <h1>{texts.common.somethingWrong}</h1>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="card stack" data-empty>
    <h2>{title}</h2>
    {children}
  </div>
)

/** Loading, failed or loaded: the same everywhere. Old data stay on the page while the server is unreachable. */
export function Loaded<Data>({
  from,
  children,
}: {
  from: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}) {
  if (from.data !== undefined) return children(from.data)
  if (from.error) return <Failure error={from.error} onRetry={() => void from.refetch()} />
  return <Loading />
}
