/*
 * Cursors and Link headers (RFC 8288) of paginated lists. A cursor identifies the last row of a
 * page; the Link header carries it to the next request.
 *
 * A cursor is opaque to clients but neither secret nor signed: the project comes from the key, so a
 * forged cursor reveals no data of another project. It contains the filter of the first request, so
 * that the caller can reject a cursor used with another filter. `readCursor` accepts exactly what
 * `writeCursor` produces, byte for byte, and nothing else.
 */

export type Cursor = { after: bigint; filter: string | undefined }

const VERSION = 1
const DECIMAL = /^-?\d{1,19}$/

export function writeCursor({ after, filter }: Cursor): string {
  return Buffer.from(JSON.stringify({ v: VERSION, k: String(after), s: filter })).toString('base64url')
}

export function readCursor(text: string): Cursor | undefined {
  const content = parse(Buffer.from(text, 'base64url').toString())
  if (typeof content !== 'object' || content === null) return undefined
  const { k, s }: { k?: unknown; s?: unknown } = content
  if (typeof k !== 'string' || !DECIMAL.test(k)) return undefined
  if (s !== undefined && typeof s !== 'string') return undefined
  const after = BigInt(k)
  if (after !== BigInt.asIntN(64, after)) return undefined

  // Writing it again checks the rest at once: alphabet and padding, UTF-8, version, leading zeros,
  // further members.
  const cursor = { after, filter: s }
  return writeCursor(cursor) === text ? cursor : undefined
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/**
 * The value of the Link header, or undefined when everything fits one page. `query` is the query of
 * the request without its cursor; `cursor` is that of this page and `next` that of the following
 * one.
 */
export function pageLinks(
  base: string,
  query: readonly (readonly [string, string])[],
  { cursor, next }: { cursor: string | undefined; next: string | undefined },
): string | undefined {
  const first = `<${address(base, query)}>; rel="first"`
  if (next !== undefined) return `<${address(base, [...query, ['cursor', next]])}>; rel="next", ${first}`
  return cursor === undefined ? undefined : first
}

function address(base: string, query: readonly (readonly [string, string])[]): string {
  const pairs = query.map((pair) => pair.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}
