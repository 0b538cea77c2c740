// A process that decodes photos, and its limits: it is confined, and killed when it takes too much memory or time.

import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PhotoReason } from '@petstore-platform/contract/platform/photos'
import { permissionsOf, residentOf, startConfined, WATCH_MS } from './confined-process.io.ts'
import { encodeMessage, messageDecoder, type Message } from './frames.ts'

export type ProcessLimits = {
  /** Resident memory, in bytes. */
  resident: number
  /** For a photo. */
  milliseconds: number
}

/** A reply, or what the process died of. */
export type PhotoAnswer = Message | { death: Exclude<PhotoReason, 'damaged'> }

export type PhotoProcess = {
  /** Rejects if the process could not be started. One question at a time. */
  ask(question: Message): Promise<PhotoAnswer>
  /** The number of questions so far. */
  readonly asked: number
  end(): Promise<void>
}

/** It takes a third of a second; a busy machine may need much longer. */
const START_MS_MAX = 60_000
/** All files of the noisiest photo have less than half of that. */
const REPLY_BYTES_MAX = 32_000_000

export function startPhotoProcess({ resident, milliseconds }: ProcessLimits): PhotoProcess {
  const child = startConfined({ program, readable, allowsAddons: true })
  const messagesIn = messageDecoder(REPLY_BYTES_MAX)
  let answered: ((answer: PhotoAnswer) => void) | undefined
  let complaint = ''
  let asked = 0
  const died = once(child, 'exit').catch((error: Error) => void (complaint = error.message))
  const kill = (death: Exclude<PhotoReason, 'damaged'>) => {
    answered?.({ death })
    child.kill('SIGKILL')
  }
  void died.then(() => answered?.({ death: 'internal' }))
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
  // It has died, and its exit says so.
  child.stdin.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const message of messagesIn(chunk)) answered?.(message)
    } catch {
      kill('internal')
    }
  })

  async function nextAnswer(withinMs: number): Promise<PhotoAnswer> {
    const { promise, resolve } = Promise.withResolvers<PhotoAnswer>()
    answered = resolve
    const watch = setInterval(() => residentOf(child.pid) > resident && kill('memory'), WATCH_MS)
    const deadline = setTimeout(kill, withinMs, 'time')
    if (child.exitCode !== null || child.signalCode !== null) resolve({ death: 'internal' })
    try {
      return await promise
    } finally {
      clearInterval(watch)
      clearTimeout(deadline)
      answered = undefined
    }
  }

  const started = nextAnswer(START_MS_MAX)
  return {
    get asked() {
      return asked
    },
    async ask(question) {
      if ('death' in (await started)) throw new Error(`No process for photos could be started: ${complaint}`)
      asked += 1
      child.stdin.write(encodeMessage(question))
      return nextAnswer(milliseconds)
    },
    async end() {
      child.kill('SIGKILL')
      await died
    },
  }
}

const program = join(import.meta.dirname, './photo-child.io.ts')
const { resolve } = createRequire(import.meta.url)
const modules = join(resolve('sharp'), '../../..')

/** What the program imports, directly and indirectly. `./` marks the paths that a release rewrites as it does imports. */
const readable = [
  program,
  ...['./frames.ts', './image-header.ts', './recipe.ts', './upright.ts', '../../package.json'].map((file) =>
    join(import.meta.dirname, file),
  ),
  resolve('@petstore-platform/contract/photo-files'),
  join(modules, '@petstore-platform/contract'),
  ...['sharp', '@img', 'detect-libc', 'semver'].map((name) => join(modules, name)),
]

export const permissions: readonly string[] = permissionsOf({ readable, allowsAddons: true })
