// A confined process that replies to one request at a time, and is killed when it takes too much memory or time.

import { once } from 'node:events'
import { processorTimeOf, residentOf, startConfined, WATCH_MS, type Confinement } from './confined-process.io.ts'
import { encodeMessage, messageDecoder, type Message } from './frames.ts'

export type ProcessLimits = {
  /** Resident memory, in bytes. */
  resident: number
  /** Of processor time, for a reply: on a busy machine, it takes longer. */
  milliseconds: number
}

/** A reply may take so many times its processor time: a process that only waits is killed as well. */
export const WAITING_TIMES = 6

/** A reply, or what the process died of. */
export type Reply = Message | { death: Death }
type Death = 'memory' | 'time' | 'internal'

export type RequestProcess = {
  /** Rejects if the process could not be started. One question at a time. */
  ask(question: Message): Promise<Reply>
  /** The number of questions so far. */
  readonly asked: number
  end(): Promise<void>
}

/** It takes a third of a second; a busy machine may need much longer. */
const START_MS_MAX = 60_000
/** All files of the noisiest photo have less than half of that. */
const REPLY_BYTES_MAX = 32_000_000

/** The program sends a message once it is ready. */
export function startRequestProcess(
  confinement: Confinement,
  { resident, milliseconds }: ProcessLimits,
): RequestProcess {
  const child = startConfined(confinement)
  const messagesIn = messageDecoder(REPLY_BYTES_MAX)
  let answered: ((answer: Reply) => void) | undefined
  let complaint = ''
  let asked = 0
  const died = once(child, 'exit').catch((error: Error) => void (complaint = error.message))
  const kill = (death: Death) => {
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

  async function nextAnswer(processorMs: number, withinMs: number): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    answered = resolve
    const before = processorTimeOf(child.pid)
    const watch = setInterval(() => {
      if (residentOf(child.pid) > resident) kill('memory')
      else if (processorTimeOf(child.pid) - before > processorMs) kill('time')
    }, WATCH_MS)
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

  const started = nextAnswer(START_MS_MAX, START_MS_MAX)
  return {
    get asked() {
      return asked
    },
    async ask(question) {
      if ('death' in (await started)) throw new Error(`The process could not be started: ${complaint}`)
      asked += 1
      child.stdin.write(encodeMessage(question))
      return nextAnswer(milliseconds, WAITING_TIMES * milliseconds)
    },
    async end() {
      child.kill('SIGKILL')
      await died
    },
  }
}
