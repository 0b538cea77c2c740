// The keys of an edge: created once and encrypted on its disk, enrolled with the token of its first start however that is
// interrupted, and replaced only when another token has enrolled others.

import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scriptedEnrolment } from '../../../testbed/harness/test-edges.ts'
import { openIdentity, type EdgeIdentity, type IdentityConfig } from '../../src/edge/identity.io.ts'
import { readSignature } from '../../src/fleet/request-signature.io.ts'
import { Secret } from '../../src/foundation/secret.ts'
import { makeFolder, type EdgeFolder } from './scripted-control.ts'

const TOKENS = ['first', 'second'].map((name) => `edge_${name.padEnd(43, '-')}`) as [string, string]
const REQUEST = { method: 'GET', url: '/edge/v1/changes?after=0', headers: {} }

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
let answer: Answer
let folder: EdgeFolder
let controlUrl = ''
const presented: string[] = []
const folders: EdgeFolder[] = []

const server = createServer((request, response) => {
  presented.push(request.headers.authorization ?? '')
  void answer(request, response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  folder = await makeFolder()
  folders.push(folder)
  presented.length = 0
  answer = accepts(TOKENS[0])
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all(folders.map((one) => one.remove()))
})

/** A control plane that enrols the edge of this token. */
function accepts(token: string): Answer {
  const enrolment = scriptedEnrolment(token)
  return async (request, response) => {
    const enrolled = await enrolment.enrol(request)
    response.writeHead(enrolled ? 200 : 401).end(JSON.stringify(enrolled ?? {}))
  }
}

const open = (changes: Partial<IdentityConfig> = {}) =>
  openIdentity({ controlUrl, controlRoots: undefined, token: new Secret(TOKENS[0]), ...folder, ...changes })

test('an edge enrols once, with its first request, and needs no token afterwards', async () => {
  const identity = await open()
  expect(presented).toEqual([])
  const headers = await Promise.all([1, 2, 3].map(() => identity.authorize(REQUEST)))
  expect(presented).toEqual([`Bearer ${TOKENS[0]}`])
  expect(headers.every((header) => readSignature(header) !== undefined)).toBe(true)
  for (const changes of [{}, { token: undefined }]) {
    const { id } = readSignature(await (await open(changes)).authorize(REQUEST)) ?? {}
    expect(id).toBe(readSignature(headers[0])?.id)
  }
  expect(presented).toHaveLength(1)
})

test('its keys are encrypted on its disk, for its user alone', async () => {
  const identity = await open()
  const contents = async () => {
    const names = (await readdir(folder.directory)).filter((name) => name.startsWith('identity'))
    return Promise.all(
      names.map(async (name) => {
        const path = join(folder.directory, name)
        return { name, mode: (await stat(path)).mode & 0o777, text: await readFile(path, 'latin1') }
      }),
    )
  }
  const before = await contents()
  await identity.authorize(REQUEST)
  const after = await contents()
  expect([...before, ...after].map(({ name, mode }) => [name, mode])).toEqual([
    ['identity.new', 0o600],
    ['identity', 0o600],
  ])
  for (const { text } of [...before, ...after]) expect(text).not.toContain('PRIVATE')
  // With another key of the disk it is a new edge, which has nothing to enrol with.
  const key = new Secret(Buffer.alloc(32, 1).toString('base64'))
  await expect(open({ token: undefined, key })).rejects.toThrow('This edge has not enrolled: set EDGE_TOKEN')
})

test('it presents the same keys again when the response was lost, also after a restart', async () => {
  const bodies: string[] = []
  const accepted = accepts(TOKENS[0])
  answer = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks).toString())
    response.destroy()
  }
  const identity = await open()
  await expect(identity.authorize(REQUEST)).rejects.toThrow('The control plane')
  await expect(identity.authorize(REQUEST)).rejects.toThrow('The control plane')
  await expect((await open()).authorize(REQUEST)).rejects.toThrow('The control plane')
  expect(bodies).toHaveLength(3)
  expect(new Set(bodies).size).toBe(1)
  answer = accepted
  expect(readSignature(await identity.authorize(REQUEST))).toBeDefined()
})

test('a token that is rejected is not presented without end, and leaves the former identity in place', async () => {
  const first = await (await open()).authorize(REQUEST)
  const again = await open({ token: new Secret(TOKENS[1]) })
  presented.length = 0
  for (let count = 0; count < 3; count++) {
    await expect(again.authorize(REQUEST)).rejects.toThrow('does not accept EDGE_TOKEN: it was used or has expired')
  }
  expect(presented).toEqual([`Bearer ${TOKENS[1]}`])
  const { id } = readSignature(await (await open()).authorize(REQUEST)) ?? {}
  expect(id).toBe(readSignature(first)?.id)
})

test('another token enrols it with other keys', async () => {
  const identity = await open()
  await identity.authorize(REQUEST)
  const enrolment = scriptedEnrolment(TOKENS[1])
  answer = async (incoming, response) => void response.end(JSON.stringify(await enrolment.enrol(incoming)))
  const isSigned = async (one: EdgeIdentity) =>
    enrolment.isSigned({ ...REQUEST, headers: { authorization: await one.authorize(REQUEST) } })
  expect(await isSigned(await open({ token: new Secret(TOKENS[1]) }))).toBe(true)
  expect(await isSigned(identity)).toBe(false)
})
