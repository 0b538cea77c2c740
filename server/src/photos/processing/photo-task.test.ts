// Replies of the process are checked: a decoder that was taken over cannot put other files in place of photos.

import { expect, test } from 'vitest'
import { png, webpLossy } from '../../../../testbed/photos/images.ts'
import { resultOf } from './photo-task.ts'
import { plannedFiles } from './recipe.ts'

const head = { outcome: 'ready', width: 3, height: 2 }
const count = plannedFiles(head).length

test('a damaged photo is a result', () => {
  expect(resultOf({ head: { outcome: 'damaged' }, blobs: [] })).toEqual({ outcome: 'failed', reason: 'damaged' })
})

test.each([
  ['nothing', null, []],
  ['an unknown outcome', { outcome: 'fine' }, []],
  ['no size', { outcome: 'ready' }, []],
  ['a size that is none', { ...head, width: -3 }, []],
  ['too few files', head, [webpLossy]],
  ['files of another type', head, Array.from({ length: count }, () => png)],
  ['a file that is no picture', head, [webpLossy, webpLossy, Buffer.from('<script>')]],
])('%s is none', (_, reply, blobs) => {
  expect(resultOf({ head: reply, blobs })).toBeUndefined()
})
