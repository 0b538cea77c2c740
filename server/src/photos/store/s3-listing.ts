// Decodes a page of a listing (ListObjectsV2). Strict: a sweep removes what a listing shows and photos do not, so a page
// that is incomplete, out of order, or about other keys is rejected as a whole. Pure.

import type { StoredObject } from '../../foundation/objects.ts'
import { readXml, textOf, type XmlElement } from './xml.ts'

export type ListedPage = {
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
