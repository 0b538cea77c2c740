// Copies of pages on the disk of an edge: their number, their size, and what is left of them
// after a crash.

import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPageDisk } from '../../src/edge/pages/page-disk.io.ts'
import { heldPage } from '../../src/edge/pages/page.ts'
import { temporaryFolder } from './environment.ts'

const pageOf = (text: string, etag = `W/"${text}"`) =>
  heldPage({ status: 200, headers: ['Content-Type', 'text/html', 'ETag', etag], body: Buffer.from(text) })

async function openIn(directory: string, bounds: Parameters<typeof openPageDisk>[2] = {}) {
  const errors: Error[] = []
  const disk = await openPageDisk({ onError: (error) => void errors.push(error) }, directory, bounds)
  return { disk, errors }
}

const bytesIn = async (directory: string) => {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('a copy is found again by the next process that opens the folder, with its head and bytes', async () => {
  const directory = await temporaryFolder()
  const { disk } = await openIn(directory)
  disk.keep('north /', pageOf('a page'))
  expect((await disk.find('north /'))?.body.toString()).toBe('a page')
  await disk.close()
  const { disk: next } = await openIn(directory)
  expect(await next.find('north /')).toEqual(pageOf('a page'))
  expect(await next.find('south /')).toBeUndefined()
  expect((await readdir(directory)).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
})

test('an unchanged page is not written again, and a changed one is', async () => {
  const directory = await temporaryFolder()
  const { disk } = await openIn(directory)
  disk.keep('north /', pageOf('one'))
  await disk.close()
  const [name = ''] = await readdir(directory)
  await utimes(join(directory, name), 1, 1)
  disk.keep('north /', pageOf('one'))
  await disk.close()
  expect((await stat(join(directory, name))).mtimeMs).toBe(1000)
  disk.keep('north /', pageOf('two'))
  disk.keep('north /', pageOf('three'))
  await disk.close()
  const { disk: next } = await openIn(directory)
  expect((await next.find('north /'))?.body.toString()).toBe('three')
})

test('number and bytes stay below their bounds, and recently used pages stay', async () => {
  const directory = await temporaryFolder()
  const { disk } = await openIn(directory, { countMax: 5 })
  for (const index of [0, 1, 2, 3, 4]) disk.keep(`north /a/${index}`, pageOf(String(index)))
  await disk.close()
  await disk.find('north /a/0')
  for (const index of [5, 6]) disk.keep(`north /a/${index}`, pageOf(String(index)))
  await disk.close()
  const left = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6].map(async (index) => (await disk.find(`north /a/${index}`)) !== undefined),
  )
  expect(left).toEqual([true, false, false, true, true, true, true])

  const { disk: smaller } = await openIn(directory, { bytesMax: 2000 })
  smaller.keep('north /large', pageOf('x'.repeat(1500), 'W/"a"'))
  smaller.keep('north /larger', pageOf('x'.repeat(2500), 'W/"b"'))
  await smaller.close()
  expect(await bytesIn(directory)).toBeLessThanOrEqual(2000)
  expect((await smaller.find('north /large'))?.body.length).toBe(1500)
})

test('files that a crash left half written are deleted, and anything that is not a page is not sent', async () => {
  const directory = await temporaryFolder()
  const { disk } = await openIn(directory)
  disk.keep('north /', pageOf('a page'))
  await disk.close()
  const [name = ''] = await readdir(directory)
  await writeFile(join(directory, `${name}.new`), 'half')
  await writeFile(join(directory, name), 'torn')
  const { disk: next, errors } = await openIn(directory)
  expect(await next.find('north /')).toBeUndefined()
  await next.close()
  expect(await readdir(directory)).toEqual([])
  expect(errors).toEqual([])
})

test('a page that is gone is deleted from disk, even if it was about to be written', async () => {
  const directory = await temporaryFolder()
  const { disk } = await openIn(directory)
  disk.keep('north /', pageOf('a page'))
  disk.forget('north /')
  await disk.close()
  expect([await disk.find('north /'), await readdir(directory)]).toEqual([undefined, []])
})

test('a disk that cannot be written costs copies, and nothing else', async () => {
  const directory = join(await temporaryFolder(), 'pages')
  const { disk, errors } = await openIn(directory)
  await rm(directory, { recursive: true })
  disk.keep('north /', pageOf('a page'))
  await disk.close()
  expect(errors.length).toBe(1)
  expect(await disk.find('north /')).toBeUndefined()
})
