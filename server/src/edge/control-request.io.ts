// `sendToControl` sends one request of an edge to its control plane. It settles within its deadline, whatever the other
// side does: reject, hang, send slowly, or send without end. No error contains a credential or quotes a response, since
// it may contain a key.

import type { RequestOptions } from 'node:http'
import { SKEW_MS } from '../fleet/request-signature.io.ts'
import { HttpFailure, sendHttpTwice, serverOf, type HttpResponse } from '../foundation/http/http-client.io.ts'
import { SECOND } from '../foundation/time.ts'
import { failureSentence } from './control-failure.ts'

export type ResponseLimits = { deadlineMs: number; bytesMax: number; signal?: AbortSignal }
export type ControlResponse = Pick<HttpResponse, 'status' | 'headers' | 'body'>

/** The control plane could not be reached, or sent an invalid response. */
export class ControlError extends Error {}

export async function sendToControl(
  controlUrl: string,
  options: RequestOptions & { ca?: string },
  { deadlineMs, bytesMax, signal }: ResponseLimits,
  body?: Buffer,
): Promise<ControlResponse> {
  const late = AbortSignal.timeout(deadlineMs)
  try {
    return await sendHttpTwice({
      options: { ...options, ...serverOf(controlUrl) },
      body,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      bytesMax,
    })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw new ControlError(failureSentence(error, 'The control plane answered far more than there is to say.'))
  }
}

/** A wrong clock is the one cause of a rejected signature that the operator of an edge can see from here. */
export function rejectionSentence({ status, headers }: ControlResponse): string {
  const offMs = status === 401 ? Math.abs(Date.parse(headers.date ?? '') - Date.now()) : 0
  return offMs > SKEW_MS
    ? `The control plane rejects requests of this edge: their clocks differ by ${Math.round(offMs / SECOND)} s.`
    : `The control plane answered ${status}.`
}

export function jsonOf({ body }: ControlResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
