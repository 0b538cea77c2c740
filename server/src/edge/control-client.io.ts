// `openControl` is the edge's client of its control plane: four kinds of requests over HTTP, each
// signed by the edge. A response that does not match fleet/protocol.ts is an error and never partly
// trusted; "there is none" (404) is null. A private key is decrypted here.

import * as http from 'node:http'
import * as https from 'node:https'
import {
  CERTIFICATES_PATH,
  CHALLENGES_PATH,
  CHANGES_PATH,
  PROTOCOL,
  SETTINGS_FOR,
  SETTINGS_PATH,
  type Changes,
  type CertificateResponse,
  type ChallengeResponse,
  type DeliveredCertificate,
  type SharedSettings,
} from '../fleet/protocol.ts'
import { MINUTE, SECOND } from '../foundation/time.ts'
import {
  ControlError,
  jsonOf,
  rejectionSentence,
  sendToControl,
  type ControlResponse,
  type ResponseLimits,
} from './control-request.io.ts'
import { readCertificate, readChallenge, readChanges, readSettings } from './decode-control.ts'
import { openIdentity, type EdgeIdentity, type IdentityConfig } from './identity.io.ts'
import type { EdgeConfig } from './settings.ts'

export type ControlClient = {
  changes(request: ChangesRequest, signal: AbortSignal): Promise<Changes>
  certificate(hostname: string, generation: string, deadlineMs: number): Promise<CertificateResponse | null>
  challenge(hostname: string, token: string, deadlineMs: number): Promise<ChallengeResponse | null>
  settings(): Promise<SharedSettings>
  close(): void
}

export type ChangesRequest = {
  after: number
  /** The last number when this edge's table was started; 0 once it has everything before it. */
  begun: number
  waitMs: number
}

export type ControlConfig = Pick<EdgeConfig, 'controlUrl' | 'controlRoots'> & { identity: EdgeIdentity }

/** A request for changes may stay without a response for its whole wait, and is given up after this. */
const CHANGES_DEADLINE_MS = 3000
const CHANGES_BYTES_MAX = 16 * 1024 * 1024
const CERTIFICATE_BYTES_MAX = 256 * 1024
const CHALLENGE_BYTES_MAX = 4096
const SOCKETS_MAX = 64
/** After the control plane has stopped handing out private keys, it is asked again no sooner than this. */
const STOPPED_MS_MAX = MINUTE

export function openControl({ controlUrl, controlRoots, identity }: ControlConfig): ControlClient {
  const { Agent } = controlUrl.startsWith('https:') ? https : http
  const settings = { keepAlive: true, ...(controlRoots !== undefined && { ca: controlRoots }) }
  // Separate agents, so that changes never wait behind certificates.
  const agents = {
    changes: new Agent({ ...settings, maxSockets: 2 }),
    rest: new Agent({ ...settings, maxSockets: SOCKETS_MAX }),
  }
  const get = async (path: string, limits: ResponseLimits, agent: http.Agent) => {
    const Authorization = await identity.authorize({ method: 'GET', url: path, headers: {} })
    return sendToControl(controlUrl, { path, agent, headers: { Authorization, Accept: 'application/json' } }, limits)
  }
  let stoppedUntil = Number.NEGATIVE_INFINITY

  return {
    async changes({ after, begun, waitMs }, signal) {
      const path = `${CHANGES_PATH}?after=${after}&wait=${waitMs}${begun > 0 ? `&begun=${begun}` : ''}&protocol=${PROTOCOL}`
      const limits = { deadlineMs: CHANGES_DEADLINE_MS, bytesMax: CHANGES_BYTES_MAX, signal }
      const answer = await get(path, limits, agents.changes)
      const changes = answer.status === 200 ? readChanges(jsonOf(answer), after) : undefined
      return changes ?? refuse('changes', answer)
    },
    async certificate(hostname, generation, deadlineMs) {
      if (performance.now() < stoppedUntil) throw new ControlError(STOPPED)
      const path = `${CERTIFICATES_PATH}${encodeURIComponent(hostname).replace('*', '%2A')}?generation=${generation}`
      const answer = await get(path, { deadlineMs, bytesMax: CERTIFICATE_BYTES_MAX }, agents.rest)
      if (answer.status === 404) return null
      if (answer.status === 429) {
        const waitMs = Number(answer.headers['retry-after'] ?? 0) * SECOND
        stoppedUntil = performance.now() + Math.min(waitMs, STOPPED_MS_MAX)
        throw new ControlError(STOPPED)
      }
      const found = answer.status === 200 ? readCertificate(jsonOf(answer), { hostname, generation }) : undefined
      const key = found && identity.openKey(found)
      return found && key !== undefined ? withKey(found, key) : refuse('a certificate', answer)
    },
    async challenge(hostname, challengeToken, deadlineMs) {
      const path = `${CHALLENGES_PATH}${encodeURIComponent(hostname)}/${encodeURIComponent(challengeToken)}`
      const answer = await get(path, { deadlineMs, bytesMax: CHALLENGE_BYTES_MAX }, agents.rest)
      if (answer.status === 404) return null
      const found = answer.status === 200 ? readChallenge(jsonOf(answer), challengeToken) : undefined
      return found ?? refuse('a challenge', answer)
    },
    async settings() {
      const limits = { deadlineMs: CHANGES_DEADLINE_MS, bytesMax: CERTIFICATE_BYTES_MAX }
      const answer = await get(SETTINGS_PATH, limits, agents.rest)
      const found = answer.status === 200 ? readSettings(jsonOf(answer)) : undefined
      const text = found && identity.openKey({ ...found, ...SETTINGS_FOR })
      return text === undefined ? refuse('settings', answer) : (JSON.parse(text) as SharedSettings)
    },
    close() {
      agents.changes.destroy()
      agents.rest.destroy()
    },
  }
}

/** What the settings of all edges have in common. An edge that has not enrolled does so first. */
export async function askSettings(config: IdentityConfig): Promise<SharedSettings> {
  const control = openControl({ ...config, identity: await openIdentity(config) })
  return control.settings().finally(() => control.close())
}

const STOPPED = 'The control plane hands out no more private keys to this edge for now.'

const withKey = ({ sealedKey: _, ...certificate }: DeliveredCertificate, key: string): CertificateResponse => ({
  ...certificate,
  key,
})

function refuse(what: string, answer: ControlResponse): never {
  throw new ControlError(
    answer.status === 200
      ? `The control plane was asked for ${what} and answered nonsense.`
      : rejectionSentence(answer),
  )
}
