// The log has one line for each request, and no secret in any line, whatever was sent.

import { afterAll, describe, expect, test } from 'vitest'
import { exchange } from '../../../testbed/harness/http.ts'
import { RawConnection, headerOf } from '../v1/raw.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const service = await startTestService()
const { north, south, logs, database } = service
const { server } = service.service.app
const rex = '{"name":"Rex","categoryId":1}'
/** Secrets that this file created or sent. */
const secrets = new Set([north.key, south.key, database.appUrl, database.ownerUrl])

afterAll(() => {
  for (const secret of secrets) expect(logs.filter((line) => line.includes(secret))).toEqual([])
})

type Line = {
  level: string
  role: string
  time: string
  requestId: string
  method?: string
  route?: string
  status: number
}

describe('one request has one log line', () => {
  test.each<[what: string, status: number, line: Partial<Line>, sent: () => Promise<{ status: number }>]>([
    ['a list', 200, { method: 'GET', route: '/v1/pets' }, () => north.get('/v1/pets?limit=3')],
    ['a new animal', 201, { method: 'POST', route: '/v1/pets' }, () => north.post('/v1/pets', rex)],
    ['a body that is no JSON', 400, { method: 'POST', route: '/v1/pets' }, () => north.post('/v1/pets', '{')],
    ['a missing animal', 404, { route: '/v1/pets/:petId' }, () => north.get('/v1/pets/777777')],
    ['an unknown path', 404, { method: 'GET' }, () => north.get('/v1/nowhere/with/secret-of-north')],
    ['a path that cannot be decoded', 404, { method: 'GET' }, () => north.get('/v1/pets/%zz')],
    ['a wrong method', 405, { method: 'DELETE' }, () => north.send({ method: 'DELETE', path: '/v1/pets' })],
    ['no key', 401, { method: 'GET' }, () => service.send({ path: '/v1/pets' })],
    ['an expectation', 417, { method: 'GET' }, () => north.get('/v1/pets', { Expect: 'secret-of-north' })],
    ['HEAD', 200, { method: 'HEAD' }, () => north.send({ method: 'HEAD', path: '/v1/pets' })],
    ['OPTIONS', 204, { method: 'OPTIONS' }, () => service.send({ method: 'OPTIONS', path: '/v1/pets' })],
  ])('for %s', async (_, status, wanted, send) => {
    const marks = logs.length
    expect((await send()).status).toBe(status)
    await service.send({ path: '/livez' })
    const lines = await linesAfter(marks, 2)
    expect(lines[0]).toMatchObject({ level: 'info', role: 'serve', status, ...wanted })
    expect(lines[1]).toMatchObject({ route: '/livez' })
  })

  test('that is found by the Request-Id of the response, and joins the trace of the client', async () => {
    const marks = logs.length
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const { headers } = await north.get('/v1/pets', { traceparent, 'Request-Id': 'secret-of-north' })
    const [line] = await linesAfter(marks, 1)
    expect(line).toMatchObject({ requestId: headers['request-id'], traceId: '4bf92f3577b34da6a3ce929d0e0e4736' })
  })

  test('that names project and key by their ids', async () => {
    const marks = logs.length
    await north.get('/v1/pets')
    const [line] = await linesAfter(marks, 1)
    expect(line).toMatchObject({ project: String(north.project), key: expect.stringMatching(/^key_/) as string })
  })
})

describe('no log line shows', () => {
  secrets.add('secret-of-north')

  test.each<[what: string, headers: Record<string, string | string[]>]>([
    ['a good key', { Authorization: `Bearer ${north.key}` }],
    ['a key of which one character is wrong', { Authorization: `Bearer ${north.key.slice(0, -1)}!` }],
    ['two keys', { Authorization: [`Bearer ${north.key}`, `Bearer ${south.key}`] }],
    ['a password', { Authorization: 'Basic secret-of-north' }],
    ['a cookie', { Cookie: 'session=secret-of-north' }],
    ['an Idempotency-Key', { Authorization: `Bearer ${north.key}`, 'Idempotency-Key': 'secret-of-north' }],
    ['the parts of a trace context besides its id', { traceparent: 'secret-of-north', tracestate: 'secret-of-north' }],
  ])('%s', async (_, headers) => {
    const marks = logs.length
    await service.send({ path: '/v1/pets', headers })
    await service.send({ method: 'POST', path: '/v1/pets', headers, body: '{"name":"secret-of-north"}' })
    await linesAfter(marks, 2)
    expect(logs.join('')).not.toContain('secret-of-north')
    expect(logs.join('')).not.toContain(north.key.slice(0, -1))
  })

  test('a key in the query, or any other part of it', async () => {
    const marks = logs.length
    await north.get(`/v1/pets?api_key=${south.key}&secret-of-north`)
    await service.send({ path: `/docs?api_key=${south.key}` })
    await service.send({ path: `/${south.key}` })
    await linesAfter(marks, 3)
    expect(logs.slice(marks).join('')).not.toMatch(new RegExp(`${south.key}|secret-of-north`))
  })
})

test('CR, LF and ESC from a path or a header never begin a line, and never reach a terminal', async () => {
  const forged = '{"level":30,"status":200,"forged":true}'
  const sent = ['\r\n', '\n', '\r', '\x1b[2J', '\x9b2J', '\u2028'].flatMap((evil) => [
    `GET /v1/pets/${encodeURIComponent(evil + forged)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET /${encodeURIComponent(evil)} HTTP/1.1\r\nHost: a\r\ntraceparent: ${encodeURIComponent(evil)}\r\n\r\n`,
    `GET /livez HTTP/1.1\r\nHost: a\r\nUser-Agent: x${evil}${forged}\r\n\r\n`,
    `GET /livez${evil}${forged} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `BREW${evil} /livez HTTP/1.1\r\nHost: a\r\n\r\n`,
  ])
  for (const text of sent) {
    const marks = logs.length
    const connection = await RawConnection.open(server)
    await connection.send(text)
    const answer = await connection.answer()
    connection.destroy()
    const [line] = await linesAfter(marks, 1)
    expect(line).toMatchObject({ status: answer?.status, requestId: answer && headerOf(answer, 'Request-Id') })
  }
  for (const line of logs) {
    expect(line).not.toContain('forged')
    // oxlint-disable-next-line no-control-regex
    expect(line).toMatch(/^\{[^\x00-\x1f\x7f-\x9f\u2028\u2029]*\}\n$/)
  }
})

test('the program writes its log to standard output, line by line, and nothing else', async () => {
  const program = runProgram(['serve'], { DATABASE_URL: database.appUrl, PORT: '0' })
  const origin = `http://127.0.0.1:${await program.port}`
  const headers = { Authorization: `Bearer ${north.key}` }
  const statuses = [
    (await exchange(origin, { path: '/v1/pets', headers })).status,
    (await exchange(origin, { path: '/v1/pets' })).status,
    (await exchange(origin, { path: '/readyz' })).status,
  ]
  expect(statuses).toEqual([200, 401, 200])
  program.end('SIGTERM')
  const { output, errors } = await program.ended
  expect(errors).toBe('')
  const lines = program.lines.map((line) => JSON.parse(line) as Partial<Line>)
  expect(lines.flatMap(({ status }) => status ?? [])).toEqual(statuses)
  for (const secret of secrets) expect(output).not.toContain(secret)
})

/** The lines since then, once there are so many; not one more of them may follow. */
async function linesAfter(marks: number, count: number): Promise<Line[]> {
  await expect.poll(() => logs.length).toBeGreaterThanOrEqual(marks + count)
  expect(logs).toHaveLength(marks + count)
  return logs.slice(marks).map((line) => JSON.parse(line) as Line)
}
