// Strangers who try passwords at fifteen times the rate at which they can be hashed keep no person out. Small, it runs in
// simulated time, with the figures in full; large, against the service, with real hashes.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PasswordQueue, queueRules } from '../../../server/src/accounts/sign-in/password-queue.ts'
import { exchange } from '../../harness/http.ts'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { ArrivalQueue } from '../arrival-queue.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import {
  attackInSimulatedTime,
  p99,
  personOf,
  type PasswordAttack,
  type PersonOutcome,
  type ServiceFigures,
} from '../password-attack.ts'

const attack: PasswordAttack = {
  perSecond: 200,
  groups: Array.from({ length: 100 }, (_, index) => `10.0.${index}.1`),
  seconds: 30,
  // 13 a second, as measured on two busy cores.
  workMs: 154,
  afterSeconds: 2,
  people: 50,
  everyMs: 500,
}
const SERVED_MIN = 49
const P99_MS = 3000
const MEMORY_MB = 100

export const safetyLine: SafetyLine = {
  title: 'Strangers who try passwords keep no person on a new device from signing in',
  sizes: { small: '100 people, in simulated time', large: '100 people, against the service with real hashes' },
  guards: [{ name: 'fair-queue', instead: 'the order of arrival', isQuick: true }],
  async run(run) {
    const { outcomes, memoryMb } = await (run.tier === 'small' ? simulated(run) : againstService(run))
    const served = outcomes.filter(({ isServed }) => isServed)
    const p99Ms = Math.round(p99(served.map(({ waitedMs }) => waitedMs)))
    report(run, { served: served.length, p99Ms, memoryMb })
    must(served.length >= SERVED_MIN, `${served.length} of ${attack.people} people signed in.`)
    must(p99Ms <= P99_MS, `Of 100 people, the slowest waited ${p99Ms} ms.`)
    must(memoryMb === undefined || memoryMb < MEMORY_MB, `It took ${memoryMb} MB.`)
  },
}

const report = (run: SafetyRun, found: { served: number; p99Ms: number; memoryMb: number | undefined }) =>
  run.report({
    attempts: attack.perSecond * attack.seconds,
    groups: attack.groups.length,
    served: `${found.served} of ${attack.people}`,
    'p99, ms': found.p99Ms,
    ...(found.memoryMb !== undefined && { 'memory, MB': found.memoryMb }),
  })

/** Simulated time takes no memory. */
type Found = { outcomes: readonly PersonOutcome[]; memoryMb: number | undefined }

const simulated = ({ without }: SafetyRun): Promise<Found> => {
  const queue =
    without === undefined
      ? new PasswordQueue<never>()
      : new ArrivalQueue<never>({ ...queueRules, workMs: attack.workMs })
  return Promise.resolve({ outcomes: attackInSimulatedTime(queue, attack), memoryMb: undefined })
}

const program = join(import.meta.dirname, '../password-service.ts')

async function againstService({ without, createDatabase }: SafetyRun): Promise<Found> {
  const { appUrl } = await createDatabase()
  const given = [appUrl, String(attack.people), ...(without === undefined ? [] : ['arrival'])]
  const service = await startWorkerProcess<object, ServiceFigures>(program, given)
  try {
    return await attackedService(() => service.send({}))
  } finally {
    await service.stop()
  }
}

async function attackedService(figures: () => Promise<ServiceFigures>): Promise<Found> {
  const { port, memoryMb: before } = await figures()
  const origin = `http://127.0.0.1:${port}`
  const signIn = (email: string, password: string, address: string) =>
    exchange(origin, {
      method: 'POST',
      path: '/platform/v1/session',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ email, password }),
    })
  let most = before
  const strangers: Promise<unknown>[] = []
  const people: Promise<PersonOutcome>[] = []
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  // Open loop: the load does not wait for responses.
  for (let sent = 0; sent < attack.perSecond * attack.seconds; sent += 1) {
    const lateMs = (sent * 1000) / attack.perSecond - elapsed()
    if (lateMs > 0) await pause(lateMs)
    if (sent % attack.perSecond === 0) most = Math.max(most, (await figures()).memoryMb)
    const guess = signIn(
      `${randomBytes(6).toString('hex')}@shop.example`,
      'a wrong password',
      attack.groups[sent % attack.groups.length] ?? '',
    )
    // Also a connection that was cut off.
    strangers.push(guess.then(ignore, ignore))
    const isTime = elapsed() >= attack.afterSeconds * 1000 + people.length * attack.everyMs
    if (people.length >= attack.people || !isTime) continue
    const begunAt = performance.now()
    const outcome = ({ status }: { status: number }) => ({
      isServed: status === 200,
      waitedMs: performance.now() - begunAt,
    })
    const { email, password } = personOf(people.length)
    people.push(signIn(email, password, `198.51.${people.length}.7`).then(outcome, () => outcome({ status: 0 })))
  }
  const outcomes = await Promise.all(people)
  await Promise.all(strangers)
  return { outcomes, memoryMb: Math.round(most - before) }
}

const ignore = () => {}
