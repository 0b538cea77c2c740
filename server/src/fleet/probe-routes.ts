// `answerProbe` responds to our own reachability probe: a code over nonce and host that requires
// the installation's secret. It responds for every host, attached or not, without a database, and
// reveals nothing about any project.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { PROBE_PATH, probeProof, serviceProof } from './probe-proof.ts'
import { nameOf } from '../sites/pages/hosts.ts'

const nonceForm = /^[A-Za-z0-9_-]{16,64}$/
const HOST_MAX = 253

const headers = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export const isProbe = (target: string) => target.startsWith(PROBE_PATH)

/** Without a secret the response is 404. */
export function answerProbe(
  reply: FastifyReply,
  target: string,
  host: string,
  secret: string | undefined,
  proofOf = probeProof,
): void {
  const nonce = target.slice(PROBE_PATH.length)
  const name = nameOf(host)
  const isAnswerable = secret !== undefined && nonceForm.test(nonce) && name.length <= HOST_MAX
  reply.code(isAnswerable ? 200 : 404).headers(headers)
  reply.send(isAnswerable ? proofOf(secret, nonce, name) : 'Not found.\n')
}

/** The same for the service: with it, `doctor` finds out whether BASE_URL leads to this installation. */
export function serviceProbeRoute(app: FastifyInstance, secret: string | undefined): void {
  app.get(`${PROBE_PATH}:nonce`, (request, reply) =>
    answerProbe(reply, request.url, request.headers.host ?? '', secret, serviceProof),
  )
}
