// Sentences for the operator about an S3-compatible store that did not do what was requested. They never contain a
// header that was sent, nor text of the response beyond its code: those may contain a signature. And the listings of such a store. Pure.

import type { HttpFailure } from '../../foundation/http/http-client.io.ts'
import { readXml, textOf, type XmlElement } from './xml.ts'
import type { StoredObject } from '../../foundation/objects.ts'

export type S3Answer = { status: number; region: string | undefined; body: Buffer }

const CHECK_ENDPOINT = 'The bucket is elsewhere: check S3_ENDPOINT and S3_REGION'

const advice: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'The store does not know S3_ACCESS_KEY_ID',
  AccessDenied: 'S3_ACCESS_KEY_ID must be allowed to list the bucket, and to read, write and delete its objects',
  NoSuchBucket: 'S3_BUCKET does not exist',
  RequestTimeTooSkewed: 'The clocks of this host and of the store differ',
  NotImplemented: 'The store must support conditional writes (If-None-Match)',
  PermanentRedirect: CHECK_ENDPOINT,
  TemporaryRedirect: CHECK_ENDPOINT,
  AuthorizationHeaderMalformed: CHECK_ENDPOINT,
  IllegalLocationConstraintException: CHECK_ENDPOINT,
}

/** The store's word for what is wrong, such as `NoSuchKey`; undefined if it gave none. */
export function errorCodeOf({ body }: Pick<S3Answer, 'body'>): string | undefined {
  const error = readXml(body.toString())
  const code = error?.name === 'Error' ? textOf(error, 'Code') : undefined
  return code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined
}

export function answerSentence(method: string, answer: S3Answer): string {
  const code = errorCodeOf(answer)
  const isRedirect = answer.status >= 300 && answer.status < 400
  const hint = (code !== undefined && advice[code]) || (isRedirect ? CHECK_ENDPOINT : undefined)
  const region = hint === CHECK_ENDPOINT && answer.region !== undefined && /^[a-z0-9-]{1,32}$/.test(answer.region)
  return [
    `The S3 store answered ${method} with ${answer.status}${code === undefined ? '' : ` ${code}`}.`,
    ...(hint === undefined ? [] : [`${hint}${region ? ` (its region is ${answer.region})` : ''}.`]),
  ].join(' ')
}

export function failureSentence({ why, code, message }: HttpFailure): string {
  if (why === 'late') return 'The S3 store did not answer in time.'
  if (why === 'broken') return 'The S3 store broke off its answer.'
  return why === 'too_large' ? 'An answer of the S3 store is too large.' : `S3_ENDPOINT: ${code ?? message}.`
}

// Decodes a page of a listing (ListObjectsV2). Strict: a sweep removes what a listing shows and photos do not, so a page
// that is incomplete, out of order, or about other keys is rejected as a whole.

type ListedPage = {
  objects: readonly StoredObject[]
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined
}

/** Keys are returned without `root`. Undefined if the text is no such page. */
export function readListing(text: string, root: string, after: string): ListedPage | undefined {
  const page = readXml(text)
  if (page?.name !== 'ListBucketResult') return undefined
  const isTruncated = textOf(page, 'IsTruncated')
  const next = textOf(page, 'NextContinuationToken')
  if (isTruncated !== 'false' && !(isTruncated === 'true' && next)) return undefined
  const objects: StoredObject[] = []
  let last = after
  for (const element of page.children) {
    if (element.name !== 'Contents') continue
    const object = objectOf(element, root)
    if (!object || object.key <= last) return undefined
    last = object.key
    objects.push(object)
  }
  return { objects, next: isTruncated === 'true' ? next : undefined }
}

function objectOf(element: XmlElement, root: string): StoredObject | undefined {
  const key = textOf(element, 'Key')
  const size = textOf(element, 'Size') ?? ''
  const modified = textOf(element, 'LastModified') ?? ''
  const storedAt = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(modified) ? Date.parse(modified) : Number.NaN
  if (!key?.startsWith(root) || !/^\d{1,15}$/.test(size) || Number.isNaN(storedAt)) return undefined
  return { key: key.slice(root.length), storedAt, size: Number(size) }
}
