// Turns uploads into the files of photos, in processes of their own (decision 13): a picture can be made to exhaust or to
// take over its decoder, and must not reach the worker that way. Processes start when they are needed, are replaced
// after a number of photos, and end when there is nothing to do.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PHOTO_PIXELS_MAX } from '@petstore-platform/contract/platform/photos'
import { Slots } from '../../foundation/load/slots.io.ts'
import { resultOf, type PhotoTask, type PhotoProcessor, type PhotoResult } from './photo-task.ts'
import {
  startRequestProcess,
  type ProcessLimits,
  type RequestProcess,
} from '../../foundation/processes/request-process.io.ts'
import { permissionsOf } from '../../foundation/processes/confined-process.io.ts'

export type PhotoLimits = ProcessLimits & {
  pixels: number
  /** Photos for which a process lives: native memory becomes fragmented. */
  photos: number
  /** After which a process without work ends. */
  idleMilliseconds: number
}

export const photoLimits: PhotoLimits = {
  resident: 512 * 1024 * 1024,
  milliseconds: 20_000,
  pixels: PHOTO_PIXELS_MAX,
  photos: 200,
  idleMilliseconds: 30_000,
}

/** At most `processes` photos are processed at once; the others wait in line. */
export function createPhotoProcessor(options: { processes: number; limits?: Partial<PhotoLimits> }): PhotoProcessor {
  const limits = { ...photoLimits, ...options.limits }
  const slots = new Slots(options.processes)
  const running = new Set<RequestProcess>()
  const idle = new Map<RequestProcess, NodeJS.Timeout>()
  let isClosed = false

  function start(): RequestProcess {
    const started = startPhotoProcess(limits)
    running.add(started)
    return started
  }

  async function end(ended: RequestProcess): Promise<void> {
    clearTimeout(idle.get(ended))
    idle.delete(ended)
    await ended.end()
    running.delete(ended)
  }

  function takeIdle(): RequestProcess | undefined {
    const [first] = idle.keys()
    if (!first) return undefined
    clearTimeout(idle.get(first))
    idle.delete(first)
    return first
  }

  /** Only a process that has replied as expected is used again. */
  async function attempt(by: RequestProcess, bytes: Buffer, task: PhotoTask): Promise<PhotoResult> {
    let isUsable = false
    try {
      const answer = await by.ask({ head: task, blobs: [bytes] })
      if (isClosed) throw new Error('The photo processor was closed.')
      if ('death' in answer) return { outcome: 'failed', reason: answer.death }
      const result = resultOf(answer)
      isUsable = result !== undefined && by.asked < limits.photos
      return result ?? { outcome: 'failed', reason: 'internal' }
    } finally {
      if (isUsable)
        idle.set(
          by,
          setTimeout(() => void end(by), limits.idleMilliseconds),
        )
      else await end(by)
    }
  }

  return {
    process: (bytes, wanted) =>
      slots.run(async () => {
        if (isClosed) throw new Error('The photo processor was closed.')
        const task = { ...wanted, pixelsMax: limits.pixels }
        const result = await attempt(takeIdle() ?? start(), bytes, task)
        // What a process died of may be due to earlier photos, so a new one tries again.
        const isFinal = result.outcome === 'ready' || result.reason === 'damaged'
        return isFinal ? result : attempt(start(), bytes, task)
      }),
    async close() {
      isClosed = true
      await Promise.all([...running].map(end))
    },
  }
}

// The process that decodes photos: it is confined, and killed when it takes too much memory or time.

const startPhotoProcess = (limits: ProcessLimits): RequestProcess =>
  startRequestProcess({ program, readable, allowsAddons: true }, limits)

const program = join(import.meta.dirname, './photo-child.io.ts')
const { resolve } = createRequire(import.meta.url)
const modules = join(resolve('sharp'), '../../..')

/** What the program imports, directly and indirectly. `./` marks the paths that a release rewrites as it does imports. */
const readable = [
  program,
  ...[
    '../../foundation/processes/frames.ts',
    './image-header.ts',
    './recipe.ts',
    './upright.ts',
    '../../../package.json',
  ].map((file) => join(import.meta.dirname, file)),
  resolve('@petstore-platform/contract/photo-files'),
  join(modules, '@petstore-platform/contract'),
  ...['sharp', '@img', 'detect-libc', 'semver'].map((name) => join(modules, name)),
]

export const permissions: readonly string[] = permissionsOf({ readable, allowsAddons: true })
