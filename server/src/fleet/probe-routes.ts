// The answer to our own question "does this name reach you?": a code over nonce and
// host that only somebody with the installation's secret can make. It is given for
// every host, attached or not, from no database, and says nothing of any project.

import type { FastifyReply } from 'fastify'
import { PROBE_PATH, probeProof } from './probe-proof.ts'
import { nameOf } from '../sites/hosts.ts'

const nonceForm = /^[A-Za-z0-9_-]{16,64}$/
const HOST_MAX = 253

const headers = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export const isProbe = (target: string) => target.startsWith(PROBE_PATH)

/** Without a secret there is nothing to answer with. */
export function answerProbe(reply: FastifyReply, target: string, host: string, secret: string | undefined): void {
  const nonce = target.slice(PROBE_PATH.length)
  const name = nameOf(host)
  const isAnswerable = secret !== undefined && nonceForm.test(nonce) && name.length <= HOST_MAX
  reply.code(isAnswerable ? 200 : 404).headers(headers)
  reply.send(isAnswerable ? probeProof(secret, nonce, name) : 'Not found.\n')
}
