import { NoAnswer, PlatformError } from '@petstore-platform/contract/platform/client'
import { describe, expect, test } from 'vitest'
import { createPhotoUploads, pauseBefore, type PhotoUpload } from './photo-uploads.ts'

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  new PlatformError({ code, message: `${code}.`, status }, new Headers(headers))

type Sent = {
  name: string
  key: string
  signal: AbortSignal
  progress: (share: number) => void
  succeed: () => void
  fail: (error: unknown) => void
}

/** A server that answers when the test says so. */
function environment() {
  const sent: Sent[] = []
  const added: string[] = []
  const pauses: { ms: number; end: () => void }[] = []
  let done = 0
  let keys = 0
  const uploads = createPhotoUploads<string, string>({
    prepare: (name) => (name === 'broken' ? Promise.reject(new Error('bug')) : Promise.resolve(new Blob([name]))),
    async send(body, { key, onProgress, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const name = await body.text()
      signal.addEventListener('abort', () => reject(new NoAnswer('abort')))
      sent.push({ name, key, signal, progress: onProgress, succeed: () => resolve(name), fail: reject })
      return promise
    },
    pause: (ms, signal) =>
      new Promise((end) => {
        signal.addEventListener('abort', () => end())
        pauses.push({ ms, end })
      }),
    newKey: () => `key-${(keys += 1)}`,
    wordsOf: (error) => (error instanceof Error ? error.message : ''),
    onAdded: (name, _, chosenAt) => added.push(`${chosenAt} ${name}`),
    onDone: () => (done += 1),
  })
  const steps = () => uploads.now().map(({ source, step }: PhotoUpload<string>) => `${source} ${step}`)
  const sending = (name: string) => sent.findLast((one) => one.name === name)
  return { uploads, sent, added, pauses, steps, sending, timesDone: () => done }
}

/** Everything that follows without waiting has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('uploads of photos', () => {
  test('are two at once, and the others wait for their turn', async () => {
    const { uploads, steps, sent, added, sending, timesDone } = environment()
    uploads.add(['a', 'b', 'c', 'd'])
    await settled()
    expect(steps()).toEqual(['a sending', 'b sending', 'c waiting', 'd waiting'])
    expect(uploads.isRunning()).toBe(true)
    sending('b')?.succeed()
    await settled()
    expect(steps()).toEqual(['a sending', 'c sending', 'd waiting'])
    for (const name of ['a', 'c']) sending(name)?.succeed()
    await settled()
    sending('d')?.succeed()
    await settled()
    expect(added).toEqual(['2 b', '1 a', '3 c', '4 d'])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(4)
    expect([uploads.isRunning(), timesDone()]).toEqual([false, 1])
  })

  test('report how much is sent', async () => {
    const { uploads, sending } = environment()
    uploads.add(['a'])
    await settled()
    sending('a')?.progress(0.4)
    expect(uploads.now()).toMatchObject([{ step: 'sending', share: 0.4 }])
  })

  test('are sent again with the same key after a failure that passes, and add one photo', async () => {
    const { uploads, steps, sent, added, pauses, sending } = environment()
    uploads.add(['a'])
    await settled()
    sending('a')?.fail(new NoAnswer('reset'))
    await settled()
    expect(steps()).toEqual(['a pausing'])
    pauses.at(-1)?.end()
    await settled()
    sending('a')?.fail(refusal(429, 'rate_limited', { 'retry-after': '7' }))
    await settled()
    pauses.at(-1)?.end()
    await settled()
    sending('a')?.succeed()
    await settled()
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-1'])
    expect(pauses.map(({ ms }) => ms)).toEqual([1000, 7000])
    expect(added).toEqual(['1 a'])
  })

  test('continue at once when a person asks for it, and stop after five attempts until then', async () => {
    const { uploads, steps, pauses, sent, sending } = environment()
    uploads.add(['a'])
    await settled()
    sending('a')?.fail(new NoAnswer('reset'))
    await settled()
    uploads.retry('key-1')
    await settled()
    expect(steps()).toEqual(['a sending'])
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      sending('a')?.fail(new NoAnswer('reset'))
      await settled()
      pauses.at(-1)?.end()
      await settled()
    }
    expect(uploads.now()).toMatchObject([{ step: 'failed', words: 'No answer', mayRetry: true }])
    expect([sent.length, uploads.isRunning()]).toEqual([5, false])
    uploads.retry('key-1')
    await settled()
    expect([sent.length, sent.at(-1)?.key]).toEqual([6, 'key-1'])
  })

  test('that are refused are not sent again, and let the next one go', async () => {
    const { uploads, steps, sending, added } = environment()
    uploads.add(['broken', 'a', 'b'])
    await settled()
    sending('a')?.fail(refusal(400, 'invalid_image'))
    await settled()
    expect(steps()).toEqual(['broken failed', 'a failed', 'b sending'])
    expect(uploads.now()[1]).toMatchObject({ words: 'invalid_image.', mayRetry: false })
    uploads.cancel('key-2')
    expect(steps()).toEqual(['broken failed', 'b sending'])
    sending('b')?.succeed()
    await settled()
    expect(added).toEqual(['3 b'])
  })

  test('that are cancelled are aborted, whether they are sent, pause or wait', async () => {
    const { uploads, steps, sent, sending, added } = environment()
    uploads.add(['a', 'b', 'c', 'd'])
    await settled()
    sending('b')?.fail(new NoAnswer('reset'))
    await settled()
    for (const key of ['key-1', 'key-2', 'key-3']) uploads.cancel(key)
    await settled()
    expect(sending('a')?.signal.aborted).toBe(true)
    expect(steps()).toEqual(['d sending'])
    uploads.cancelAll()
    await settled()
    expect([steps(), sent.map(({ name }) => name), added]).toEqual([[], ['a', 'b', 'd'], []])
    expect(uploads.isRunning()).toBe(false)
  })
})

describe('the pause before the next attempt', () => {
  test('doubles, and is at least as long as the server asks for', () => {
    expect([1, 2, 3].map((attempt) => pauseBefore(new NoAnswer('reset'), attempt))).toEqual([1000, 2000, 4000])
    expect(pauseBefore(refusal(503, 'service_unavailable', { 'retry-after': '3' }), 1)).toBe(3000)
    expect(pauseBefore(refusal(503, 'service_unavailable', { 'retry-after': 'later' }), 2)).toBe(2000)
    expect(pauseBefore(refusal(408, 'request_timeout', { 'retry-after': '2' }), 1)).toBe(2000)
    expect(pauseBefore(refusal(409, 'idempotency_key_in_use'), 1)).toBe(1000)
  })

  test('does not exist for what would fail again', () => {
    for (const [status, code] of [
      [400, 'invalid_image'],
      [409, 'too_many'],
      [403, 'plan_required'],
      [422, 'idempotency_key_reused'],
    ] as const)
      expect(pauseBefore(refusal(status, code), 1)).toBeUndefined()
    expect(pauseBefore(new Error('bug'), 1)).toBeUndefined()
  })
})
