// The examples that Amazon has published for signatures of S3 (Signature Version 4, in the Authorization header), and
// a store that misbehaves.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ObjectsUnavailable } from '../../foundation/objects.ts'
import { Secret } from '../../foundation/secret.ts'
import { openS3, signedHeaders } from './s3-client.io.ts'
import { checkS3, s3Objects } from './s3-objects.io.ts'

const credentials = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: new Secret('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
}
type Published = { method: string; path: string; headers?: Record<string, string>; body?: Buffer }
const published: { name: string; request: Published; signature: string }[] = [
  {
    name: 'GET Object',
    request: { method: 'GET', path: '/test.txt', headers: { Range: 'bytes=0-9' } },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT Object',
    request: {
      method: 'PUT',
      path: '/test$file.text',
      headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: Buffer.from('Welcome to Amazon S3.'),
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET Bucket Lifecycle',
    request: { method: 'GET', path: '/?lifecycle' },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'List Objects',
    request: { method: 'GET', path: '/?max-keys=2&prefix=J' },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

async function signatureOf({ path, ...request }: Published, by = credentials, at = Date.UTC(2013, 4, 24)) {
  const url = `https://examplebucket.s3.amazonaws.com${path}`
  const { authorization = '' } = await signedHeaders(by, { ...request, url }, at)
  return /Signature=([0-9a-f]{64})$/.exec(authorization)?.[1]
}

test.each(published)('$name is signed as Amazon has published it', async ({ request, signature }) => {
  expect(await signatureOf(request)).toBe(signature)
})

test('another secret, body, path, header, region or time gives another signature (negative control)', async () => {
  const [get, put] = published.map(({ request }) => request) as [Published, Published]
  const signatures = await Promise.all([
    signatureOf(put),
    signatureOf(put, { ...credentials, secretAccessKey: new Secret('another') }),
    signatureOf({ ...put, body: Buffer.from('Welcome to Amazon S3!') }),
    signatureOf({ ...put, path: '/test%file.text' }),
    signatureOf({ ...put, headers: { 'x-amz-storage-class': 'STANDARD' } }),
    signatureOf(put, { ...credentials, region: 'eu-west-1' }),
    signatureOf(put, credentials, Date.UTC(2013, 4, 25)),
    signatureOf(get),
  ])
  expect(new Set(signatures).size).toBe(signatures.length)
})

test('the digest of the body is a signed header', async () => {
  const body = Buffer.from('bytes')
  const signed = await signedHeaders(credentials, { method: 'PUT', url: 'https://s3.example/b/k', body }, 0)
  expect(signed['x-amz-content-sha256']).toBe('277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9')
  expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date')
})

let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end()
const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  request.resume().on('end', () => answer(request, response))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const configOf = () => ({
  ...credentials,
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  bucket: 'photos',
  prefix: '',
})
const withStatuses = (...statuses: number[]) => {
  requests.length = 0
  answer = (_, response) => response.writeHead(statuses.shift() ?? 500).end()
}
const quick = { attemptMs: 5000, totalMs: 20_000 }

test('what fails in passing is repeated, at most three times in all', async () => {
  withStatuses(500, 503, 200)
  expect((await openS3(configOf()).send({ method: 'GET', path: 'a' }, quick)).status).toBe(200)
  expect(requests).toHaveLength(3)
  withStatuses(409, 412)
  expect(await s3Objects(configOf()).putIfAbsent(1n, 'a', Buffer.from('x'))).toBe(false)
  withStatuses(500, 500, 500, 200)
  expect((await openS3(configOf()).send({ method: 'GET', path: 'a' }, quick)).status).toBe(500)
  expect(requests).toHaveLength(3)
})

test('what is rejected is not repeated', async () => {
  withStatuses(403, 200)
  await expect(s3Objects(configOf()).get(1n, 'a')).rejects.toThrow(ObjectsUnavailable)
  expect(requests).toEqual(['GET /photos/1/a'])
})

test('a connection that is closed without a response is replaced', async () => {
  requests.length = 0
  answer = (request, response) =>
    requests.length === 1 ? request.socket.destroy() : response.writeHead(200).end('bytes')
  expect((await s3Objects(configOf()).get(1n, 'a'))?.toString()).toBe('bytes')
})

test('a store that never answers is given up after its time', async () => {
  answer = () => {}
  const client = openS3(configOf())
  await expect(client.send({ method: 'GET', path: 'a' }, { attemptMs: 20, totalMs: 60 })).rejects.toThrow('in time')
})

test('a redirect is not followed', async () => {
  requests.length = 0
  answer = (_, response) => response.writeHead(307, { Location: '/elsewhere' }).end()
  await expect(s3Objects(configOf()).get(1n, 'a')).rejects.toThrow('check S3_ENDPOINT and S3_REGION')
  expect(requests).toHaveLength(1)
})

test('only the code of the store says that there is no object', async () => {
  answer = (_, response) => response.writeHead(404).end('<html>not found</html>')
  await expect(s3Objects(configOf()).get(1n, 'a')).rejects.toThrow('answered GET with 404')
  answer = (_, response) => response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  expect(await s3Objects(configOf()).get(1n, 'a')).toBeUndefined()
  await s3Objects(configOf()).remove(1n, 'a')
})

test('a response without end is given up when it is larger than any object', async () => {
  const chunk = Buffer.alloc(1_000_000)
  answer = (_, response) => {
    const write = () => void response.write(chunk)
    response.on('drain', write)
    write()
  }
  await expect(s3Objects(configOf()).get(1n, 'a')).rejects.toThrow('too large')
})

test('pages without keys are passed over, and a listing in another order is rejected', async () => {
  const pages = [
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t+1</NextContinuationToken></ListBucketResult>',
    '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>1/b</Key><Size>1</Size><LastModified>2026-11-17T10:00:00Z</LastModified></Contents></ListBucketResult>',
  ]
  requests.length = 0
  answer = (_, response) => response.writeHead(200).end(pages[requests.length - 1])
  expect((await s3Objects(configOf()).list(1n, 'b*', 'a')).map(({ key }) => key)).toEqual(['b'])
  expect(requests).toEqual([
    'GET /photos?list-type=2&prefix=1%2Fb%2A&max-keys=1000&start-after=1%2Fa',
    'GET /photos?list-type=2&prefix=1%2Fb%2A&max-keys=1000&continuation-token=t%2B1',
  ])
  requests.length = 1
  await expect(s3Objects(configOf()).list(1n, 'b', 'c')).rejects.toThrow('cannot be read')
})

test('a store that ignores conditions is reported at the start', async () => {
  answer = (_, response) => response.writeHead(200).end()
  await expect(checkS3(configOf())).rejects.toThrow('overwrites objects')
})
