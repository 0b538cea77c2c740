import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { renew } from './renew.ts'

/** A server whose name changes while the first response is on its way. */
function openPage() {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const first = Promise.withResolvers<void>()
  let [name, requests] = ['Willow Street', 0]
  const read = async () => {
    const found = name
    requests += 1
    if (requests === 1) await first.promise
    return found
  }
  const page = new QueryObserver(cache, { queryKey: ['getProject', { project: 'willow' }], queryFn: read })
  const leave = page.subscribe(() => {})
  return {
    cache,
    shows: () => page.getCurrentResult().data,
    requests: () => requests,
    leave,
    rename: (to: string) => void (name = to),
    respond: () => first.resolve(),
  }
}

test('a change during the first request is shown, though its response is older', async () => {
  const page = openPage()
  page.rename('Willow by the river')
  const renewed = renew(page.cache, ['getProject'])
  page.respond()
  await renewed
  expect(page.shows()).toBe('Willow by the river')
  expect(page.requests()).toBe(2)
})

test('invalidating alone would leave the older response (negative control)', async () => {
  const page = openPage()
  page.rename('Willow by the river')
  const renewed = page.cache.invalidateQueries({ queryKey: ['getProject'] })
  page.respond()
  await renewed
  expect(page.shows()).toBe('Willow Street')
})

test('what no page shows any more is fetched again when a page shows it', async () => {
  const page = openPage()
  page.rename('Willow by the river')
  const renewed = renew(page.cache, ['getProject'])
  page.leave()
  page.respond()
  await renewed
  expect(page.requests()).toBe(1)
  expect(page.cache.getQueryState(['getProject', { project: 'willow' }])?.isInvalidated).toBe(true)
})

test('one request is enough for a page that has a response, and none for other operations', async () => {
  const page = openPage()
  page.respond()
  await page.cache.refetchQueries()
  page.rename('Willow by the river')
  await renew(page.cache, ['listMembers'])
  expect(page.requests()).toBe(1)
  await renew(page.cache, ['getProject'])
  expect(page.shows()).toBe('Willow by the river')
  expect(page.requests()).toBe(2)
})
