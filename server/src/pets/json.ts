// An animal as JSON text. Written out instead of serialised: the digits of a
// bigint go to the wire as they are, and it is the cheapest way as well. That
// the text fits the contract's schema is what the tests check on every answer.

import { hash } from 'node:crypto'
import type { NewPet, Pet } from '@petstore/contract/pets'

export const petJson = ({ id, name, categoryId, status }: Required<Pet>): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`

/** The same for the same validated value, however it was spelt on the wire. */
export const fingerprintOf = ({ name, categoryId, status }: Required<NewPet>): Buffer =>
  hash('sha256', JSON.stringify([name, String(categoryId), status]), 'buffer')
