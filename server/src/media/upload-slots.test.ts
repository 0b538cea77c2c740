// Slots for uploads, without any.

import { expect, test } from 'vitest'
import { uploadSlots } from './upload-slots.ts'

const refused = expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '2' } })
const take = (slots: ReturnType<typeof uploadSlots>, project: bigint) => {
  try {
    return slots.take(project)
  } catch (error) {
    return error
  }
}

test('a project has its own slots, and all share those of the process', () => {
  const slots = uploadSlots({ perProcess: 3, perProject: 2 })
  const [first] = [slots.take(1n), slots.take(1n)]
  expect(take(slots, 1n)).toEqual(refused)
  const other = slots.take(2n)
  expect(take(slots, 3n)).toEqual(refused)
  other()
  slots.take(3n)
  expect(take(slots, 1n)).toEqual(refused)
  first()
  slots.take(1n)
  expect(take(slots, 2n)).toEqual(refused)
})
