// The placeholder states of a page: loading, empty, unreachable, or not found.

import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { isRefused, loadNewVersion, wordsOf } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Scene, type SceneName } from './scene.tsx'

/** The outline of what follows, so that little moves when it arrives. */
export const Loading = () => (
  <div role="status" aria-live="polite">
    <span className="visually-hidden">{texts.common.loading}</span>
    <div className="skeleton late" aria-hidden>
      {[0, 1].map((card) => (
        <div key={card}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  </div>
)

export const NotThere = () => (
  <div className="card empty">
    <Scene of="search" />
    <h1>{texts.common.notThere}</h1>
    <div className="stack">
      <p>{texts.common.notThereAdvice}</p>
    </div>
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

/** Instead of a page, and so with a heading. */
export const WholeFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  isRefused(error, 'not_found') ? (
    <NotThere />
  ) : (
    <div className="card stack">
      <h1>{texts.common.somethingWrong}</h1>
      <Failure error={error} onRetry={onRetry} />
    </div>
  )

/** A bug of ours, or a part of the page that could not be loaded. */
export function PageFailure({ error }: { error: unknown }) {
  const router = useRouter()
  useEffect(() => void loadNewVersion(), [])
  return <WholeFailure error={error} onRetry={() => void router.invalidate()} />
}

type EmptyProps = { of: SceneName; title: string; children?: ReactNode }

/** Why there is nothing, and what to do about it. */
export const Empty = ({ of, title, children }: EmptyProps) => (
  <div className="card empty" data-empty>
    <Scene of={of} />
    <h2>{title}</h2>
    {children && <div className="stack">{children}</div>}
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
