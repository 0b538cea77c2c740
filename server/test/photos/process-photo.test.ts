// Photos through the process that decodes them: what comes out, what it may do, and when it is killed.

import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { turns } from '@petstore-platform/contract/platform/photos'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { flatPng } from '../../../testbed/photos/containers.ts'
import { metadataIn } from '../../../testbed/photos/metadata.ts'
import { formats, quadrants, quartersOf, turned } from '../../../testbed/photos/quadrants.ts'
import { readImage } from '../../src/photos/processing/image-header.ts'
import type { PhotoFile, PhotoResult } from '../../src/photos/processing/photo-task.ts'
import { createPhotoProcessor, permissions, type PhotoLimits } from '../../src/photos/processing/process-photo.io.ts'

const processor = createPhotoProcessor({ processes: 1 })
afterAll(() => processor.close())

const wanted = { source: 'upload', turn: 0 } as const
const sample = (width: number, height: number) => quadrants({ width, height, orientation: 1, format: 'jpeg' })

function ready(result: PhotoResult) {
  if (result.outcome !== 'ready') throw new Error(result.reason)
  return result
}

const sizesOf = (result: PhotoResult) =>
  ready(result).files.map(({ name, bytes }) => {
    const image = readImage(bytes, { foreign: () => '', size: () => undefined })
    if ('fault' in image) throw new Error(image.fault)
    return [name, image.type, image.width, image.height]
  })

/** With limits of its own, closed afterwards. */
async function withLimits<T>(
  limits: Partial<PhotoLimits>,
  use: (limited: ReturnType<typeof createPhotoProcessor>) => Promise<T>,
): Promise<T> {
  const limited = createPhotoProcessor({ processes: 1, limits })
  try {
    return await use(limited)
  } finally {
    await limited.close()
  }
}

const children = () =>
  globSync(`/proc/${process.pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').split(' ').filter(Boolean),
  )

describe('the files of a photo', () => {
  test('are a master, variants that are not enlarged, and a JPEG to share', async () => {
    const result = await processor.process(flatPng({ width: 2400, height: 1600 }), wanted)
    expect(sizesOf(result)).toEqual([
      ['1-master.webp', 'image/webp', 2048, 1365],
      ['1-320.webp', 'image/webp', 320, 213],
      ['1-640.webp', 'image/webp', 640, 427],
      ['1-960.webp', 'image/webp', 960, 640],
      ['1-1600.webp', 'image/webp', 1600, 1066],
      ['1-shared.jpg', 'image/jpeg', 1200, 800],
    ])
    expect(result).toMatchObject({ width: 2400, height: 1600, widths: [320, 640, 960, 1600] })
  })

  test('of a narrow one have its own width', async () => {
    const result = await processor.process(await sample(250, 500), wanted)
    expect(sizesOf(result)).toEqual([
      ['1-master.webp', 'image/webp', 250, 500],
      ['1-250.webp', 'image/webp', 250, 500],
      ['1-shared.jpg', 'image/jpeg', 250, 500],
    ])
  })

  test('are the same bytes each time', async () => {
    const upload = await sample(700, 500)
    const [first, second] = [await processor.process(upload, wanted), await processor.process(upload, wanted)]
    expect(ready(first).files.map(({ bytes }) => bytes.toString('base64'))).toEqual(
      ready(second).files.map(({ bytes }) => bytes.toString('base64')),
    )
  })

  test.each(turns)('are turned by %i degrees, from an upload and from its master', async (turn) => {
    const upload = await quadrants({ width: 600, height: 400, orientation: 6, format: 'jpeg' })
    const once = ready(await processor.process(upload, { source: 'upload', turn }))
    const [master] = ready(await processor.process(upload, wanted)).files
    const again = ready(await processor.process(master?.bytes ?? Buffer.alloc(0), { source: 'master', turn }))
    for (const { width, height, files } of [once, again]) {
      expect([width, height]).toEqual(turn % 180 === 0 ? [600, 400] : [400, 600])
      for (const { bytes } of files) expect(await quartersOf(bytes)).toEqual(turned[turn])
    }
  })

  test('have white where the upload is transparent', async () => {
    const clear = { width: 300, height: 300, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } }
    const { files } = ready(await processor.process(await sharp({ create: clear }).png().toBuffer(), wanted))
    for (const { bytes } of files) {
      const { channels } = await sharp(bytes).stats()
      expect(channels.every(({ min }) => min > 250)).toBe(true)
    }
  })

  test('are in sRGB, whatever profile the upload has', async () => {
    const red = { width: 300, height: 300, channels: 3 as const, background: { r: 200, g: 60, b: 60 } }
    const upload = await sharp({ create: red }).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()
    expect((await sharp(upload).metadata()).icc).toBeDefined()
    const [master] = ready(await processor.process(upload, wanted)).files
    const { channels } = await sharp(master?.bytes).stats()
    for (const [band, value] of [200, 60, 60].entries()) {
      expect(Math.abs((channels[band]?.mean ?? 0) - value)).toBeLessThan(6)
    }
  })
})

/** Photos with a position, in every orientation and format: what is wrong with the files that are served of them. */
async function faultsOfServed(
  photos: number,
  serve: (files: readonly PhotoFile[], upload: Buffer) => Promise<readonly PhotoFile[]> = async (files) => files,
) {
  const findings: string[] = []
  let served = 0
  for (let index = 0; index < photos; index += 1) {
    const orientation = (index % 8) + 1
    const format = formats[Math.floor(index / 8) % formats.length] ?? 'jpeg'
    const upload = await quadrants({ width: 480, height: 320, orientation, format })
    const { files } = ready(await processor.process(upload, wanted))
    for (const { name, bytes } of await serve(files, upload)) {
      served += 1
      const isUpright = String(await quartersOf(bytes)) === String(turned[0])
      const faults = [...metadataIn(bytes), ...(isUpright ? [] : ['not upright'])]
      findings.push(...faults.map((fault) => `${format} ${orientation}, ${name}: ${fault}`))
    }
  }
  return { served, findings }
}

describe('metadata and orientation', () => {
  test('24 photos with a position, in all orientations, are served upright and without metadata', async () => {
    expect(await faultsOfServed(24)).toEqual({ served: 72, findings: [] })
  })

  test('kept metadata and a photo that was not turned are found (negative control)', async () => {
    const { findings } = await faultsOfServed(8, async (_, upload) => [
      { name: 'kept', bytes: await sharp(upload).keepMetadata().webp().toBuffer() },
    ])
    expect(findings).toEqual(expect.arrayContaining(['jpeg 1, kept: EXIF', 'jpeg 1, kept: canary']))
    expect(findings.filter((finding) => finding.endsWith('not upright'))).toHaveLength(7)
  })
})

describe('the process', () => {
  const run = promisify(execFile)
  const attempts = `
    const outcomes = [
      () => require('node:fs').readFileSync('/etc/hostname'),
      () => require('node:fs').writeFileSync('/tmp/photo-process', ''),
      () => require('node:child_process').spawnSync('true'),
    ].map((attempt) => { try { attempt(); return 'done' } catch (error) { return error.code } })
    console.log(JSON.stringify({ outcomes, environment: Object.keys(process.env) }))`
  const outcomesWith = async (flags: readonly string[]) =>
    JSON.parse((await run(process.execPath, [...flags, '-e', attempts], { env: {} })).stdout) as unknown

  test('reads no other file, writes none and starts nothing', async () => {
    const denied = 'ERR_ACCESS_DENIED'
    expect(await outcomesWith(permissions)).toEqual({ outcomes: [denied, denied, denied], environment: [] })
  })

  test('could, without its permissions (negative control)', async () => {
    expect(await outcomesWith([])).toMatchObject({ outcomes: ['done', 'done', 'done'] })
  })

  const large = flatPng({ width: 4000, height: 4000, isInterlaced: true })

  test('is killed when it takes too much memory, and the next photo is processed', async () => {
    await withLimits({ resident: 110 * 2 ** 20 }, async (limited) => {
      const before = children()
      expect(await limited.process(large, wanted)).toEqual({ outcome: 'failed', reason: 'memory' })
      expect(children().filter((pid) => !before.includes(pid))).toEqual([])
      expect(await limited.process(await sample(200, 200), wanted)).toMatchObject({ outcome: 'ready' })
    })
  })

  test('takes that memory without the limit (negative control)', async () => {
    expect(await processor.process(large, wanted)).toMatchObject({ outcome: 'ready', width: 4000 })
  })

  test('is killed when it takes too long', async () => {
    await withLimits({ milliseconds: 200 }, async (limited) => {
      const slow = flatPng({ width: 7071, height: 7071, depth: 16, isInterlaced: true })
      expect(await limited.process(slow, wanted)).toEqual({ outcome: 'failed', reason: 'time' })
    })
  })

  test('is not killed when a busy machine lets it wait', async () => {
    const milliseconds = 2000
    await withLimits({ milliseconds }, async (limited) => {
      const upload = await sample(200, 200)
      const before = children()
      await limited.process(upload, wanted)
      const [child = ''] = children().filter((pid) => !before.includes(pid))
      process.kill(Number(child), 'SIGSTOP')
      const result = limited.process(upload, wanted)
      await pause(milliseconds + 100)
      process.kill(Number(child), 'SIGCONT')
      expect(await result).toMatchObject({ outcome: 'ready' })
    })
  })

  test('decodes no more pixels than it may', async () => {
    const upload = flatPng({ width: 1000, height: 500 })
    const withPixels = (pixels: number) => withLimits({ pixels }, (limited) => limited.process(upload, wanted))
    expect(await withPixels(499_999)).toEqual({ outcome: 'failed', reason: 'damaged' })
    expect(await withPixels(500_000)).toMatchObject({ outcome: 'ready' })
  })

  test('is replaced after its number of photos', async () => {
    await withLimits({ photos: 2 }, async (limited) => {
      const upload = await sample(250, 250)
      const used = new Set<string>()
      const before = new Set(children())
      for (let photo = 0; photo < 4; photo++) {
        const result = limited.process(upload, wanted)
        for (const pid of children()) if (!before.has(pid)) used.add(pid)
        expect(await result).toMatchObject({ outcome: 'ready' })
      }
      expect(used.size).toBe(2)
    })
  })

  test('is closed with its processor, and what was in work is rejected', async () => {
    const limited = createPhotoProcessor({ processes: 1 })
    const before = children().length
    const upload = flatPng({ width: 2000, height: 2000 })
    const outcomes = Promise.allSettled([limited.process(upload, wanted), limited.process(upload, wanted)])
    await limited.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(children()).toHaveLength(before)
  })
})
