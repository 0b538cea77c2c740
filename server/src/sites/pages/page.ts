// A page of a site as it is sent: status, media type, body and entity tag. Shared by
// the origin, which renders pages, and by edges, which cache them.

import { hash } from 'node:crypto'
import type { Html } from '../../foundation/html.ts'

/** How long a page may be cached, at the origin and again at an edge: together less than a second. */
export const CACHE_MS = 450

/** `isFile`: its URL contains its digest, so it never changes. */
export type Page = {
  status: number
  type: string
  body: Buffer
  etag: string
  isFile: boolean
  /** Of a redirect: a path of the same site. */
  location?: string
}

export const htmlPage = (html: Html, status = 200): Page => pageOf(html.text, 'text/html; charset=utf-8', false, status)

export function pageOf(content: string | Buffer, type: string, isFile = false, status = 200): Page {
  const body = typeof content === 'string' ? Buffer.from(content) : content
  return { status, type, body, etag: `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`, isFile }
}

/** Permanently to another address of the same site. It is revalidated like a page: a name can change back. */
export const movedPage = (location: string): Page => ({
  ...pageOf('', 'text/plain; charset=utf-8', false, 301),
  location,
})
