// A photo whose files are in an S3-compatible store, from the upload over HTTP to the removal of its files: service,
// worker and site server as they run in production. Called by the test file that has started the store.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange } from '../../../testbed/harness/http.ts'
import type { ObjectGateway } from '../../../testbed/harness/object-gateway.ts'
import { startTestPlatform, type PlatformOwner, type TestPlatform } from '../../../testbed/harness/platform.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { scriptedDns } from '../../../testbed/harness/scripted-dns.ts'
import { startTestService, type TestService } from '../../../testbed/harness/service.ts'
import { quadrants } from '../../../testbed/photos/quadrants.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import type { Objects } from '../../src/foundation/objects.ts'
import { setTimer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { sweepTimer } from '../../src/photos/photo-timers.ts'
import { databaseObjects } from '../../src/photos/store/open-objects.io.ts'
import { s3Objects } from '../../src/photos/store/s3-objects.io.ts'
import { parseConfig } from '../../src/program/config.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { addAnimal, at, codeOf, photosOf, photoWorkshop, send } from './environment.ts'
import { keysOf } from './objects-contract.ts'

const DAY = 24 * 3600
const PLATFORM_HOST = 'petstore.test:3080'

export function photoJourney(gatewayOf: () => ObjectGateway): void {
  describe('a photo in an S3-compatible store', () => {
    let platform: TestPlatform
    let objects: Objects
    let work: RunningWork
    let edge: RunningEdge
    const errors: Error[] = []
    let misconfigured: TestService
    beforeAll(async () => {
      const { env, config } = gatewayOf()
      objects = s3Objects(config)
      platform = await startTestPlatform({ env })
      const settings = parseConfig({
        DATABASE_URL: platform.test.database.appUrl,
        PLATFORM_HOST,
        EDGE_PORT: '0',
        DNS_RESOLVERS: 'unreachable=127.0.0.1:1',
        ...env,
      })
      misconfigured = await startTestService({ env: { ...env, S3_SECRET_ACCESS_KEY: 'another' } })
      const { observe } = scriptedDns()
      work = await startWork(settings, { observe, pauseMs: 20, onError: (error) => void errors.push(error) })
      edge = await startEdge(settings, { logger: { level: 'silent' } })
    })
    afterAll(async () => {
      await edge.stop()
      await work.stop()
    })

    const upload = async (owner: PlatformOwner, pet: string, side: number) =>
      send(owner, pet, await quadrants({ width: side, height: side, orientation: 1, format: 'jpeg' }), {
        type: 'image/jpeg',
      })
    const visit = (owner: PlatformOwner, digest: string, file: string) =>
      exchange(`http://127.0.0.1:${edge.port}`, {
        path: `/photos/${digest}/${file}`,
        headers: { Host: `${owner.slug}.${PLATFORM_HOST}` },
      })
    /** The only photo of the animal, once its upload is removed too. */
    const readyPhoto = async (owner: PlatformOwner, pet: string) => {
      await expect.poll(async () => (await photosOf(owner, pet)).map(({ state }) => state)).toEqual(['ready'])
      await expect.poll(() => keysOf(objects, owner.project, 'uploads/')).toEqual([])
      const [photo] = await photosOf(owner, pet)
      if (!photo) throw new Error('no photo')
      return photo
    }
    const shop = () => photoWorkshop(platform, { objects, now: () => Date.now() + 3 * DAY * 1000 })

    test('is uploaded, processed, served, deleted, and removed from the bucket after a week', async () => {
      const owner = await platform.owner()
      const inProject = inProjectOf(platform.test.service.database)
      await publishAtOnce(inProject, owner.project, contentWith())
      const pet = await addAnimal(owner)
      expect((await upload(owner, pet, 800)).status).toBe(201)
      const { id, digest } = await readyPhoto(owner, pet)
      const files = ['1-320.webp', '1-640.webp', '1-master.webp', '1-shared.jpg'].map(
        (name) => `photos/${digest}/${name}`,
      )
      expect(await keysOf(objects, owner.project)).toEqual(files)
      expect(await keysOf(databaseObjects(inProject), owner.project)).toEqual([])

      const served = await visit(owner, digest, '1-640.webp')
      expect([served.status, served.headers['content-type']]).toEqual([200, 'image/webp'])
      const file = await objects.get(owner.project, `photos/${digest}/1-640.webp`)
      expect(served.text).toBe(file?.toString())

      expect((await owner.send('DELETE', at(owner, `/animals/${pet}/photos/${id}`))).status).toBe(204)
      expect((await visit(owner, digest, '1-640.webp')).status).toBe(404)
      // Not by a sweep either: the files are older than two days by then.
      await setTimer(platform.test.service.database.run, sweepTimer(owner.project))
      await shop().workOff('photo_sweep')
      expect(await keysOf(objects, owner.project)).toEqual(files)
      await shop().later('photo_removal', 8 * DAY)
      await expect.poll(() => keysOf(objects, owner.project)).toEqual([])
    })

    test('leaves nothing behind when its project is deleted, nor does an upload that became none', async () => {
      const owner = await platform.owner()
      const pet = await addAnimal(owner)
      await upload(owner, pet, 300)
      await readyPhoto(owner, pet)
      const kept = await keysOf(objects, owner.project)
      for (const key of ['uploads/pho_000000000000000000000000', `photos/${'0'.repeat(64)}/1-320.webp`]) {
        await objects.putIfAbsent(owner.project, key, Buffer.from('left behind'))
      }
      const { works, inProject } = shop()
      const sweep = async () => {
        await works.photo_sweep.work({ ...sweepTimer(owner.project), fence: 0n, attempts: 1 })
        return keysOf(objects, owner.project)
      }
      expect(await sweep()).toEqual(kept)
      const body = JSON.stringify({ slug: owner.slug })
      const head = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
      expect((await owner.send('DELETE', at(owner, ''), body, head)).status).toBe(204)
      const text = `update projects set deleted_at = deleted_at - interval '8 days' where project_id = $1`
      await inProject(owner.project, (db) => db({ name: 'test-delete', text }, owner.project))
      expect(await sweep()).toEqual([])
    })

    test('cannot be stored with a wrong secret, which is logged at the start', async () => {
      await expect.poll(() => misconfigured.logs.join('')).toContain('S3_SECRET_ACCESS_KEY does not belong')
      expect(misconfigured.logs.join('')).toContain('the store of photos cannot be used')
    })

    test('is refused with 503 while the store is gone, which is logged, and accepted afterwards', async () => {
      const owner = await platform.owner()
      await publishAtOnce(inProjectOf(platform.test.service.database), owner.project, contentWith())
      const pet = await addAnimal(owner)
      expect((await upload(owner, pet, 320)).status).toBe(201)
      const { id, digest } = await readyPhoto(owner, pet)
      await gatewayOf().kill()
      const refused = await upload(owner, pet, 321)
      expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
        503,
        'service_unavailable',
        '1',
      ])
      expect((await visit(owner, digest, '1-320.webp')).status).toBe(503)
      const logged = platform.test.logs.join('')
      expect(logged).toContain('S3_ENDPOINT: ECONNREFUSED.')
      expect(logged).not.toContain(gatewayOf().config.secretAccessKey.reveal())

      // The worker that cannot read the master tries again.
      const turned = await owner.send('PATCH', at(owner, `/animals/${pet}/photos/${id}`), { turn: 90 })
      expect(turned.status).toBe(200)
      await expect.poll(() => errors.map(({ message }) => message)).toContain('S3_ENDPOINT: ECONNREFUSED.')
      await gatewayOf().restart()
      await shop().later('photo', 60)
      expect(await readyPhoto(owner, pet)).toMatchObject({ turn: 90 })
      expect((await upload(owner, pet, 321)).status).toBe(201)
    })
  })
}
