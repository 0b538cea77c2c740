// Slow uploads: one that keeps the pace may take longer than any other request, one that does not is ended, and every
// other request has the same time as before. The pace is measured over REQUEST_TIMEOUT_MS: here ten seconds, so that a
// busy machine does not end what keeps the pace. The tests that wait for it wait together.

import { expect, test } from 'vitest'
import { uploadKey } from '../../src/photos/store/object-keys.ts'
import { DASHBOARD, PLATFORM, startTestPlatform } from '../../../testbed/harness/platform.ts'
import { RawConnection, faultsOf } from '../v1/raw.ts'
import { addAnimal, at, codeOf, photosOf, photoWorkshop, picture, send } from './environment.ts'

const REQUEST_TIMEOUT_MS = 10_000

const platform = await startTestPlatform({
  env: {
    HEADERS_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    MEDIA_BYTES_MAX: '10000000',
  },
})
const owner = await platform.owner()
const other = await platform.owner()
const shop = photoWorkshop(platform)
const { server } = platform.test.service.app

/** A picture of this many bytes. */
const large = (bytes: number) => picture('x'.repeat(bytes - picture('').length))

const EXPECTING = 'Expect: 100-continue\r\n'

async function begin(pet: string, length: number, more = '', by = owner): Promise<RawConnection> {
  const connection = await RawConnection.open(server)
  await connection.send(
    `POST ${PLATFORM}${at(by, `/animals/${pet}/photos`)} HTTP/1.1\r\nHost: petstore\r\nCookie: ${by.cookie}\r\n` +
      `Origin: ${DASHBOARD}\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n${more}\r\n`,
  )
  return connection
}

/** Sends a picture in pieces, at five times the pace, for longer than a request of another kind may take. */
async function drip(connection: RawConnection, bytes: Buffer): Promise<void> {
  const begun = performance.now()
  const last = bytes.length - 1
  let sent = 0
  while (performance.now() - begun < REQUEST_TIMEOUT_MS * 1.25) {
    const end = Math.min(last, sent + 2000)
    await connection.send(bytes.subarray(sent, end))
    sent = end
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await connection.send(bytes.subarray(sent))
}

test.concurrent('an upload that keeps the pace takes longer than other requests may, and one that stops is ended', async () => {
  const pet = await addAnimal(owner)
  const bytes = large(800_000)
  const [steady, stalled] = [await begin(pet, bytes.length, EXPECTING), await begin(pet, bytes.length, EXPECTING)]
  // Their bodies are being read.
  for (const upload of [steady, stalled]) expect((await upload.answer())?.status).toBe(100)
  await stalled.send(bytes.subarray(0, 20_000))
  const ended = stalled.answersToEnd()
  await drip(steady, bytes)
  expect((await steady.answer())?.status).toBe(201)
  steady.destroy()
  const answers = await ended
  expect(answers.map((answer) => faultsOf(answer, 408, 'request_timeout'))).toEqual([[]])
  stalled.destroy()
  // Nothing is left of it.
  expect((await send(owner, pet, picture('next'))).status).toBe(201)
  const photos = await photosOf(owner, pet)
  expect((await shop.keys(owner)).toSorted()).toEqual(photos.map(({ id }) => uploadKey(id)).toSorted())
})

test.concurrent('every other request has the time that it had before', async () => {
  const connection = await RawConnection.open(server)
  await connection.send(
    `PATCH ${PLATFORM}${at(other, '')} HTTP/1.1\r\nHost: petstore\r\nCookie: ${other.cookie}\r\nOrigin: ${DASHBOARD}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"name"',
  )
  expect((await connection.answersToEnd()).map((answer) => faultsOf(answer, 408, 'request_timeout'))).toEqual([[]])
  connection.destroy()
})

test.concurrent('an upload that was answered before its body is read has no more time than others', async () => {
  const connection = await begin('9007199254740991', 1000, '', other)
  expect((await connection.answersToEnd()).map(({ status }) => status)).toEqual([404])
})

test('an upload that breaks off stores nothing', async () => {
  const pet = await addAnimal(owner)
  const before = await shop.keys(owner)
  const connection = await begin(pet, 5000)
  await connection.send(picture('cut').subarray(0, 100))
  connection.destroy()
  expect((await send(owner, pet, picture('whole'))).status).toBe(201)
  expect(await shop.keys(owner)).toHaveLength(before.length + 1)
})

test('beyond MEDIA_BYTES_MAX an upload is refused, whatever the plan includes', async () => {
  const pet = await addAnimal(owner)
  const refused = await send(owner, pet, Buffer.alloc(10_000_001))
  expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([503, 'service_unavailable', '60'])
})
