// Files in an S3-compatible store, on a real one (Ceph's gateway): the port, a store that is strict, a gateway that is
// killed in each operation, and the way of a photo from its upload to its removal. One file, because the store takes
// seconds to start.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startObjectGateway, type ObjectGateway } from '../../../testbed/harness/object-gateway.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { startRelay } from '../../../testbed/harness/tcp-relay.ts'
import { faultOf, restorePhotos } from '../../../testbed/experiments/photo-restore/run.ts'
import { ObjectsUnavailable, type Objects } from '../../src/foundation/objects.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { Secret } from '../../src/foundation/secret.ts'
import { databaseObjects } from '../../src/photos/store/open-objects.io.ts'
import { signedHeaders } from '../../src/photos/store/s3-client.io.ts'
import { checkS3, s3Objects } from '../../src/photos/store/s3-objects.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { keysOf, newProject, objectsContract } from './objects-contract.ts'
import { photoJourney } from './s3-journey.ts'

let gateway: ObjectGateway
let database: Database
beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  database = openDatabase({ url: appUrl, poolMax: 10, onError: () => {} })
  gateway = await startObjectGateway()
})
afterAll(async () => {
  await database.close()
  await gateway.stop()
})

objectsContract('the database', () => databaseObjects(inProjectOf(database)))
objectsContract('an S3-compatible store', () => s3Objects(gateway.config))

describe('a store that is strict', () => {
  const bytes = Buffer.from('bytes')

  test('is what is configured, and can be used', async () => {
    await checkS3(gateway.config)
    await checkS3(gateway.config)
  })

  test.for([
    ['secret', { secretAccessKey: new Secret('another') }, 'S3_SECRET_ACCESS_KEY does not belong'],
    ['access key', { accessKeyId: 'ANOTHER' }, 'does not know S3_ACCESS_KEY_ID'],
    ['bucket', { bucket: 'another' }, 'S3_BUCKET does not exist'],
  ] as const)('rejects every operation with another %s (negative control)', async ([, other, sentence]) => {
    const objects = s3Objects({ ...gateway.config, ...other })
    const project = newProject()
    await s3Objects(gateway.config).putIfAbsent(project, 'a', bytes)
    for (const operation of [
      () => objects.putIfAbsent(project, 'b', bytes),
      () => objects.get(project, 'a'),
      () => objects.remove(project, 'a'),
      () => objects.list(project, ''),
      () => checkS3({ ...gateway.config, ...other }),
    ]) {
      const error = await operation().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ObjectsUnavailable)
      expect(String(error)).toContain(sentence)
      expect(String(error)).not.toContain(gateway.config.secretAccessKey.reveal())
    }
    expect(await keysOf(s3Objects(gateway.config), project)).toEqual(['a'])
  })

  test('rejects requests of an hour ago, and without a signature', async () => {
    const late = s3Objects(gateway.config, () => Date.now() - 3_600_000)
    await expect(late.get(1n, 'a')).rejects.toThrow('The clocks')
    expect((await fetch(`${gateway.config.endpoint}/${gateway.config.bucket}/tests/1/a`)).status).toBe(403)
  })

  test('rejects a body, a header or a path that was changed on the way', async () => {
    const url = `${gateway.config.endpoint}/${gateway.config.bucket}/tests/${newProject()}/a`
    const request = { method: 'PUT', url, headers: { 'if-none-match': '*' }, body: bytes }
    const headers = await signedHeaders(gateway.config, request, Date.now())
    const send = async (changed: { url?: string; headers?: Record<string, string>; body?: Buffer } = {}) => {
      const sent = { url, headers, body: bytes, ...changed }
      const body = new Uint8Array(sent.body)
      return (await fetch(sent.url, { method: 'PUT', headers: sent.headers, body })).status
    }
    expect(await send({ body: Buffer.from('Bytes') })).toBe(400)
    expect(await send({ headers: { ...headers, 'if-none-match': 'x' } })).toBe(403)
    expect(await send({ url: `${url}b` })).toBe(403)
    expect(await send()).toBe(200)
    expect(await send()).toBe(412)
  })
})

describe('a gateway that is killed', () => {
  const large = randomBytes(9_000_000)

  /** What was acknowledged and is not there. */
  async function lost(objects: Objects, project: bigint, stored: ReadonlyMap<string, Buffer>): Promise<string[]> {
    const listed = new Set(await keysOf(objects, project))
    const missing: string[] = []
    for (const [key, bytes] of stored) {
      if (!listed.has(key) || !(await objects.get(project, key))?.equals(bytes)) missing.push(key)
    }
    return missing
  }

  test('in each operation, before, during or after it, loses nothing, and every operation can be repeated', async () => {
    const relay = await startRelay(Number(new URL(gateway.config.endpoint).port))
    const objects = s3Objects({ ...gateway.config, endpoint: relay.endpoint })
    const project = newProject()
    const stored = new Map<string, Buffer>([
      ['kept/large', large],
      ...Array.from({ length: 20 }, (_, index) => [`kept/${index}`, Buffer.from(`kept ${index}`)] as const),
    ])
    for (const [key, bytes] of stored) await objects.putIfAbsent(project, key, bytes)

    const moments = {
      before: {
        begin: () => gateway.freeze(),
        isReached: () => relay.counts().filter(({ sent }) => sent > 0).length >= 4,
      },
      during: {
        begin: () => relay.withhold(),
        isReached: () =>
          relay.counts().some(({ sent }) => sent > 1_000_000) && relay.counts().some(({ answered }) => answered > 0),
      },
      after: {
        begin: () => relay.withhold(),
        isReached: () => relay.counts().filter(({ answered }) => answered > 0).length >= 4,
      },
    }
    for (const [moment, { begin, isReached }] of Object.entries(moments)) {
      const gone = `gone/${moment}`
      await objects.putIfAbsent(project, gone, Buffer.from(gone))
      const operations = {
        put: async () => void (await objects.putIfAbsent(project, `put/${moment}`, large)),
        get: async () => expect((await objects.get(project, 'kept/large'))?.equals(large)).toBe(true),
        remove: () => objects.remove(project, gone),
        list: async () => expect((await objects.list(project, 'kept/')).length).toBe(21),
      }
      relay.deliver()
      begin()
      const outcomes = Promise.allSettled(Object.values(operations).map((operation) => operation()))
      await expect.poll(isReached).toBe(true)
      await gateway.kill()
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ObjectsUnavailable) })
      }
      await gateway.restart()
      relay.deliver()
      for (const operation of Object.values(operations)) await operation()
      stored.set(`put/${moment}`, large)
      expect(await objects.get(project, gone)).toBeUndefined()
      expect(await lost(objects, project, stored)).toEqual([])
    }
    await objects.remove(project, 'kept/7')
    expect(await lost(objects, project, stored)).toEqual(['kept/7'])
    await relay.close()
  })
})

photoJourney(() => gateway)

describe('a database that is restored from six days ago', () => {
  test('finds every photo in the bucket, and misses those whose files were removed at once (negative control)', async () => {
    const { asItIs, atOnce } = await restorePhotos({ store: gateway.under('restored'), photos: 6, days: 6 })
    expect(faultOf(asItIs)).toBeUndefined()
    expect(asItIs).toEqual({ photos: 6, deletedSince: 3, addedSince: 6, missing: 0, missingAfterSweep: 0 })
    // A master, a variant and the shared file of each.
    expect(atOnce).toMatchObject({ photos: 6, missing: 9 })
    expect(faultOf(atOnce)).toContain('missing')
  })
})
