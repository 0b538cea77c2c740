// Profiles of animals on `/platform/v1`: written as a whole, based on a version, with every refusal; deleted with their
// animal; and unknown to `/v1`.

import { emptyProfile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { describe, expect, test } from 'vitest'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { asProject } from '../v1/responses.ts'
import { filledProfile } from './filled-profile.ts'

const platform = await startTestPlatform()
const owner = await platform.owner()
const stranger = await platform.owner()

const at = (path: string, of: PlatformOwner = owner) => `/projects/${of.slug}${path}`
const codeOf = ({ json }: Received) => (json as { code?: string }).code
const messageOf = ({ json }: Received) => (json as { message?: string }).message

async function add(name = 'Rex'): Promise<string> {
  const answer = await owner.send('POST', at('/animals'), { name, categoryId: 1n })
  return /"id":(\d+)/.exec(answer.text)?.[1] ?? ''
}

const put = (id: string, change: Partial<ProfileChange> | Record<string, unknown>, of: PlatformOwner = owner) =>
  of.send('PUT', at(`/animals/${id}/profile`, of), { ...emptyProfile, ...change })

describe('the profile of an animal', () => {
  test('is empty at first, and afterwards exactly what was written', async () => {
    const id = await add()
    const shown = async () => (await owner.send('GET', at(`/animals/${id}`))).json as { profile: unknown }
    expect((await shown()).profile).toEqual(emptyProfile)
    const written = await put(id, filledProfile)
    expect([written.status, written.json]).toEqual([200, { ...filledProfile, version: 1 }])
    expect((await shown()).profile).toEqual({ ...filledProfile, version: 1 })
    const emptied = await put(id, { version: 1 })
    expect([emptied.status, emptied.json]).toEqual([200, { ...emptyProfile, version: 2 }])
  })

  test('is summarised in lists, by name and newest first, with how complete it is', async () => {
    const name = `Listed ${Math.random()}`
    const id = await add(name)
    await put(id, { ...filledProfile, externalId: '' })
    const { breed, sex, born, inCareSince, portrait, isHidden, isFeatured } = filledProfile
    const summary = { breed, sex, born, inCareSince, portrait, isHidden, isFeatured, completeness: 91 }
    for (const query of [`name=${encodeURIComponent(name)}`, 'limit=100']) {
      const listed = (await owner.send('GET', at(`/animals?${query}`))).json as { name: string; profile: unknown }[]
      expect(listed.find((animal) => animal.name === name)?.profile).toEqual(summary)
    }
  })

  test('is not overwritten unseen: of two changes of one version the second is refused', async () => {
    const id = await add()
    const answers = await Promise.all(['one', 'two', 'three'].map((headline) => put(id, { headline })))
    expect(
      answers
        .map(({ status }) => String(status))
        .toSorted()
        .join(' '),
    ).toBe('200 409 409')
    expect(codeOf(answers.find(({ status }) => status === 409) as Received)).toBe('stale_version')
    expect(codeOf(await put(id, { version: 7 }))).toBe('stale_version')
    expect(codeOf(await put(await add(), { version: 7 }))).toBe('stale_version')
  })

  test('has an external identifier that no other animal of the project has', async () => {
    const [one, other] = [await add(), await add()]
    expect((await put(one, { externalId: 'unique' })).status).toBe(200)
    const refused = await put(other, { externalId: 'unique' })
    expect([refused.status, codeOf(refused)]).toEqual([409, 'in_use'])
    expect(messageOf(refused)).toContain('externalId')
  })

  test('with a day to come from before can be changed otherwise, and that day can stay', async () => {
    const id = await add()
    await put(id, { inCareSince: '2026-03-14' })
    await asProject(platform.test.database, owner.project, (client) =>
      client.query(`update pet_profiles set in_care_since = '2099-01-01' where pet_id = $1`, [id]),
    )
    const changed = await put(id, { version: 1, breed: 'Beagle', inCareSince: '2099-01-01' })
    expect([changed.status, changed.json]).toMatchObject([200, { breed: 'Beagle', inCareSince: '2099-01-01' }])
    const another = await put(id, { version: 2, inCareSince: '2099-01-02' })
    expect([another.status, codeOf(another)]).toEqual([400, 'invalid_field'])
  })

  test('is deleted with its animal, and recorded in the audit trail', async () => {
    const id = await add()
    await put(id, { externalId: 'gone' })
    expect((await owner.send('DELETE', at(`/animals/${id}`))).status).toBe(204)
    expect((await put(await add(), { externalId: 'gone' })).status).toBe(200)
    const trail = (await owner.send('GET', at('/audit?limit=100'))).json as { action: string; subject: string }[]
    expect(trail.filter(({ subject }) => subject === id).map(({ action }) => action)).toEqual([
      'animal_deleted',
      'profile_changed',
      'animal_created',
    ])
  })

  test('of an animal that is not there, or of another project, is not found', async () => {
    const id = await add()
    for (const answer of [await put('9007199254740991', {}), await put('nonsense', {}), await put(id, {}, stranger)]) {
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
  })
})

describe('a profile that is not valid is refused, with the name of its field', () => {
  test.for<[field: keyof ProfileChange, value: unknown]>([
    ['headline', 'x'.repeat(121)],
    ['headline', 'two\nlines'],
    ['story', '\u0001'],
    ['story', '\uD800'],
    ['sex', 'other'],
    ['sex', '\uD800'],
    ['weightGrams', 0],
    ['weightGrams', 2_000_001],
    ['weightGrams', '5'],
    ['born', { date: '2023-02-30', precision: 'day', isEstimated: false }],
    ['born', { date: '2023-02-03', precision: 'day' }],
    ['born', { date: '2023-02-03', precision: 'day', isEstimated: false, more: true }],
    ['born', '2023-02-03'],
    ['goodWithCats', null],
    ['traits', Array.from({ length: 13 }, (_, index) => `trait ${index}`)],
    ['traits', ['calm', 'calm']],
    ['traits', ['']],
    ['fee', { amount: 1_000_000_001, currency: 'EUR' }],
    ['fee', { amount: 10, currency: 'Euro' }],
    ['fee', { amount: -1, currency: 'EUR' }],
    ['inCareSince', '2026-13-01'],
    ['inCareSince', '2099-01-01'],
    ['portrait', 'dragon-1'],
    ['isHidden', 'yes'],
    ['chipNumber', '1'.repeat(24)],
    ['version', -1],
  ])('%s: %j', async ([field, value]) => {
    const answer = await put(await add(), { [field]: value })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_field'])
    expect(messageOf(answer)).toContain(`'${field}'`)
  })

  test('a story with more formatting than a page can be rendered with at little cost', async () => {
    const answer = await put(await add(), { story: '- a\n'.repeat(2500) })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_field'])
    expect(messageOf(answer)).toMatch(/^'story' must have at most 600 line breaks and Markdown marks .* has 5000\./)
  })

  test('a field that is missing or unknown', async () => {
    const id = await add()
    const { story: _, ...rest } = emptyProfile
    expect(codeOf(await owner.send('PUT', at(`/animals/${id}/profile`), rest))).toBe('missing_field')
    expect(codeOf(await put(id, { sotry: '' }))).toBe('unknown_field')
  })
})

describe('the kind of a project', () => {
  test('is chosen at creation or later, and read by every member', async () => {
    const shown = async () => (await owner.send('GET', at(''))).json as { kind: string; isKindChosen: boolean }
    expect(await shown()).toMatchObject({ kind: 'shop', isKindChosen: false })
    const changed = await owner.send('PATCH', at(''), { kind: 'shelter' })
    expect([changed.status, changed.json]).toMatchObject([200, { kind: 'shelter', isKindChosen: true }])
    expect(codeOf(await owner.send('PATCH', at(''), {}))).toBe('missing_field')
    expect(codeOf(await owner.send('PATCH', at(''), { kind: 'zoo' }))).toBe('invalid_field')
    const slug = `kind-${Date.now().toString(36)}`
    const created = await owner.send('POST', '/projects', { slug, name: 'New', kind: 'shelter' })
    expect(created.json).toMatchObject({ kind: 'shelter', isKindChosen: true })
  })
})
