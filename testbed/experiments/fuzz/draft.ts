// A request in parts, so that a fault can be put into one of them, and the bytes it becomes.
// Nothing is normalised on the way: headers and target are sent as they are, one byte per
// character.

import type { RefusalCode } from '@petstore-platform/contract/errors'

export type RequestDraft = {
  method: string
  /** As in the request line, before the `?`. */
  path: string
  /** Already encoded; the name and the value, or a piece without `=`. */
  query: readonly (readonly [name: string, value?: string])[]
  headers: readonly (readonly [name: string, value: string])[]
  host: readonly string[]
  /** Members of a JSON object: names and values as JSON text. */
  fields?: readonly (readonly [name: string, json: string])[] | undefined
  /** Instead of the fields. */
  body?: Buffer | undefined
  isChunked?: boolean
}

/** One fault, and the code that the request must be rejected with. */
export type DraftFault = {
  name: string
  code: RefusalCode
  change: (draft: RequestDraft) => RequestDraft
  /** The fault makes the end of the request ambiguous. */
  isFraming?: boolean
}

export const fault = (name: string, code: RefusalCode, change: DraftFault['change']): DraftFault => ({
  name,
  code,
  change,
})

export const empty: RequestDraft = { method: 'GET', path: '/v1/pets', query: [], headers: [], host: ['127.0.0.1'] }

export const targetOf = ({ path, query }: RequestDraft): string =>
  query.length === 0 ? path : `${path}?${query.map((pair) => pair.join('=')).join('&')}`

export function bodyOf({ body, fields }: RequestDraft): Buffer | undefined {
  if (body || !fields) return body
  return Buffer.from(`{${fields.map((pair) => pair.join(':')).join(',')}}`)
}

export const hasHeader = ({ headers }: RequestDraft, name: string): boolean =>
  headers.some(([one]) => one.toLowerCase() === name.toLowerCase())

export const withHeader = (draft: RequestDraft, name: string, value: string): RequestDraft => ({
  ...draft,
  headers: [...draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()), [name, value]],
})

export const withoutHeader = (draft: RequestDraft, name: string): RequestDraft => ({
  ...draft,
  headers: draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
})

export function bytesOf(draft: RequestDraft): Buffer {
  const body = bodyOf(draft)
  const lines = [
    `${draft.method} ${targetOf(draft)} HTTP/1.1`,
    ...draft.host.map((host) => `Host: ${host}`),
    ...draft.headers.map(([name, value]) => `${name}: ${value}`),
  ]
  const isFramed = hasHeader(draft, 'Content-Length') || hasHeader(draft, 'Transfer-Encoding')
  if (body && draft.isChunked) lines.push('Transfer-Encoding: chunked')
  else if (body && !isFramed) lines.push(`Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!body) return head
  return Buffer.concat([head, draft.isChunked ? chunked(body) : body])
}

function chunked(body: Buffer): Buffer {
  const half = body.length >> 1
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  return Buffer.concat([
    ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ])
}

/** The request as text that can be read, pasted and sent again: every unusual byte escaped, the key left out. */
export function shown(draft: RequestDraft): {
  method: string
  path: string
  headers: string[]
  body: string | undefined
} {
  const body = bodyOf(draft)
  return {
    method: escaped(draft.method),
    path: escaped(targetOf(draft)),
    headers: [
      ...draft.host.map((host) => `Host: ${host}`),
      ...draft.headers.map(([name, value]) =>
        escaped(`${name}: ${value.replace(/pets_(live|test)_\w{38}$/, '<key>')}`),
      ),
      ...(draft.isChunked ? ['Transfer-Encoding: chunked'] : []),
    ],
    body: body && escaped(body.toString('latin1')),
  }
}

/** The maximum number of characters; more would not help to debug. */
const SHOWN_MAX = 2000

const escaped = (text: string): string =>
  text
    .slice(0, SHOWN_MAX)
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`) +
  (text.length > SHOWN_MAX ? `… (${text.length} bytes)` : '')
