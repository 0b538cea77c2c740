// Uploads when many are under way: one account cannot keep those of others out, however many projects it has and however
// slowly it sends. Bodies are begun and left unfinished; nothing here depends on how fast the machine is.

import { expect, test } from 'vitest'
import { DASHBOARD, PLATFORM, startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { RawConnection, faultsOf, headerOf } from '../v1/raw.ts'
import { addAnimal, at, picture, send } from './environment.ts'

const MB = 1_000_000
// Longer than the file: no upload here ends because of its pace.
const times = { HEADERS_TIMEOUT_MS: '300000', REQUEST_TIMEOUT_MS: '300000' }

/** Begins an upload of this many bytes and sends some of them, once the server has asked for its body. */
async function begin(
  platform: Awaited<ReturnType<typeof startTestPlatform>>,
  { slug, cookie }: Pick<PlatformOwner, 'slug' | 'cookie'>,
  pet: string,
  { length = MB, sent = 0 } = {},
) {
  const connection = await RawConnection.open(platform.test.service.app.server)
  await connection.send(
    `POST ${PLATFORM}${at({ slug }, `/animals/${pet}/photos`)} HTTP/1.1\r\nHost: petstore\r\nCookie: ${cookie}\r\n` +
      `Origin: ${DASHBOARD}\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  const answer = await connection.answer()
  if (answer?.status === 100) await connection.send(Buffer.alloc(sent))
  return { connection, answer }
}

/** Further projects of the same person. */
async function moreProjects(owner: PlatformOwner, count: number): Promise<PlatformOwner[]> {
  const slugs = Array.from({ length: count }, (_, n) => `${owner.slug}-${n}`)
  for (const slug of slugs) {
    expect((await owner.send('POST', '/projects', { slug, name: slug })).status).toBe(201)
  }
  return slugs.map((slug) => ({ ...owner, slug }))
}

test('one account with five projects has slow uploads in each, and those of another account are taken', async () => {
  const platform = await startTestPlatform({ env: times })
  const [holder, other] = [await platform.owner(), await platform.owner()]
  const projects = [holder, ...(await moreProjects(holder, 4))]
  const held: RawConnection[] = []
  const answers: (string | undefined)[] = []
  for (const project of projects) {
    const pet = await addAnimal(project)
    for (let count = 0; count < 4; count += 1) {
      const { connection, answer } = await begin(platform, project, pet, { sent: 1000 })
      held.push(connection)
      answers.push(`${answer?.status}${answer?.body}`)
    }
  }
  const pet = await addAnimal(other)
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => (await send(other, pet, picture(`${n}`))).status),
  )
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 201))
  // As many bytes as it may have at a time, and no more.
  expect(answers.filter((answer) => answer === '100')).toHaveLength(10)
  const refused = answers.find((answer) => answer !== '100')
  expect(refused).toContain('At most 40 MB of uploads of an account are under way at a time')
  for (const connection of held) connection.destroy()
})

test('where there is no room, the slowest upload of the account that has most ends for one that has less', async () => {
  const LIMITS = JSON.stringify({ accountUploadBytes: 12 * MB, processUploadBytes: 16 * MB })
  const platform = await startTestPlatform({ env: { ...times, LIMITS } })
  const [holder, small, late] = [await platform.owner(), await platform.owner(), await platform.owner()]
  const pets = { holder: await addAnimal(holder), small: await addAnimal(small), late: await addAnimal(late) }
  const sent = [50_000, 0, 90_000]
  const held = await Promise.all(sent.map((bytes) => begin(platform, holder, pets.holder, { sent: bytes })))
  const alone = await begin(platform, small, pets.small)
  expect([...held, alone].map(({ answer }) => answer?.status)).toEqual([100, 100, 100, 100])

  expect((await send(late, pets.late, picture('late'))).status).toBe(201)
  const [ended, ...more] = (await held[1]?.connection.answersToEnd()) ?? []
  expect(more).toEqual([])
  expect(ended && faultsOf(ended, 408, 'request_timeout')).toEqual([])
  expect(ended && [headerOf(ended, 'Retry-After'), ended.body]).toEqual([
    '2',
    expect.stringContaining('Others needed the room for uploads, and this was the slowest'),
  ])
  // The others are read to their end, where they turn out to be no pictures.
  for (const [index, { connection }] of held.entries()) {
    if (index === 1) continue
    await connection.send(Buffer.alloc(MB - (sent[index] ?? 0)))
    expect((await connection.answer())?.status).toBe(400)
  }
  // One that has no more than the others is not ended for one that would have more.
  const fast = await begin(platform, late, pets.late, { length: 12 * MB })
  const tooLarge = await begin(platform, holder, pets.holder, { length: 12 * MB })
  expect([fast.answer?.status, tooLarge.answer?.status]).toEqual([100, 429])
  await alone.connection.send(Buffer.alloc(MB))
  expect((await alone.connection.answer())?.status).toBe(400)
  for (const { connection } of [...held, alone, fast, tooLarge]) connection.destroy()
})
