// Responses to OPTIONS: the methods of a path, and the cross-origin permissions that go with them.
// Every response carries `Access-Control-Allow-Origin: *` and the headers that a script may read
// (socket-errors.io.ts); a preflight adds the methods and the request headers, so that a page of
// any origin may send what a program may send.
//
// Credentials are never allowed. A browser therefore sends no cookie across origins and exposes no
// response to a request that carried one: a script of another origin can act only with a key or a
// token that it holds itself.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { applyHeaders } from './http.io.ts'

/** By name: `*` never covers Authorization. */
const requestHeaders = ['Authorization', 'Content-Type', 'If-None-Match']

/** Sends the response to OPTIONS, where `allow` is as in `Allow` and `more` names further request headers. */
export function sendPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  allow: string,
  more: readonly string[] = [],
): FastifyReply {
  return applyHeaders(request, reply)
    .code(204)
    .headers({
      Allow: allow,
      'Access-Control-Allow-Methods': allow.replace(/(, )?OPTIONS$/, ''),
      'Access-Control-Allow-Headers': [...requestHeaders, ...more].toSorted().join(', '),
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    })
    .send()
}
