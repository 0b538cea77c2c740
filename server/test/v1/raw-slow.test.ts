// Slow clients. A request that does not arrive within the limits is answered with 408 and
// cut off, and is not served afterwards.

import { describe, expect, test } from 'vitest'
import { RawConnection, faultsOf, headerOf, type RawAnswer } from './raw.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const { service, north, logs } = await startTestService({
  env: { HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '1000', LIMITS: '{"connections": 400}' },
})
const { server } = service.app
const live = 'GET /livez HTTP/1.1\r\nHost: petstore\r\n\r\n'
const rex = '{"name":"Rex","categoryId":1}'
const post = `POST /v1/pets HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${north.key}\r\nContent-Type: application/json\r\n`
const whole = `${post}Content-Length: ${rex.length}\r\n\r\n`

describe('a client that', () => {
  const slow: Record<string, string> = {
    'connects and says nothing': '',
    'does not finish its request line': 'GET /liv',
    'does not finish its headers': 'GET /livez HTTP/1.1\r\nHost: petstore\r\nX: ',
    'does not finish its body': `${whole}${rex.slice(0, 9)}`,
    'does not begin its body': whole,
    'does not finish its chunks': `${post}Transfer-Encoding: chunked\r\n\r\n1d\r\n${rex}\r\n`,
    'was asked for its body and does not send it': whole.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
  }
  for (const [what, sent] of Object.entries(slow)) {
    test.concurrent(`${what} gets 408, and the connection ends`, async () => {
      const connection = await RawConnection.open(server)
      await connection.send(sent)
      expect(refusalsOf(await connection.answersToEnd())).toEqual([[]])
      connection.destroy()
    })
  }

  test('sends a header now and then gets 408 all the same', async () => {
    const connection = await RawConnection.open(server)
    await connection.send(live.slice(0, -2))
    const dripping = setInterval(() => connection.write(Buffer.from('X: y\r\n')), 20)
    expect(refusalsOf(await connection.answersToEnd())).toEqual([[]])
    clearInterval(dripping)
    connection.destroy()
  })

  test('sends the rest after the 408 has nothing stored, and one line in the log', async () => {
    const connection = await RawConnection.open(server)
    await connection.send(`${whole}${rex.slice(0, 9)}`)
    const answers = await connection.answersToEnd()
    expect(refusalsOf(answers)).toEqual([[]])
    await connection.send(rex.slice(9), live)
    connection.destroy()
    const id = answers[0] && headerOf(answers[0], 'Request-Id')
    const lines = () => logs.filter((line) => line.includes(String(id)))
    await expect.poll(lines).toEqual([expect.stringContaining('"status":408')])
    expect((await north.get('/v1/pets')).text).toBe('[]')
  })

  test('sends the rest of a pipelined body after the limit has nothing stored, and gets its first response', async () => {
    const connection = await RawConnection.open(server)
    await connection.send(`${live}${whole}${rex.slice(0, 9)}`)
    expect((await connection.answer())?.status).toBe(200)
    expect(refusalsOf(await connection.answersToEnd())).toEqual([[]])
    await connection.send(rex.slice(9))
    connection.destroy()
    expect((await north.get('/v1/pets')).text).toBe('[]')
  })

  test('was answered and does not finish its body gets no second response', async () => {
    const connection = await RawConnection.open(server)
    await connection.send('POST /v1/pets HTTP/1.1\r\nHost: petstore\r\nContent-Length: 9\r\n\r\n')
    expect((await connection.answersToEnd()).map(({ status }) => status)).toEqual([401])
  })

  test('is idle between two requests for longer than the limits is served', async () => {
    const patient = await RawConnection.open(server)
    await patient.send(live)
    expect((await patient.answer())?.status).toBe(200)
    // As long as it takes another to run into both limits.
    const other = await RawConnection.open(server)
    await other.send(whole)
    expect(refusalsOf(await other.answersToEnd())).toEqual([[]])
    await patient.send(live)
    expect((await patient.answer())?.status).toBe(200)
    patient.destroy()
  })
})

test('three hundred slow clients do not prevent others from being served', async () => {
  const slow = await Promise.all(Array.from({ length: 300 }, () => RawConnection.open(server)))
  await Promise.all(slow.map((connection, index) => connection.send(index % 2 ? whole : 'GET /livez HTTP/1.1\r\n')))
  const answered = Promise.all(slow.map((connection) => connection.answersToEnd()))
  const over = answered.then(() => 'over')
  const healthy: unknown[] = []
  do healthy.push((await north.get('/v1/pets')).status)
  while ((await Promise.race([over, Promise.resolve('not yet')])) !== 'over')
  const answers = await answered
  expect(answers.flatMap(refusalsOf).flat()).toEqual([])
  expect(answers.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(healthy)).toEqual(new Set([200]))
})

/** For each response but 100 what is wrong with it, if it is to be a 408. */
function refusalsOf(answers: readonly RawAnswer[]): string[][] {
  return answers.filter(({ status }) => status >= 200).map((answer) => faultsOf(answer, 408, 'request_timeout'))
}
