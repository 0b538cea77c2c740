// The only access to the server: the typed client of the contract, and the cache of its
// responses. Every request of a page goes through `query`, `usePages` or `useAction`, so
// that being signed out, offline or refused looks the same everywhere. An action that needs a
// recent sign-in asks for it, and is then sent again.

import {
  createPlatformClient,
  NoAnswer,
  PlatformError,
  type OperationId,
  type Received,
  type Sent,
} from '@petstore-platform/contract/platform/client'
import { written } from '@petstore-platform/contract/client'
import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { withReauthentication } from './accounts/reauthentication.ts'
import { connection, isReplaced, sendWithProgress } from './connection.ts'
import { renew } from './renew.ts'
import * as texts from './texts/texts.ts'
import { notify } from './ui/toasts.ts'

/** For a page that fails: what it lacks may be in the version that is served now. */
export const loadNewVersion = async (): Promise<void> => {
  if (await isReplaced()) location.reload()
}

const baseUrl = '/platform/v1'
export const client = createPlatformClient({ baseUrl })

export const isRefused = (error: unknown, code: string): boolean =>
  error instanceof PlatformError && error.code === code

const needsReauthentication = (error: unknown): boolean => isRefused(error, 'reauthentication_required')

/** The message of a failure for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof PlatformError ? error.message : texts.common.noAnswer

const listeners = new Set<() => void>()
/** The router subscribes to it and navigates to the sign-in page. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const noticed = (error: unknown): void => {
  if (error instanceof NoAnswer) connection.lost()
  if (isRefused(error, 'not_signed_in')) for (const listener of listeners) listener()
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticed, onSuccess: () => connection.answered() }),
  mutationCache: new MutationCache({ onError: noticed, onSuccess: () => connection.answered() }),
  defaultOptions: {
    queries: {
      // Identifiers are bigints, which JSON.stringify refuses.
      queryKeyHashFn: (key) => written(key),
      networkMode: 'always',
      staleTime: 2000,
      // A refused request is not retried; one without a response is retried once the server is reachable.
      retry: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
connection.onBack(() => void queryClient.invalidateQueries())

export const query = <Id extends OperationId>(
  id: Id,
  ...[sent]: Parameters<typeof client.call<Id>> extends [Id, ...infer Rest] ? Rest : never
) =>
  queryOptions({
    queryKey: [id, sent ?? {}] as const,
    queryFn: (): Promise<Received<Id>> => client.call(id, ...([sent] as never)),
  })

export function usePages<Id extends OperationId>(id: Id, sent: Omit<Sent<Id>, 'cursor'>, isEnabled = true) {
  return useInfiniteQuery({
    queryKey: [id, 'pages', sent] as const,
    queryFn: ({ pageParam }) => client.page(id, ...([{ ...sent, cursor: pageParam }] as never)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: isEnabled,
  })
}

type ActionOptions<Id extends OperationId> = {
  /** Operations whose cached responses are invalidated afterwards. */
  renews?: readonly OperationId[]
  /** The notice after success. */
  done?: string
  onDone?: (received: Received<Id>) => void
  /** True if the page shows failures itself, so that they are not shown twice. */
  onRefused?: (error: PlatformError) => boolean | void
  /** In place of the notice that the server did not respond. */
  onNoAnswer?: () => void
}

/** A mutation. A refusal is shown as a notice, unless the page shows it itself. */
export function useAction<Id extends OperationId>(id: Id, options: ActionOptions<Id> = {}) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (sent: Sent<Id>): Promise<Received<Id>> =>
      withReauthentication(() => client.call(id, ...([sent] as never)), needsReauthentication),
    onSuccess: async (received) => {
      if (options.done !== undefined) notify({ message: options.done })
      options.onDone?.(received)
      await renew(cache, options.renews ?? [])
    },
    onError: (error) => {
      // The person was asked and has cancelled: the page stays as it is.
      if (needsReauthentication(error)) return
      if (error instanceof PlatformError && options.onRefused?.(error) === true) return
      if (error instanceof NoAnswer && options.onNoAnswer) return options.onNoAnswer()
      notify({ title: texts.common.notDone, message: wordsOf(error), isBad: true })
    },
  })
}

type UploadOptions = { key: string; onProgress: (share: number) => void; signal: AbortSignal }

/** One attempt to upload a photo. Repeated with the same key until it succeeds, it adds one photo. */
export async function uploadPhoto(
  sent: Sent<'addPhoto'>,
  { key, ...sending }: UploadOptions,
): Promise<Received<'addPhoto'>> {
  const uploading = createPlatformClient({
    baseUrl,
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('Idempotency-Key', key)
      return sendWithProgress(url, { ...init, headers }, sending)
    },
  })
  try {
    const photo = await uploading.call('addPhoto', sent)
    connection.answered()
    return photo
  } catch (error) {
    // Cancelling says nothing about the server.
    if (!sending.signal.aborted) noticed(error)
    throw error
  }
}
