// Requests whose end is ambiguous: two framings, or one that no server may guess. Each must be
// rejected at once, before its target or its key is read.

import { fault, withHeader, withoutHeader, type RequestDraft, type DraftFault } from './draft.ts'

const framed = (name: string, change: DraftFault['change']): DraftFault => ({
  ...fault(name, 'malformed_request', change),
  isFraming: true,
})

const lengthsOf = (draft: RequestDraft, ...lengths: readonly string[]): RequestDraft => ({
  ...withoutHeader({ ...draft, isChunked: false }, 'Content-Length'),
  headers: [
    ...withoutHeader(draft, 'Content-Length').headers,
    ...lengths.map((length) => ['Content-Length', length] as const),
  ],
})

const post = (draft: RequestDraft, text: string): RequestDraft => ({
  ...draft,
  method: 'POST',
  body: Buffer.from(text),
})

/** A chunked body, whatever the headers declare. */
const chunks = '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'

export const framingFaults: readonly DraftFault[] = [
  framed('two framings', (draft) => withHeader({ ...post(draft, '{}'), isChunked: true }, 'Content-Length', '2')),
  framed('two framings, chunked first', (draft) =>
    withHeader(
      withHeader({ ...post(draft, chunks), isChunked: false }, 'Transfer-Encoding', 'chunked'),
      'Content-Length',
      String(chunks.length),
    ),
  ),
  framed('two lengths', (draft) => lengthsOf(post(draft, '{}'), '2', '0')),
  framed('the same length twice', (draft) => lengthsOf(post(draft, '{}'), '2', '2')),
  ...['-1', 'abc', '1e1', '0x2', '+2', '99999999999999999999999', '2, 3'].map((length) =>
    framed(`Content-Length: ${length}`, (draft) =>
      withHeader({ ...draft, isChunked: false }, 'Content-Length', length),
    ),
  ),
]
