// What one visitor may occupy of Caddy, on a current one with the production configuration: concurrent requests of a
// connection, requests that it sends and resets at once (HTTP/2 rapid reset, CVE-2023-44487), and silent connections. The
// limits of HTTP/2 are those of the program: no version of Caddy has a setting for them.

import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newerCaddy } from '../testbed/harness/newer-caddy.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from '../testbed/internet/caddy-environment.ts'
import { FRAME, frame, framesIn, headerBlock, opening, type Frame } from '../testbed/internet/http2-frames.ts'
import { makeDirectory, run } from '../testbed/internet/processes.ts'

const name = 'pets.paws.test'
const STREAMS_MAX = 250
const ENHANCE_YOUR_CALM = 11
/** More than Caddy lets wait: 250 requests that run, and 1,000 that have not begun. */
const RESETS = 4000
const END_STREAM_AND_HEADERS = 5

const block = headerBlock([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', name],
])
const streams = (count: number, each: (stream: number) => Buffer[]) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.concat(each(2 * index + 1))))
const requestOn = (stream: number) => frame(FRAME.headers, END_STREAM_AND_HEADERS, stream, block)
const resetOf = (stream: number) => frame(FRAME.reset, 0, stream, Buffer.of(0, 0, 0, 8))

async function secure(environment: CaddyEnvironment, protocol: string): Promise<Socket> {
  const { caddy } = environment
  const target = { host: caddy.addresses[0] ?? '', port: caddy.httpsPort, servername: name, ca: environment.roots() }
  const socket = connectTls({ ...target, ALPNProtocols: [protocol] })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}

/** Sends the bytes on a connection of its own; the frames of the response until they suffice. */
async function framesAfter(environment: CaddyEnvironment, bytes: Buffer, suffice: (frames: Frame[]) => boolean) {
  const socket = await secure(environment, 'h2')
  socket.write(Buffer.concat([opening(), bytes]))
  let received = Buffer.alloc(0)
  for await (const part of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, part])
    if (suffice(framesIn(received))) break
  }
  return framesIn(received)
}

const ofKind = (frames: Frame[], wanted: number) => frames.filter(({ kind }) => kind === wanted)

describe('a current Caddy', () => {
  let environment: CaddyEnvironment
  beforeAll(async () => {
    environment = await startCaddyEnvironment('127.0.80.36', undefined, newerCaddy())
    await environment.certify(name)
  })
  afterAll(() => environment.close())

  test('announces 250 concurrent streams, and forwards no more requests of a connection at a time', async () => {
    const waiting: ServerResponse[] = []
    environment.edge.answer = (_, response) => {
      waiting.push(response)
      if (waiting.length >= STREAMS_MAX) for (const one of waiting.splice(0)) one.end()
    }
    const more = 20
    const requests = streams(STREAMS_MAX + more, (one) => [requestOn(one)])
    const frames = await framesAfter(environment, requests, (received) => {
      const ended = ofKind(received, FRAME.headers).length + ofKind(received, FRAME.reset).length
      return ended === STREAMS_MAX + more || ofKind(received, FRAME.goAway).length > 0
    })
    environment.edge.answer = undefined
    const settings = ofKind(frames, FRAME.settings)[0]?.content ?? Buffer.alloc(0)
    const announced = Array.from({ length: settings.length / 6 }, (_, at) => [
      settings.readUInt16BE(6 * at),
      settings.readUInt32BE(6 * at + 2),
    ])
    expect(Object.fromEntries(announced)).toMatchObject({ 3: STREAMS_MAX })
    expect(ofKind(frames, FRAME.headers)).toHaveLength(STREAMS_MAX)
    expect(ofKind(frames, FRAME.reset)).toHaveLength(more)
  })

  test('closes connections on which no request arrives', async () => {
    const patient = await startCaddyEnvironment('127.0.80.37', withoutTimeouts, newerCaddy())
    await patient.certify(name)
    // Opened first, so that it would be closed first.
    const unlimited = await secure(patient, 'http/1.1')
    unlimited.write('GET / HTTP/1.1\r\n')
    const [host = ''] = environment.caddy.addresses
    const begun = await secure(environment, 'http/1.1')
    begun.write('GET / HTTP/1.1\r\n')
    const silent = [
      connect({ host, port: environment.caddy.httpPort }),
      connect({ host, port: environment.caddy.httpsPort }),
      await secure(environment, 'http/1.1'),
      begun,
    ]
    await Promise.all(silent.map((socket) => once(socket.on('error', () => undefined).resume(), 'close')))
    // Negative control: without the limits it still waits for the rest of the request.
    unlimited.write(`Host: ${name}\r\nConnection: close\r\n\r\n`)
    const [response] = (await once(unlimited, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /)
    await patient.close()
  })
})

type Change = NonNullable<Parameters<typeof startCaddyEnvironment>[1]>

const withoutTimeouts: Change = ({ apps: { http, tls }, ...rest }) => {
  const { read_header_timeout: _, read_timeout: __, ...patient } = http.servers.tls
  return { ...rest, apps: { http: { ...http, servers: { ...http.servers, tls: patient } }, tls } }
}

/**
 * How Caddy ends a connection that resets requests faster than they end, because its log is written to a pipe that is
 * full; undefined if it accepts all of them.
 */
async function resetRapidly(address: string, program?: string): Promise<number | undefined> {
  const directory = makeDirectory()
  const filename = join(directory, 'log')
  await run('mkfifo', [filename])
  const neverRead = openSync(filename, 'r+')
  const toPipe: Change = ({ logging: { logs }, ...rest }) => {
    const writer = { output: 'file', filename, roll: false }
    return { ...rest, logging: { logs: { ...logs, access: { ...logs.access, writer } } } }
  }
  const environment = await startCaddyEnvironment(address, toPipe, program)
  await environment.certify(name)
  const resets = streams(RESETS, (one) => [requestOn(one), resetOf(one)])
  const ping = frame(FRAME.ping, 0, 0, Buffer.alloc(8))
  const frames = await framesAfter(environment, Buffer.concat([resets, ping]), (received) => {
    return ofKind(received, FRAME.goAway).length > 0 || ofKind(received, FRAME.ping).length > 0
  })
  await environment.close()
  closeSync(neverRead)
  rmSync(directory, { recursive: true })
  return ofKind(frames, FRAME.goAway)[0]?.content.readUInt32BE(4)
}

test('a current Caddy ends a connection that resets requests faster than they end', async () => {
  expect(await resetRapidly('127.0.80.38', newerCaddy())).toBe(ENHANCE_YOUR_CALM)
})

test('the Caddy of Debian 12 does not, which is why doctor rejects it (negative control)', async () => {
  expect(await resetRapidly('127.0.80.39')).toBeUndefined()
})
