// `openControl` is the edge's client of its control plane: three kinds of requests over HTTP, each
// with the edge's token. Every request settles within its deadline, whatever the other side does:
// reject, hang, send slowly, or send without end. A response that does not match fleet/protocol.ts
// is an error and never partly trusted; "there is none" (404) is null. No error contains the token
// or quotes a response, since it may contain a key.

import * as http from 'node:http'
import * as https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import {
  CERTIFICATES_PATH,
  CHALLENGES_PATH,
  CHANGES_PATH,
  PROTOCOL,
  type Changes,
  type CertificateResponse,
  type ChallengeResponse,
} from '../fleet/protocol.ts'
import { HttpFailure, sendHttpTwice, type HttpResponse } from '../foundation/http/http-client.io.ts'
import { failureSentence } from './control-failure.ts'
import { readCertificate, readChallenge, readChanges } from './decode-control.ts'
import type { EdgeConfig } from './settings.ts'

export type ControlClient = {
  changes(request: ChangesRequest, signal: AbortSignal): Promise<Changes>
  certificate(hostname: string, generation: string, deadlineMs: number): Promise<CertificateResponse | null>
  challenge(hostname: string, token: string, deadlineMs: number): Promise<ChallengeResponse | null>
  close(): void
}

export type ChangesRequest = {
  after: number
  /** The last number when this edge's table was started; 0 once it has everything before it. */
  begun: number
  waitMs: number
}

export type ControlConfig = Pick<EdgeConfig, 'controlUrl' | 'controlRoots' | 'token'>

/** A request for changes may stay without a response for its whole wait, and is given up after this. */
const CHANGES_DEADLINE_MS = 3000
const CHANGES_BYTES_MAX = 16 * 1024 * 1024
const CERTIFICATE_BYTES_MAX = 256 * 1024
const CHALLENGE_BYTES_MAX = 4096
const SOCKETS_MAX = 64

export function openControl({ controlUrl, controlRoots, token }: ControlConfig): ControlClient {
  const { Agent } = controlUrl.startsWith('https:') ? https : http
  const settings = { keepAlive: true, ...(controlRoots !== undefined && { ca: controlRoots }) }
  // Separate agents, so that changes never wait behind certificates.
  const agents = {
    changes: new Agent({ ...settings, maxSockets: 2 }),
    rest: new Agent({ ...settings, maxSockets: SOCKETS_MAX }),
  }
  const headers = { Authorization: `Bearer ${token.reveal()}`, Accept: 'application/json' }
  const get = (path: string, limits: Limits, agent: http.Agent) =>
    send(new URL(controlUrl + path), { agent, headers }, limits)

  return {
    async changes({ after, begun, waitMs }, signal) {
      const path = `${CHANGES_PATH}?after=${after}&wait=${waitMs}${begun > 0 ? `&begun=${begun}` : ''}&protocol=${PROTOCOL}`
      const limits = { deadlineMs: CHANGES_DEADLINE_MS, bytesMax: CHANGES_BYTES_MAX, signal }
      const answer = await get(path, limits, agents.changes)
      const changes = answer.status === 200 ? readChanges(jsonOf(answer), after) : undefined
      return changes ?? refuse('changes', answer)
    },
    async certificate(hostname, generation, deadlineMs) {
      const path = `${CERTIFICATES_PATH}${encodeURIComponent(hostname).replace('*', '%2A')}?generation=${generation}`
      const answer = await get(path, { deadlineMs, bytesMax: CERTIFICATE_BYTES_MAX }, agents.rest)
      if (answer.status === 404) return null
      const found = answer.status === 200 ? readCertificate(jsonOf(answer), { hostname, generation }) : undefined
      return found ?? refuse('a certificate', answer)
    },
    async challenge(hostname, challengeToken, deadlineMs) {
      const path = `${CHALLENGES_PATH}${encodeURIComponent(hostname)}/${encodeURIComponent(challengeToken)}`
      const answer = await get(path, { deadlineMs, bytesMax: CHALLENGE_BYTES_MAX }, agents.rest)
      if (answer.status === 404) return null
      const found = answer.status === 200 ? readChallenge(jsonOf(answer), challengeToken) : undefined
      return found ?? refuse('a challenge', answer)
    },
    close() {
      agents.changes.destroy()
      agents.rest.destroy()
    },
  }
}

/** The control plane could not be reached, or sent an invalid response. */
export class ControlError extends Error {}

function refuse(what: string, { status }: Answer): never {
  throw new ControlError(
    status === 200
      ? `The control plane was asked for ${what} and answered nonsense.`
      : `The control plane answered ${status}.`,
  )
}

type Limits = { deadlineMs: number; bytesMax: number; signal?: AbortSignal }
type Answer = Pick<HttpResponse, 'status' | 'body'>

async function send(url: URL, options: http.RequestOptions, { deadlineMs, bytesMax, signal }: Limits): Promise<Answer> {
  const late = AbortSignal.timeout(deadlineMs)
  try {
    return await sendHttpTwice({
      options: { ...urlToHttpOptions(url), ...options, protocol: url.protocol },
      signal: signal ? AbortSignal.any([signal, late]) : late,
      bytesMax,
    })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw new ControlError(failureSentence(error, 'The control plane answered far more than there is to say.'))
  }
}

function jsonOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
