// `Refusal` is a request that is not carried out: thrown where the reason is detected, rendered in
// one place. Codes and their statuses belong to the contract; a refusal may carry a more specific
// message than its code, and headers of its own.

import { MESSAGE_LENGTH_MAX, refusals, type ErrorBody, type RefusalCode } from '@petstore-platform/contract/errors'

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, message?: string, headers: Readonly<Record<string, string>> = {}) {
    super(message ?? refusals[code].message)
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return refusals[this.code].status
  }
}

export function bodyOf({ code, message, status }: Refusal): string {
  const body: ErrorBody = { code, message: message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed(), status }
  return JSON.stringify(body)
}

const QUOTE_LENGTH_MAX = 64

/** Quotes the caller's text for a message: short, and with its control characters visible. */
export function quoted(text: string): string {
  const short = text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX - 1)}…` : text
  return `'${short.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
