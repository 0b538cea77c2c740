// Photos on `/platform/v1`: added in order, shown, turned, ordered and deleted; every refusal; and repeated requests,
// of which any number add one photo. Every response is checked against the OpenAPI document.

import { hash } from 'node:crypto'
import { PHOTOS_MAX, type Photo } from '@petstore-platform/contract/platform/photos'
import { describe, expect, test } from 'vitest'
import { setPlan } from '../../src/plans/plans.io.ts'
import { startPeople } from '../platform/people.ts'
import { add, addAnimal, at, codeOf, photosOf, photoWorkshop, picture, send } from './environment.ts'

const people = await startPeople()
const owner = await people.owner()
const { viewer, stranger, nobody } = await people.everybody(owner)
const shop = photoWorkshop(people)

const sha = (text: string | Buffer) => hash('sha256', text, 'hex')
const change = (pet: string, photo: string, body: object) =>
  owner.send('PATCH', at(owner, `/animals/${pet}/photos/${photo}`), body)
const order = (pet: string, photoIds: readonly string[]) =>
  owner.send('PUT', at(owner, `/animals/${pet}/photos/order`), { photoIds })
const file = (digest: string, name: string, by = owner as Pick<typeof owner, 'send'>) =>
  by.send('GET', at(owner, `/photos/${digest}/${name}`))

describe('a photo', () => {
  test('is processed after it was uploaded, and then shown with its animal, in lists, and as a cover', async () => {
    const name = `Shown ${Math.random()}`
    const pet = await addAnimal(owner, name)
    const bytes = picture('shown')
    const added = await send(owner, pet, bytes)
    const expected: Photo = {
      id: (added.json as Photo).id,
      state: 'processing',
      reason: null,
      digest: sha(`${sha(bytes)}:0`),
      recipe: 1,
      widths: [],
      width: null,
      height: null,
      alt: '',
      focal: { x: 2, y: 2 },
      turn: 0,
    }
    expect([added.status, added.json]).toEqual([201, expected])
    expect(await photosOf(owner, pet)).toEqual([expected])
    type Listed = { cover: object | null; profile: { completeness: number } }
    const listed = async () =>
      ((await owner.send('GET', at(owner, `/animals?name=${encodeURIComponent(name)}`))).json as Listed[])[0]
    expect(await listed()).toMatchObject({ cover: null, profile: { completeness: 0 } })
    expect(codeOf(await file(expected.digest, '1-320.webp'))).toBe('not_found')

    await shop.workOff()
    const ready = { ...expected, state: 'ready', widths: [320, 640], width: 800, height: 600 }
    expect(await photosOf(owner, pet)).toEqual([ready])
    const { id: _, state: _state, reason: _reason, turn: _turn, ...cover } = ready
    expect(await listed()).toMatchObject({ cover, profile: { completeness: 9 } })
  })

  test('has the files of its widths and one to be shared, for members alone, and its master is never shown', async () => {
    const pet = await addAnimal(owner)
    const { digest } = await add(owner, pet, 'files')
    await shop.workOff()
    for (const [name, type] of [
      ['1-320.webp', 'image/webp'],
      ['1-640.webp', 'image/webp'],
      ['1-shared.jpg', 'image/jpeg'],
    ] as const) {
      const shown = await file(digest, name, viewer)
      expect([shown.status, shown.headers['content-type']]).toEqual([200, type])
      expect(shown.headers['cache-control']).toBe('private, max-age=604800, immutable')
      expect(shown.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    }
    for (const name of ['1-master.webp', '1-960.webp', '2-320.webp', '1-320.jpg', '..%2F1-320.webp']) {
      expect(codeOf(await file(digest, name))).toBe('not_found')
    }
    expect(codeOf(await file('0'.repeat(64), '1-320.webp'))).toBe('not_found')
    expect((await file(digest, '1-320.webp', stranger)).status).toBe(404)
    expect((await file(digest, '1-320.webp', nobody)).status).toBe(401)
  })

  test('is described, focused and turned; a rotation is processed again, from the master, by the difference', async () => {
    const pet = await addAnimal(owner)
    const { id, digest } = await add(owner, pet, 'turned')
    expect(codeOf(await change(pet, id, { turn: 90 }))).toBe('wrong_state')
    const described = await change(pet, id, { alt: 'Rex', focal: { x: 0, y: 4 }, turn: 0 })
    expect([described.status, described.json]).toMatchObject([200, { alt: 'Rex', focal: { x: 0, y: 4 } }])
    await shop.workOff()
    const upload = sha(picture('turned'))
    let master = `upload ${upload} 0`
    for (const [turn, difference] of [
      [90, 90],
      [270, 180],
      [0, 90],
    ] as const) {
      const turned = (await change(pet, id, { turn })).json as Photo
      expect(turned).toMatchObject({
        state: 'processing',
        turn,
        widths: [],
        alt: 'Rex',
        digest: sha(`${upload}:${turn}`),
      })
      await shop.workOff()
      expect(await photosOf(owner, pet)).toMatchObject([{ state: 'ready', turn, widths: [320, 640] }])
      const done = `master ${sha(`master of ${master}`)} ${difference}`
      expect(shop.processor.processed.get(done)).toBe(1)
      master = done
    }
    // The files of the first digest were still there, and an address never changes its bytes.
    expect((await file(digest, '1-320.webp')).text).toBe(`320 of upload ${upload} 0`)
  })

  test('that cannot be processed is failed with a reason and occupies nothing; a rotation that fails is undone', async () => {
    const other = await people.owner()
    const pet = await addAnimal(other)
    const { id } = await add(other, pet, 'good')
    await shop.workOff()
    await add(other, pet, 'damaged')
    await other.send('PATCH', at(other, `/animals/${pet}/photos/${id}`), { turn: 180 })
    shop.processor.outcome = async () => ({ outcome: 'failed', reason: 'damaged' })
    await shop.workOff()
    shop.processor.outcome = undefined
    expect(await photosOf(other, pet)).toMatchObject([
      { state: 'ready', turn: 0, widths: [320, 640] },
      { state: 'failed', reason: 'damaged' },
    ])
    const { used, sum } = await shop.usage(other)
    expect(used).toBe(sum)
    expect((await shop.keys(other)).filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  test('leaves when it is deleted, alone or with its animal, and every action is recorded', async () => {
    const other = await people.owner()
    const pet = await addAnimal(other)
    const [one] = [await add(other, pet, 'one'), await add(other, pet, 'two')]
    await shop.workOff()
    await add(other, pet, 'three')
    const remove = () => other.send('DELETE', at(other, `/animals/${pet}/photos/${one.id}`))
    expect((await remove()).status).toBe(204)
    expect(codeOf(await remove())).toBe('not_found')
    expect((await other.send('DELETE', at(other, `/animals/${pet}`))).status).toBe(204)
    expect(await shop.usage(other)).toEqual({ used: 0, sum: 0 })
    await shop.workOff()
    expect((await shop.keys(other)).filter((key) => key.startsWith('uploads/'))).toEqual([])
    const trail = (await other.send('GET', at(other, '/audit'))).json as { action: string; subject: string }[]
    expect(trail.filter(({ subject }) => subject === pet).map(({ action }) => action)).toEqual([
      'animal_deleted',
      'photo_deleted',
      'photo_added',
      'photo_added',
      'photo_added',
      'animal_created',
    ])
  })
})

describe('the order of photos', () => {
  test('is that of their uploads until it is changed; the first one that is ready is the cover', async () => {
    const name = `Ordered ${Math.random()}`
    const pet = await addAnimal(owner, name)
    const ids: string[] = []
    for (const text of ['a', 'b', 'c']) ids.push((await add(owner, pet, `${text} ${pet}`)).id)
    expect((await photosOf(owner, pet)).map(({ id }) => id)).toEqual(ids)
    const backwards = ids.toReversed()
    const ordered = await order(pet, backwards)
    expect([ordered.status, (ordered.json as Photo[]).map(({ id }) => id)]).toEqual([200, backwards])
    await shop.workOff()
    const next = await add(owner, pet, `d ${pet}`)
    expect((await order(pet, [next.id, ...ids])).status).toBe(200)
    const listed = await owner.send('GET', at(owner, `/animals?name=${encodeURIComponent(name)}`))
    expect((listed.json as { cover: { digest: string } }[])[0]?.cover.digest).toBe(sha(`${sha(picture(`a ${pet}`))}:0`))
  })

  test('is refused unless it lists every photo once', async () => {
    const pet = await addAnimal(owner)
    const [{ id: one }, { id: two }] = [await add(owner, pet, '1'), await add(owner, pet, '2')]
    for (const ids of [[], [one], [one, two, 'pho_000000000000000000000000'], [one, 'nonsense']]) {
      const refused = await order(pet, ids)
      expect([refused.status, codeOf(refused)]).toEqual([409, 'stale_version'])
    }
    expect(codeOf(await order(pet, [one, one]))).toBe('invalid_field')
    expect(codeOf(await order('9007199254740991', []))).toBe('not_found')
  })
})

describe('an upload is refused', () => {
  test('if it is no picture that is taken, with a reason, and nothing is stored', async () => {
    const other = await people.owner()
    const pet = await addAnimal(other)
    const refusedOf = async (bytes: Uint8Array, type?: string) => {
      const { status, json } = await send(other, pet, bytes, type === undefined ? {} : { type })
      return [status, (json as { code: string }).code]
    }
    expect(await refusedOf(Buffer.from('%PDF-1.4'))).toEqual([400, 'invalid_image'])
    expect(await refusedOf(picture('small', 199))).toEqual([400, 'invalid_image'])
    expect(await refusedOf(picture('cut').subarray(0, -3))).toEqual([400, 'invalid_image'])
    expect(await refusedOf(Buffer.from('ftypheic'), 'image/heic')).toEqual([400, 'invalid_image'])
    expect(await refusedOf(picture('x'), 'text/plain')).toEqual([415, 'unsupported_media_type'])
    expect(await refusedOf(picture('x'), 'image/')).toEqual([415, 'unsupported_media_type'])
    expect(await refusedOf(new Uint8Array())).toEqual([400, 'missing_body'])
    expect((await send(other, pet, picture('any'), { type: 'image/anything' })).status).toBe(201)
    expect(await shop.keys(other)).toHaveLength(1)
  })

  test('of a stranger, a viewer, for no animal, or larger than 20 MB', async () => {
    const pet = await addAnimal(owner)
    expect((await send(owner, pet, picture('x'), { by: stranger })).status).toBe(404)
    expect(codeOf(await send(owner, pet, picture('x'), { by: viewer }))).toBe('insufficient_role')
    expect(codeOf(await send(owner, '9007199254740991', picture('x')))).toBe('not_found')
    expect(codeOf(await send(owner, pet, Buffer.alloc(20_000_001)))).toBe('body_too_large')
  })

  test('beyond twenty photos of an animal, also at the same time', async () => {
    const pet = await addAnimal(owner)
    for (let count = 0; count < PHOTOS_MAX - 1; count += 1) await add(owner, pet, `${pet} ${count}`)
    const answers = await Promise.all(['x', 'y'].map((text) => send(owner, pet, picture(text))))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
    expect(answers.map(codeOf)).toContain('limit_reached')
    expect(await photosOf(owner, pet)).toHaveLength(PHOTOS_MAX)
  })

  test('beyond the bytes of the plan, before and after its body is read', async () => {
    const other = await people.owner()
    const pet = await addAnimal(other)
    const key = 'fits'
    await add(other, pet, 'fits', { key })
    await shop.inProject(other.project, (db) =>
      db(
        { name: 'test-fill', text: 'update project_usage set photo_bytes = 250000000 - 100 where project_id = $1' },
        other.project,
      ),
    )
    const refused = await send(other, pet, picture('too much'))
    expect([refused.status, codeOf(refused)]).toEqual([403, 'plan_required'])
    const unannounced = await other.send('POST', at(other, `/animals/${pet}/photos`), picture('too much'), {
      'Content-Type': 'image/png',
      'Transfer-Encoding': 'chunked',
    })
    expect([unannounced.status, codeOf(unannounced)]).toEqual([403, 'plan_required'])
    // What was added before is there: its repetition adds nothing.
    expect((await send(other, pet, picture('fits'), { key })).status).toBe(201)
    await setPlan({ inProject: shop.inProject }, other.project, 'pro', 'operator')
    expect((await send(other, pet, picture('too much'))).status).toBe(201)
  })
})

describe('an upload with an Idempotency-Key', () => {
  test('adds one photo however often it is repeated, one after the other or at once', async () => {
    const pet = await addAnimal(owner)
    const first = await add(owner, pet, 'again', { key: 'one' })
    expect(await add(owner, pet, 'again', { key: 'one' })).toEqual(first)
    const answers = await Promise.all(['a', 'b'].map(() => send(owner, pet, picture('at once'), { key: 'two' })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(await photosOf(owner, pet)).toHaveLength(2)
    const uploads = (await shop.keys(owner)).filter((key) => key.startsWith('uploads/'))
    expect(uploads.filter((key) => key.endsWith((answers[0]?.json as Photo | undefined)?.id ?? '-'))).toHaveLength(1)
  })

  test('is refused for other bytes, or for another animal', async () => {
    const [pet, other] = [await addAnimal(owner), await addAnimal(owner)]
    await add(owner, pet, 'mine', { key: 'three' })
    for (const refused of [
      await send(owner, pet, picture('other'), { key: 'three' }),
      await send(owner, other, picture('mine'), { key: 'three' }),
    ]) {
      expect([refused.status, codeOf(refused)]).toEqual([422, 'idempotency_key_reused'])
    }
  })
})

test('a change is refused unless it has a field, and every field is valid', async () => {
  const pet = await addAnimal(owner)
  const { id } = await add(owner, pet, 'changed')
  expect(codeOf(await change(pet, id, {}))).toBe('missing_field')
  for (const body of [{ alt: 'x'.repeat(251) }, { alt: 'a\nb' }, { focal: { x: 5, y: 0 } }, { turn: 45 }]) {
    expect(codeOf(await change(pet, id, body))).toBe('invalid_field')
  }
  expect(codeOf(await change(pet, id, { width: 3 }))).toBe('unknown_field')
  expect(codeOf(await change(pet, 'pho_000000000000000000000000', { alt: '' }))).toBe('not_found')
})
