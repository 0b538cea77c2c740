// Requests whose end is ambiguous (two framings, or one that no server may guess at) are
// answered at once: however their bytes are split into packets, and whatever the connection
// has served before. The negative controls bring about the one way in which such a response
// is known to be late, and show that it would be detected.

import { describe, expect, test } from 'vitest'
import { bytesOf, empty } from '../../../testbed/experiments/fuzz/draft.ts'
import { framingFaults } from '../../../testbed/experiments/fuzz/framing-faults.ts'
import { LATE_MS, latenessOf } from '../../../testbed/experiments/fuzz/lateness.ts'
import { runningClock } from '../../../testbed/experiments/fuzz/running-clock.ts'
import { RawConnection, faultsOf, headerOf, type RawAnswer } from './raw.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const { service, north } = await startTestService()
const { server } = service.app
const now = runningClock()
const targets: string[] = []
server.on('request', ({ url = '' }) => void targets.push(url))

const host = 'Host: petstore\r\n'
const key = `Authorization: Bearer ${north.key}\r\n`
const json = 'Content-Type: application/json\r\n'
const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'
const rex = '{"name":"Rex","categoryId":1}'
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`
const post = (headers: string, body: string) => `POST /v1/pets HTTP/1.1\r\n${host}${key}${json}${headers}\r\n${body}`
const withLength = (body: string) => `Content-Length: ${body.length}\r\n`
const large = ' '.repeat(60_000)

/** Requests that leave the connection open, and the statuses of their responses. */
const openers: Record<string, [sent: string, ...statuses: number[]]> = {
  GET: [get('/livez'), 200],
  'GET with a body that is not read': [get('/livez', withLength(rex)) + rex, 200],
  POST: [post(withLength(rex), rex), 201],
  'POST in chunks': [post(chunked, `1d\r\n${rex}\r\n0\r\n\r\n`), 201],
  'POST whose body was asked for': [post(`Expect: 100-continue\r\n${withLength(rex)}`, rex), 100, 201],
  'POST whose large body is refused unread': [post(withLength(large), large).replace(key, ''), 401],
  'POST to an unknown path': [post(withLength(rex), rex).replace('/pets', '/nowhere'), 404],
  'request without Host': ['GET /livez HTTP/1.1\r\n\r\n', 400],
}

/** Requests for another protocol, which is ignored, and the statuses of their responses. */
const upgrades: Record<string, [sent: string, ...statuses: number[]]> = {
  GET: [get('/livez', upgrade), 200],
  'GET of something slower': [get('/v1/pets', `${key}${upgrade}`), 200],
  POST: [post(`${upgrade}${withLength(rex)}`, rex), 201],
  'POST whose body is refused unread': [post(`${upgrade}${withLength(rex)}`, rex).replace(key, ''), 401],
}

const faults = framingFaults.map(({ name, change }) => ({
  name,
  text: bytesOf(change({ ...empty, method: 'POST' })).toString('latin1'),
}))

describe('a request with two framings is answered at once', () => {
  for (const { name, text } of faults) {
    test(`${name}: on a new connection, whole, in two packets split at every byte, and byte by byte`, async () => {
      const ways = [[text], ...splits(text), text.split('')].map((pieces): Way => ({ pieces }))
      const outcomes = await inTurns(ways, outcomeOf)
      expect(outcomes.flatMap((outcome) => troublesOf(outcome, []))).toEqual([])
      expect(outcomes.length).toBe(text.length + 1)
    })
  }

  for (const [name, [opener, ...statuses]] of Object.entries(openers)) {
    test(`behind a ${name} that was answered, that is not answered yet, and in one packet with it`, async () => {
      const ways = faults.flatMap(({ text }): Way[] => [
        ...(name === 'GET' ? splits(text) : [[text]]).map((pieces) => ({ answered: opener, pieces })),
        ...lines(text).map((pieces) => ({ pieces: [opener, ...pieces] })),
        { pieces: [opener, text] },
        { pieces: [opener + text] },
      ])
      const outcomes = await inTurns(ways, outcomeOf)
      expect(outcomes.flatMap((outcome) => troublesOf(outcome, statuses))).toEqual([])
    })
  }
})

describe('an Upgrade that is ignored', () => {
  for (const [name, [opener, ...statuses]] of Object.entries(upgrades)) {
    test(`of a ${name} ends the connection with its response, whatever else is sent`, async () => {
      const others = [...faults.map(({ text }) => text), get('/v1/pets?canary', key), 'BREW / HTTP/1.1\r\n\r\n', '']
      const ways = others.flatMap((text): Way[] => [
        { answered: opener, pieces: [text] },
        { pieces: [opener + text] },
        ...lines(opener + text).map((pieces) => ({ pieces })),
      ])
      const outcomes = await inTurns(ways, outcomeOf)
      const wrong = outcomes.filter(({ answers, late }) => String(statusesOf(answers)) !== String(statuses) || late)
      expect(wrong).toEqual([])
      expect(outcomes.map(({ answers }) => answers.map((one) => headerOf(one, 'Connection')))).toEqual(
        outcomes.map(() => ['close']),
      )
      // A request that could not be answered was not executed.
      expect(targets.filter((target) => target.includes('canary'))).toEqual([])
    })
  }

  test('of a chunked request is refused, malformed or not', async () => {
    for (const body of [`1d\r\n${rex}\r\n0\r\n\r\n`, 'zz\r\n', '']) {
      const { answers, late } = await outcomeOf({ pieces: [post(`${upgrade}${chunked}`, body)] })
      expect(answers.map((answer) => faultsOf(answer, 400, 'malformed_request'))).toEqual([[]])
      expect(late).toBeUndefined()
    }
  })

  test('delays what follows if its connection stays open, which is detected (negative control)', async () => {
    const { shouldUpgradeCallback, headersTimeout } = server as typeof server & { shouldUpgradeCallback: unknown }
    // The timeout is later than what counts as late, and early enough to be waited for.
    Object.assign(server, { shouldUpgradeCallback: () => false, headersTimeout: 2 * LATE_MS })
    try {
      const found = await Promise.all(
        faults.map(({ text }) => outcomeOf({ answered: get('/livez', upgrade), pieces: [text] })),
      )
      expect(found.map(({ answers }) => statusesOf(answers))).toEqual(faults.map(() => [200, 408]))
      expect(found.filter(({ late, ms }) => late === undefined || ms < LATE_MS)).toEqual([])
      expect(found.filter((outcome) => troublesOf(outcome, [200]).length === 0)).toEqual([])
    } finally {
      Object.assign(server, { shouldUpgradeCallback, headersTimeout })
    }
  })
})

type Way = {
  /** Sent first, on the same connection; the rest is sent when its response has arrived. */
  answered?: string
  /** Each in a packet of its own. */
  pieces: readonly string[]
}

type Outcome = {
  way: Way
  answers: RawAnswer[]
  /** From the last byte sent to the end of the connection. */
  ms: number
  late: string | undefined
}

/** Sends it all, and reads until the server ends the connection. */
async function outcomeOf(way: Way): Promise<Outcome> {
  const connection = await RawConnection.open(server)
  const answers: RawAnswer[] = []
  if (way.answered !== undefined) {
    await connection.send(way.answered)
    for (let isFinal = false; !isFinal;) {
      const answer = await connection.answer()
      if (answer) answers.push(answer)
      isFinal = answer === undefined || answer.status >= 200
    }
  }
  await connection.send(...way.pieces)
  const sentAt = now()
  answers.push(...(await connection.answersToEnd()))
  const ms = now() - sentAt
  connection.destroy()
  const status = answers.at(-1)?.status ?? 0
  return { way, answers, ms, late: latenessOf({ status, ms }, LATE_MS) }
}

const statusesOf = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status)

/** What is wrong, if these statuses and then a refusal were to arrive at once. */
function troublesOf({ way, answers, late }: Outcome, before: readonly number[]): string[] {
  const last = answers.at(-1)
  const troubles = last ? faultsOf(last, 400, 'malformed_request') : ['no answer']
  if (String(statusesOf(answers.slice(0, -1))) !== String(before)) {
    troubles.push(`answers ${statusesOf(answers).join()}`)
  }
  if (late !== undefined) troubles.push(late)
  return troubles.map((trouble) => `${trouble}: ${JSON.stringify(way)}`)
}

/** In two pieces, at every byte. */
const splits = (text: string): string[][] =>
  Array.from({ length: text.length - 1 }, (_, index) => [text.slice(0, index + 1), text.slice(index + 1)])

/** In two pieces, before and after the end of every line. */
const lines = (text: string): string[][] =>
  splits(text).filter(([before = '', after = '']) => before.endsWith('\n') || after.startsWith('\r\n'))

/** A few at a time; the results are in the order of the list. */
async function inTurns<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const turn = async () => {
    for (let index = next++; index < list.length; index = next++) results[index] = await work(list[index] as T)
  }
  await Promise.all(Array.from({ length: 8 }, turn))
  return results
}
