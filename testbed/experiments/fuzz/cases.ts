// The requests of the fuzzer: an endless, repeatable sequence of cases. Two in five are valid
// and must succeed, two in five have one fault and must be rejected with its code, and one in
// five is hostile.

import { refusals } from '@petstore-platform/contract/errors'
import fc from 'fast-check'
import type { Operation } from '../../harness/openapi.ts'
import { withHeader, type RequestDraft, type DraftFault } from './draft.ts'
import { faultsOf } from './faults.ts'
import { hostile } from './hostile.ts'
import { simplest, validRequests, type SeededData } from './valid.ts'

export type Case = {
  name: string
  draft: RequestDraft
  /** Its one fault makes the end of the request ambiguous. */
  isFraming?: boolean
  /** The same fault in the simplest request, for debugging. */
  plain?: () => RequestDraft
  /** The required response; undefined where it cannot be predicted. */
  expected?: {
    statuses: readonly number[]
    code?: string
    /** The response repeats what was sent, value for value. */
    isEchoed?: boolean
  }
}

export type Kinds = 'all' | 'valid'

const BATCH = 500

export function* casesOf(
  operations: readonly Operation[],
  seeded: SeededData,
  seed: number,
  kinds: Kinds,
): Generator<Case> {
  const arbitrary = fc.oneof(...operations.map((operation) => casesFor(operation, seeded, kinds)))
  for (let batch = 0; ; batch++) {
    // A batch at a time, so that a long run needs no more memory than a short one.
    yield* fc.sample(arbitrary, { seed: (seed + batch * 7919) | 0, numRuns: BATCH })
  }
}

function casesFor(operation: Operation, seeded: SeededData, kinds: Kinds): fc.Arbitrary<Case> {
  const valid = validRequests(operation, seeded)
  const right = valid.map(({ draft, statuses }): Case => ({
    name: 'valid',
    draft,
    expected: { statuses, isEchoed: operation.body !== undefined },
  }))
  if (kinds === 'valid') return right
  const plainest = simplest(operation, seeded)
  const wrong = fc.tuple(valid, faultsOf(operation, seeded)).map(([{ draft }, fault]) => faulty(draft, plainest, fault))
  const wild = hostile(valid.map(({ draft }) => draft)).map((draft): Case => ({ name: 'hostile', draft }))
  const isRepeatable = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
  const again = isRepeatable ? [{ arbitrary: fc.constantFrom(...repeated(operation, seeded)), weight: 1 }] : []
  return fc.oneof(
    { arbitrary: right, weight: 8 },
    { arbitrary: wrong, weight: 8 },
    { arbitrary: wild, weight: 4 },
    ...again,
  )
}

/**
 * An Idempotency-Key that was used: the same request again is replayed, another body is
 * rejected, and neither blocks the other.
 */
function repeated(operation: Operation, seeded: SeededData): Case[] {
  const { key, body } = seeded.used
  const draft = withHeader(simplest(operation, seeded), 'Idempotency-Key', key)
  const same = { ...draft, body: Buffer.from(body) }
  const quoted = withHeader(same, 'Idempotency-Key', `"${key}"`)
  return [
    { name: 'replay', draft: same, expected: { statuses: [201, 409] } },
    { name: 'replay with a quoted key', draft: quoted, expected: { statuses: [201, 409] } },
    { name: 'key used for another body', draft, expected: { statuses: [422, 409] } },
  ]
}

function faulty(
  draft: RequestDraft,
  plainest: RequestDraft,
  { name, code, change, isFraming = false }: DraftFault,
): Case {
  const expected = { statuses: [refusals[code].status], code }
  return { name, draft: change(draft), isFraming, plain: () => change(plainest), expected }
}
