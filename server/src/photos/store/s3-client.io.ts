// `openS3` sends signed requests to an S3-compatible store. Body and headers are signed, so neither can be changed on the
// way. Every request settles within its time: what failed in passing (no response, a server error) is repeated with a
// random delay, which is safe because all requests that are sent here can be repeated. Redirects are not followed: the
// signature would go to another host.

import { hash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { HttpFailure, sendHttp, serverOf } from '../../foundation/http/http-client.io.ts'
import { OBJECT_BYTES_MAX, ObjectsUnavailable } from '../../foundation/objects.ts'
import type { Clock } from '../../foundation/time.ts'
import { failureSentence, type S3Answer } from './s3-answers.ts'
import type { S3Config } from '../settings.ts'

export type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Inside the bucket, not encoded. */
  path: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer
}

/** For one attempt, and for all of them together. */
export type Timeouts = { attemptMs: number; totalMs: number }

export type S3Client = {
  /** The last response, whatever its status; throws `ObjectsUnavailable` if there was none. */
  send(request: S3Request, timeouts: Timeouts): Promise<S3Answer>
}

const ATTEMPTS_MAX = 3
const FIRST_DELAY_MS = 100
const SOCKETS_MAX = 64
/** More than any object, listing or error. */
const BYTES_MAX = OBJECT_BYTES_MAX + 1_000_000
/** A conflict is that of two conditional writes at the same moment, of which neither may have been done. */
const passing: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504])

export function openS3(config: S3Config, now: Clock = Date.now): S3Client {
  const server = serverOf(config.endpoint)
  const { Agent } = server.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })

  const attempt = async ({ method, path, query, headers, body }: S3Request, ms: number): Promise<S3Answer> => {
    const url = new URL(addressOf(config, path, query))
    const signed = await signedHeaders(config, { method, url: url.href, headers, body }, now())
    const response = await sendHttp({
      options: {
        ...server,
        agent,
        method,
        path: url.pathname + url.search,
        headers: { ...signed, ...(body && { 'Content-Length': String(body.length) }) },
      },
      body,
      signal: AbortSignal.timeout(ms),
      bytesMax: BYTES_MAX,
    })
    const region = response.headers['x-amz-bucket-region']
    return { status: response.status, region: typeof region === 'string' ? region : undefined, body: response.body }
  }

  return {
    async send(request, { attemptMs, totalMs }) {
      const end = performance.now() + totalMs
      for (let count = 1; ; count += 1) {
        const ms = Math.max(1, Math.min(attemptMs, end - performance.now()))
        const outcome = await attempt(request, Math.ceil(ms)).catch(failureOf)
        const pauseMs = Math.random() * FIRST_DELAY_MS * 2 ** count
        const isLast = count === ATTEMPTS_MAX || performance.now() + pauseMs >= end
        if (outcome instanceof HttpFailure) {
          if (isLast || outcome.why === 'too_large') {
            throw new ObjectsUnavailable(failureSentence(outcome), { cause: outcome })
          }
        } else if (isLast || !passing.has(outcome.status)) return outcome
        await delay(pauseMs)
      }
    },
  }
}

function failureOf(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  throw error
}

type Unsigned = {
  method: string
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  body?: Buffer | undefined
}

/** The headers with which the request is sent: those given, date, digest and signature (AWS Signature Version 4). */
export async function signedHeaders(
  { region, accessKeyId, secretAccessKey }: Pick<S3Config, 'region' | 'accessKeyId' | 'secretAccessKey'>,
  { method, url, headers, body }: Unsigned,
  now: number,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') },
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    service: 's3',
    region,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  })
  return Object.fromEntries((await signer.sign()).headers)
}

/** Encoded as it is signed, so that nothing on the way has a reason to encode it in another way. */
function addressOf({ endpoint, bucket }: S3Config, path: string, query: S3Request['query'] = {}): string {
  const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return `${endpoint}/${bucket}${path && '/'}${path.split('/').map(encoded).join('/')}${search.length > 0 ? `?${search.join('&')}` : ''}`
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
