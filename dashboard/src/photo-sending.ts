// How a photo gets to the server, wherever it was chosen: made smaller, within the limit, sent again when the server is
// reachable, and what a failure means. What is sent, and what happens then, is said by the page.

import type { PHOTO_BYTES_MAX } from '@petstore-platform/contract/platform/photos'
import { isRefused, wordsOf } from './api.ts'
import { connection } from './connection.ts'
import * as texts from './texts/texts.ts'
import type { UploadDeps } from './ui/photo-uploads.ts'
import { preparePhoto } from './ui/prepare-photo.ts'

const BYTES_MAX: typeof PHOTO_BYTES_MAX = 20_000_000

const words = texts.photos

class TooLarge extends Error {}

type Sending = Pick<UploadDeps<{ file: File }, unknown>, 'prepare' | 'pause' | 'newKey' | 'wordsOf'>

export const photoSending: Sending = {
  async prepare({ file }) {
    const body = await preparePhoto(file)
    if (body.size > BYTES_MAX) throw new TooLarge()
    return body
  },
  /** Until the server is reachable, and at least for so long. */
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => void connection.back().then(resolve), ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
  newKey: () => crypto.randomUUID(),
  /** Some codes are about requests in general, and get a text about photos. */
  wordsOf(error) {
    if (error instanceof TooLarge || isRefused(error, 'body_too_large')) return words.tooLarge
    return isRefused(error, 'unsupported_media_type') ? words.notAPhoto : wordsOf(error)
  },
}
