// The rules of hostname ownership, one by one, and over all combinations of proof, token and
// holder.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProjectId } from '../../projects/scope.io.ts'
import { decide, isFresh, newToken, type Claim, type Holding } from './ownership-decision.ts'

const [us, them] = [1n, 2n] as [ProjectId, ProjectId]
const free: Holding = { generation: 0n, holder: null, last: null }
const theirs: Holding = {
  generation: 5n,
  holder: { project: them, domain: 'dom_2' },
  last: { project: them, generation: 5n },
}
const claim: Claim = { project: us, proof: null, tokenGeneration: 0n, isAsked: true }

describe('a hostname', () => {
  test.each<[string, Partial<Claim>, Holding, string]>([
    ['without a holder is taken by a CNAME', { proof: 'cname', isAsked: false }, free, 'takes'],
    ['without a holder is taken by a token', { proof: 'txt', isAsked: false }, free, 'takes'],
    ['without a holder stays free without proof', {}, free, 'unproven'],
    ['of another project does not move by a CNAME', { proof: 'cname' }, theirs, 'another'],
    ['of another project moves by a fresh token', { proof: 'txt', tokenGeneration: 5n }, theirs, 'moves'],
    ['of another project does not move by an older token', { proof: 'txt', tokenGeneration: 4n }, theirs, 'another'],
    [
      'of another project does not move in the background',
      { proof: 'txt', tokenGeneration: 5n, isAsked: false },
      theirs,
      'another',
    ],
    [
      'that another project released is not taken by an older token',
      { proof: 'txt', tokenGeneration: 4n },
      { ...theirs, holder: null },
      'unproven',
    ],
    ['that the project holds stays with it', {}, { ...theirs, holder: { project: us, domain: 'dom_1' } }, 'has'],
  ])('%s', (_, changes, holding, decision) => {
    expect(decide({ ...claim, ...changes }, holding)).toBe(decision)
  })
})

const project = fc.constantFrom(us, them)
const generation = fc.bigInt({ min: 0n, max: 6n })
const holdings: fc.Arbitrary<Holding> = fc.record({
  generation,
  holder: fc.option(fc.record({ project, domain: fc.constant('dom') })),
  last: fc.option(fc.record({ project, generation })),
})
const claims: fc.Arbitrary<Claim> = fc.record({
  project,
  proof: fc.constantFrom('cname', 'txt', null),
  tokenGeneration: generation,
  isAsked: fc.boolean(),
})

/** The rule of the model, written the other way round. */
const mayHave = ({ project: who, proof, tokenGeneration, isAsked }: Claim, { holder, last }: Holding) => {
  const txtProof = proof === 'txt' && (tokenGeneration >= (last?.generation ?? 0n) || last?.project === who)
  return holder === null ? proof === 'cname' || txtProof : holder.project !== who && isAsked && txtProof
}

test('a hostname is taken or moved exactly when the model allows it', () => {
  fc.assert(
    fc.property(claims, holdings, (one, holding) => {
      expect(['takes', 'moves'].includes(decide(one, holding))).toBe(mayHave(one, holding))
    }),
    { numRuns: 5000 },
  )
})

test('a rule that ignores the age of a token differs from the model (negative control)', () => {
  const forgetful = (one: Claim, holding: Holding) => decide({ ...one, tokenGeneration: 100n }, holding)
  expect(forgetful({ ...claim, proof: 'txt' }, theirs)).toBe('moves')
  expect(mayHave({ ...claim, proof: 'txt' }, theirs)).toBe(false)
})

test('a token stays fresh for the project that was verified last, however old it is', () => {
  expect(isFresh(0n, us, { ...theirs, last: { project: us, generation: 9n } })).toBe(true)
  expect(isFresh(0n, us, { ...theirs, last: { project: them, generation: 1n } })).toBe(false)
})

test('tokens have at least 128 random bits, in plain letters', () => {
  let asked = 0
  const token = newToken((count) => new Uint8Array(count).map((_, index) => (asked += 1) && index * 37))
  expect(token).toMatch(/^petstore-verify=[0-9a-hjkmnp-tv-z]{28}$/)
  expect(asked * 5).toBeGreaterThanOrEqual(128)
})
