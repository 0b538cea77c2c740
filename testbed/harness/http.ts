// An HTTP client with every byte under control: node:http adds nothing but Host, and the
// response is returned as it came.

import { Agent, request as send, type IncomingHttpHeaders } from 'node:http'

export type RawRequest = {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}
export type Received = {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  text: string
  json: unknown
}

export function exchange(
  origin: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
  agent?: Agent,
): Promise<Received> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, method, path, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          text,
          // Small numbers only: tests of an int64 compare the text.
          get json() {
            return JSON.parse(text) as unknown
          },
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
