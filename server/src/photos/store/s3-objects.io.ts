// Objects in a bucket of an S3-compatible store, under `<prefix><project>/<key>`, so that all files of a project have a
// prefix in common. The store must support conditional writes and list what was just written. Every failure is an
// `ObjectsUnavailable`; only `NoSuchKey` means that there is no object, so a wrong endpoint loses none.

import { ObjectsUnavailable, refuseUnstorable, type Objects } from '../../foundation/objects.ts'
import type { Clock } from '../../foundation/time.ts'
import { openS3, type S3Request } from './s3-client.io.ts'
import { answerSentence, errorCodeOf, readListing, type S3Answer } from './s3-answers.ts'
import type { S3Config } from '../settings.ts'

const KEYS_AT_ONCE = '1000'
/** A store may return pages without keys; this many in a row are a fault. */
const EMPTY_PAGES_MAX = 100

/** 20 MB at 700 kB per second. */
const PUT = { attemptMs: 30_000, totalMs: 60_000 }
const GET = { attemptMs: 10_000, totalMs: 20_000 }
/** Objects are removed in a transaction that holds a lock, which PostgreSQL ends after five idle seconds. */
const QUICK = { attemptMs: 2000, totalMs: 4000 }

const isMissing = (answer: S3Answer) => answer.status === 404 && errorCodeOf(answer) === 'NoSuchKey'

export function s3Objects(config: S3Config, now?: Clock): Objects {
  const client = openS3(config, now)
  const rootOf = (project: bigint) => `${config.prefix}${project}/`
  const pathOf = (project: bigint, key: string) => {
    refuseUnstorable(key)
    return rootOf(project) + key
  }

  return {
    async putIfAbsent(project, key, bytes) {
      refuseUnstorable(key, bytes)
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const put: S3Request = { method: 'PUT', path: pathOf(project, key), headers: { 'if-none-match': '*' }, body }
      const answer = await client.send(put, PUT)
      if (answer.status === 412) return false
      if (answer.status !== 200) throw unavailable('PUT', answer)
      return true
    },
    async get(project, key) {
      const answer = await client.send({ method: 'GET', path: pathOf(project, key) }, GET)
      if (isMissing(answer)) return undefined
      if (answer.status !== 200) throw unavailable('GET', answer)
      return answer.body
    },
    async remove(project, key) {
      const answer = await client.send({ method: 'DELETE', path: pathOf(project, key) }, QUICK)
      if (answer.status !== 204 && answer.status !== 200 && !isMissing(answer)) throw unavailable('DELETE', answer)
    },
    async list(project, prefix, after = '') {
      const root = rootOf(project)
      const query = { 'list-type': '2', prefix: root + prefix, 'max-keys': KEYS_AT_ONCE }
      let from: Record<string, string> = after === '' ? {} : { 'start-after': root + after }
      for (let pages = 0; pages < EMPTY_PAGES_MAX; pages += 1) {
        const answer = await client.send({ method: 'GET', path: '', query: { ...query, ...from } }, QUICK)
        if (answer.status !== 200) throw unavailable('GET (list)', answer)
        const page = readListing(answer.body.toString(), root, after)
        if (!page) throw new ObjectsUnavailable('The S3 store returned a listing that cannot be read.')
        if (page.objects.length > 0 || page.next === undefined) return page.objects
        from = { 'continuation-token': page.next }
      }
      throw new ObjectsUnavailable('The S3 store returned too many empty pages of a listing.')
    },
  }
}

const unavailable = (method: string, answer: S3Answer) => new ObjectsUnavailable(answerSentence(method, answer))

const CHECK_KEY = 'check'
const CHECK_PROJECT = 0n

/**
 * Writes a small object that no project has, unless it is there, and throws if the store rejects that, does not list
 * it, or would have overwritten it.
 */
export async function checkS3(config: S3Config): Promise<void> {
  const objects = s3Objects(config)
  const put = () => objects.putIfAbsent(CHECK_PROJECT, CHECK_KEY, Buffer.from('petstore'))
  if ((await put()) && (await put())) {
    throw new ObjectsUnavailable('The S3 store overwrites objects although If-None-Match forbids it: use another one.')
  }
  const [listed] = await objects.list(CHECK_PROJECT, CHECK_KEY)
  if (listed?.key !== CHECK_KEY) throw new ObjectsUnavailable('The S3 store does not list an object that it has.')
}
