// Request smuggling. Two servers parse every request: Caddy and the edge. If they disagreed on where a request ends, a
// visitor could hide a second request in the body of the first, and it would emerge on a connection that other visitors
// share. Requests with an ambiguous length are sent through a real Caddy:
// - each request that the edge receives must be one that Caddy parsed as well: it carries the header that Caddy sets on
//   every request and that hidden requests lack;
// - the next client on the connection gets the response to its own request.

import { once } from 'node:events'
import { connect } from 'node:net'
import { requestHttp } from '../internet/caddy-clients.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from '../internet/caddy-environment.ts'
import { inParallel } from './clients.ts'

export type SmugglingFigures = {
  sent: number
  /** Of the requests that were sent: if every one were rejected at once, nothing would have been tested. */
  answered: number
  /** Requests at the edge that Caddy did not send, and responses that belong to another request. */
  crossed: string[]
}

const NAME = 'pets.paws.test'

export async function smuggle(address: string, versions: readonly ('1.0' | '1.1')[]): Promise<SmugglingFigures> {
  const environment = await startCaddyEnvironment(address)
  await environment.certify(NAME)
  const figures: SmugglingFigures = { sent: 0, answered: 0, crossed: [] }
  watchEdge(environment, (url) => figures.crossed.push(`${url} reached the edge`))
  try {
    await inParallel(AT_ONCE, lengths.length, async (n) => {
      await Promise.all(
        bodies.flatMap((bodyOf) =>
          versions.map(async (version) => {
            figures.sent += 1
            const body = bodyOf(`/canary-${figures.sent}`)
            const lines = lengths[n]?.map((line) => line.replace('LENGTH', String(body.length))) ?? []
            const head = [`POST /first-${figures.sent} HTTP/${version}`, `Host: ${NAME}`, ...lines].join('\r\n')
            const received = await exchange(environment, `${head}\r\n\r\n${body}\r\n\r\n`)
            if (received.includes('/first-')) figures.answered += 1
          }),
        ),
      )
      for (let after = 0; after < 4; after += 1) {
        const path = `/after-${n}-${after}`
        const { body } = await requestHttp(environment, NAME, { path })
        if (body !== path) figures.crossed.push(`${path} got ${body}`)
      }
    })
    return figures
  } finally {
    await environment.close()
  }
}

const AT_ONCE = 4

/** Responds with the target of each request, and reports those that Caddy did not send. */
function watchEdge(environment: CaddyEnvironment, onForeign: (url: string) => void): void {
  environment.edge.answer = (request, response) => {
    // The target as the edge reads it. A smuggled request has no such header.
    const target = request.headers['petstore-target']
    const url = typeof target === 'string' ? target : (request.url ?? '')
    if (target === undefined) onForeign(url)
    request.on('error', () => undefined).resume()
    request.on('end', () => response.writeHead(200, { 'content-length': url.length }).end(url))
  }
}

/** Headers that declare the length of the body: once, twice, ambiguous, misspelt, or folded. */
const lengths = [
  ['Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Content-Length: LENGTH'],
  ['Content-Length: 0', 'Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Content-Length: 0'],
  ['Content-Length: +LENGTH'],
  ['Content-Length: 0xff'],
  ['Content-Length: -1'],
  ['Content-Length: LENGTH, LENGTH'],
  ['Content-Length: LENGTH, 0'],
  ['Content-Length : LENGTH'],
  ['Content-Length:\tLENGTH'],
  ['Content-Length: \x0bLENGTH'],
  ['Content-Length: 99999999999999999999'],
  ['Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Transfer-Encoding: chunked'],
  ['Content-Length: 0', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding: identity', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: identity, chunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: xchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding : chunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:\tchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: \x0bchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:chunked\x0b', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: "chunked"', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:\r\n chunked', 'Content-Length: LENGTH'],
  ['X: y\r\n Transfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['X: y\rTransfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['X: y\nTransfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['Transfer_Encoding: chunked', 'Content-Length: LENGTH'],
  ['TRANSFER-ENCODING: CHUNKED', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: chunked', 'Connection: Transfer-Encoding'],
  ['Content-Length: LENGTH', 'Connection: Content-Length'],
  ['Content-Length: LENGTH', 'Expect: 100-continue'],
  ['Content-Length: LENGTH', 'Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk'],
  ['Content-Length: LENGTH', 'Upgrade: websocket', 'Connection: Upgrade'],
  ['Content-Length: LENGTH', 'X-Nothing\0: y'],
  [],
] as const

const hidden = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\nX: `
const chunk = (text: string, size = text.length.toString(16)) => `${size}\r\n${text}\r\n`

/** Bodies with a request hidden in them. */
const bodies: readonly ((path: string) => string)[] = [
  (path) => hidden(path),
  (path) => `0\r\n\r\n${hidden(path)}`,
  (path) => `${chunk('abc')}0\r\n\r\n${hidden(path)}`,
  (path) => `${chunk(hidden(path))}0\r\n\r\n`,
  (path) => `3;x=\n${hidden(path).length}\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `3 \r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `0x3\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `3\nabc\n0\n\n${hidden(path)}`,
  (path) => `fffffffffffffffff\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `0\r\nContent-Length: 99\r\npetstore-target: /forged\r\n\r\n${hidden(path)}`,
  (path) => `${chunk('abc', '2')}0\r\n\r\n${hidden(path)}`,
  (path) => `\r\n\r\n${hidden(path)}`,
]

const QUIET_MS = 100

/** Sends the text and reads until the peer closes the connection or sends nothing more. */
async function exchange(environment: CaddyEnvironment, text: string): Promise<string> {
  const socket = connect({ host: environment.caddy.addresses[0] ?? '', port: environment.caddy.httpPort })
  let received = ''
  socket.setEncoding('latin1').on('data', (part: string) => (received += part))
  socket.on('error', () => undefined)
  socket.setTimeout(QUIET_MS, () => socket.destroy())
  socket.write(Buffer.from(text, 'latin1'))
  await once(socket, 'close')
  return received
}
