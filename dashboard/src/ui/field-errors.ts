// Places a refusal in a form: next to the field that the server names, or in one sentence
// below the form. A retry delay is written as a duration for people.

import type { PlatformError } from '@petstore-platform/contract/platform/client'
import * as texts from '../texts/texts.ts'
import { namedField } from '../ui/named-field.ts'

const words = texts.account

/** By field; `form` is what belongs to none of them. */
export type Faults<Field extends string> = Partial<Record<Field | 'form', string>>

export function faultsFrom<Field extends string>(error: PlatformError, fields: readonly Field[]): Faults<Field> {
  const named = namedField(error.message)
  const field = fields.find((known) => known === named?.field)
  if (named && field !== undefined) return { [field]: words.fault(named.rest) } as Faults<Field>
  return { form: wordsFor(error) } as Faults<Field>
}

/** What is missing, before anything is sent; all else is for the server to judge. */
export const missingIn = <Field extends string>(typed: Record<Field, string>): Faults<Field> =>
  Object.fromEntries(
    Object.entries<string>(typed)
      .filter(([, value]) => value.trim() === '')
      .map(([field]) => [field, words.needed]),
  ) as Faults<Field>

export const isFaulty = (faults: Faults<string>): boolean => Object.keys(faults).length > 0

export function wordsFor({ code, message, headers }: PlatformError): string {
  const seconds = Number(headers.get('Retry-After') ?? '')
  return code === 'rate_limited' && seconds > 0 ? words.wait(spanWords(seconds)) : message
}

/** Rounded up, so that a retry is never too early. */
export const spanWords = (seconds: number): string =>
  seconds < 60 ? words.seconds(Math.ceil(seconds)) : words.minutes(Math.ceil(seconds / 60))
