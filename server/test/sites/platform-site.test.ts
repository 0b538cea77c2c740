// The draft of a site on `/platform/v1`: who may read and change it, protection against lost
// updates, and a logo whose type is determined by its bytes.

import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { jpeg, png, webpLossless, webpLossy } from '../../../testbed/photos/images.ts'
import { contactFaults } from '@petstore-platform/contract/platform/site'
import { databaseBlobs } from '../../src/sites/publishing/blobs.io.ts'
import { draftSettings, settingsJson } from '../../src/sites/publishing/content.ts'
import { changeSettings, lockSite } from '../../src/sites/publishing/site-queries.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { deploying, draft } from './deployments.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner, type PersonClient } from '../../../testbed/harness/platform.ts'

type SiteBody = { version: number; title: string; logo: { digest: string; type: string } | null }

const platform = await startTestPlatform()
const on = deploying(platform)
const mia = await platform.owner()

const siteOf = ({ json }: Received) => json as SiteBody
const read = async (owner: PlatformOwner) => siteOf(await owner.send('GET', on.sitePath(owner)))
const upload = (by: Pick<PlatformOwner, 'send'>, to: PlatformOwner, bytes: Uint8Array, type = 'image/png') =>
  by.send('PUT', on.sitePath(to, '/logo'), bytes, { 'Content-Type': type })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('the draft', () => {
  test("of a new project has the project's name, at version 0", async () => {
    const answer = await mia.send('GET', on.sitePath(mia))
    expect([answer.status, answer.text]).toEqual([
      200,
      `{"version":0,"title":"${mia.slug}","tagline":"","about":"","themeColor":"#0f766e","look":"meadow","language":"en","languages":[],` +
        `"contact":{"email":"","phone":"","address":""},"hiddenCategories":[],"questions":null,"logo":null}`,
    ])
  })

  test('is changed as a whole, keeps every digit of an id, and names who changed it', async () => {
    const owner = await platform.owner()
    const ids = [9223372036854775807n, -9223372036854775808n, 9007199254740993n]
    const about = `# Hello\n\t"<b>" \\ ${'ä'.repeat(19_000)} 🐱`
    const contact = { email: 'mia@x.example', phone: '+49 30', address: 'Hauptstraße 1' }
    const sent = draft(0, 'Happy "Paws" 🐶', { about, contact, language: 'de', hiddenCategories: ids })
    const answer = await owner.send('PUT', on.sitePath(owner), sent)
    expect(answer.status, `it says ${answer.text}`).toBe(200)
    expect(answer.text).toContain(`"hiddenCategories":[${ids.join(',')}]`)
    expect(answer.json).toMatchObject({ version: 1, title: 'Happy "Paws" 🐶', about, contact, language: 'de' })
    expect((await owner.send('GET', on.sitePath(owner))).text).toBe(answer.text)
    expect(await on.auditEvents(owner)).toContain(`${owner.id} site_changed site`)
  })

  test('has a text about the store with as much formatting as a page can be rendered with at little cost', async () => {
    const owner = await platform.owner()
    const put = (about: string) => owner.send('PUT', on.sitePath(owner), draft(0, 'Items', { about }))
    const most = /^'about' must have at most 600 line breaks and Markdown marks/
    expectRefusal(await put('- a\n'.repeat(5000)), 400, 'invalid_field', most)
    expect((await put('- a\n'.repeat(300))).status).toBe(200)
  })

  test('has questions to visitors, which stay as they are if a change leaves them out', async () => {
    const owner = await platform.owner()
    const question = { kind: 'choice', text: 'Where do you live?', isRequired: true, choices: ['House', 'Flat'] }
    const put = async (version: number, questions: unknown) =>
      owner.send('PUT', on.sitePath(owner), { ...draft(version, 'Asking'), questions })
    expect((await put(0, [question])).json).toMatchObject({ questions: [question] })
    const { questions: _, ...older } = draft(1, 'From before there were questions')
    expect((await owner.send('PUT', on.sitePath(owner), older)).json).toMatchObject({
      version: 2,
      questions: [question],
    })
    for (const wrong of [
      [{ ...question, choices: ['House'] }],
      [{ ...question, kind: 'yes_no' }],
      [{ ...question, text: ' ' }],
      [{ ...question, kind: 'essay', choices: [] }],
      Array.from({ length: 13 }, () => question),
    ]) {
      const refused = await put(2, wrong)
      expect([refused.status, refused.text.includes("'questions' must be")]).toEqual([400, true])
    }
    expect((await put(2, null)).json).toMatchObject({ questions: null })
  })

  test('has a look, which stays as it is if a change leaves it out', async () => {
    const owner = await platform.owner()
    const { look: _, ...older } = draft(0, 'From before there was a choice')
    expect((await owner.send('PUT', on.sitePath(owner), older)).json).toMatchObject({ version: 1, look: 'meadow' })
    const chosen = await owner.send('PUT', on.sitePath(owner), draft(1, 'Chosen', { look: 'journal' }))
    expect(chosen.json).toMatchObject({ version: 2, look: 'journal' })
    const kept = await owner.send('PUT', on.sitePath(owner), { ...older, version: 2 })
    expect([kept.status, kept.json]).toMatchObject([200, { version: 3, look: 'journal' }])
    const { id } = await on.deploy(owner)
    const deployed = await owner.send('GET', on.deploymentsPath(owner, `/${id}/settings`))
    expect(deployed.json).toMatchObject({ look: 'journal' })
  })

  test('has further languages, which stay as they are if a change leaves them out', async () => {
    const owner = await platform.owner()
    const { languages: _, ...older } = draft(0, 'From before there was a choice')
    expect((await owner.send('PUT', on.sitePath(owner), older)).json).toMatchObject({ version: 1, languages: [] })
    const chosen = await owner.send('PUT', on.sitePath(owner), draft(1, 'Chosen', { languages: ['es', 'de'] }))
    expect(chosen.json).toMatchObject({ version: 2, languages: ['de', 'es'] })
    const kept = await owner.send('PUT', on.sitePath(owner), { ...older, version: 2 })
    expect(kept.json).toMatchObject({ version: 3, languages: ['de', 'es'] })
    const german = await owner.send('PUT', on.sitePath(owner), { ...older, version: 3, language: 'de' })
    expect(german.json).toMatchObject({ version: 4, language: 'de', languages: ['es'] })
    const { id } = await on.deploy(owner)
    const deployed = await owner.send('GET', on.deploymentsPath(owner, `/${id}/settings`))
    expect(deployed.json).toMatchObject({ language: 'de', languages: ['es'] })
  })

  test('is not changed by a request with an outdated version', async () => {
    const owner = await platform.owner()
    expect((await owner.send('PUT', on.sitePath(owner), draft(0, 'First'))).status).toBe(200)
    const late = await owner.send('PUT', on.sitePath(owner), draft(0, 'Second'))
    const message = 'The draft is at version 1, but the request is based on version 0. Fetch it again, then retry.'
    expectRefusal(late, 409, 'stale_version', message)
    expectRefusal(await owner.send('PUT', on.sitePath(owner), draft(2, 'Third')), 409, 'stale_version')
    expect(await read(owner)).toMatchObject({ version: 1, title: 'First' })
    expect((await on.auditEvents(owner)).filter((event) => event.includes('site_changed'))).toHaveLength(1)
  })

  test('is changed by one of many concurrent requests', async () => {
    const owner = await platform.owner()
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => owner.send('PUT', on.sitePath(owner), draft(version, `${version}-${n}`))),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
      expect(await read(owner)).toMatchObject({ version: version + 1, title: `${version}-${statuses.indexOf(200)}` })
    }
  })

  test.each([
    ['title', ''],
    ['title', 'x'.repeat(101)],
    ['title', 'a\nb'],
    ['title', 5],
    ['tagline', 'x'.repeat(201)],
    ['about', 'x'.repeat(20_001)],
    ['about', 'a\u0000b'],
    ['about', '\u001B[31m'],
    ['themeColor', '#FFFFFF'],
    ['themeColor', 'red;}'],
    ['language', 'tlh'],
    ['languages', ['tlh']],
    ['languages', ['de', 'de']],
    ['languages', ['en']],
    ['languages', ['de', 'fr', 'es', 'en']],
    ['languages', 'de'],
    ['look', 'forest'],
    ['look', null],
    ['contact', { email: '', phone: '' }],
    ['contact', { email: '', phone: '', address: '', fax: '' }],
    ['contact', { email: 'x'.repeat(255), phone: '', address: '' }],
    ['hiddenCategories', ['5']],
    ['hiddenCategories', [1.5]],
    ['hiddenCategories', [9223372036854775808n]],
    ['hiddenCategories', Array.from({ length: 1001 }, (_, n) => n)],
    ['version', -1],
    ['version', '0'],
  ])('is refused with a wrong %s (%#)', async (field, value) => {
    const answer = await mia.send('PUT', on.sitePath(mia), { ...draft(0, 'x'), [field]: value })
    expectRefusal(answer, 400, 'invalid_field', new RegExp(`^'${field}' must `))
    expect(await read(mia)).toMatchObject({ version: 0 })
  })

  test('has an email address and a phone number, or none; what was stored before can stay', async () => {
    const owner = await platform.owner()
    const put = async (version: number, contact: object, title = 'Contacts') =>
      owner.send('PUT', on.sitePath(owner), draft(version, title, { contact }))
    const none = { email: '', phone: '', address: '' }
    for (const email of ['hello', 'hello@', 'hello@willow', 'a b@willow.example', 'hello@willow.example.'])
      expectRefusal(await put(0, { ...none, email }), 400, 'invalid_field', contactFaults.email)
    for (const phone of ['hello', 'call 12345', '12', 'a@b.example', '+'])
      expectRefusal(await put(0, { ...none, phone }), 400, 'invalid_field', contactFaults.phone)
    const right = { email: 'grüße@bücher.example', phone: '+49 (0)30 / 123–45.67', address: 'Anywhere' }
    expectRefusal(await put(0, right), 400, 'invalid_field', contactFaults.email)
    expect((await put(0, { ...right, email: 'hello@bücher.example' })).status).toBe(200)
    const older = { ...none, email: 'at home', phone: 'ask Mia' }
    await on.inProject(owner.project, async (db) => {
      const { settings } = await lockSite(db, owner.project)
      const stored = settingsJson({ ...draftSettings(settings, ''), contact: older })
      await changeSettings(db, owner.project, stored)
    })
    expect((await put(2, older, 'Another')).json).toMatchObject({ title: 'Another', contact: older })
    expectRefusal(await put(3, { ...older, phone: 'ask Bo' }), 400, 'invalid_field', contactFaults.phone)
  })

  test('is refused with a missing or an additional field, and beyond 128 KiB', async () => {
    const { tagline: _, ...rest } = draft(0, 'x')
    expectRefusal(await mia.send('PUT', on.sitePath(mia), rest), 400, 'missing_field')
    expectRefusal(await mia.send('PUT', on.sitePath(mia), draft(0, 'x', { theme: 1 })), 400, 'unknown_field')
    const large = await mia.send('PUT', on.sitePath(mia), draft(0, 'x', { about: 'x'.repeat(131_072) }))
    expectRefusal(large, 413, 'body_too_large', 'Body exceeds 131072 bytes.')
  })
})

describe('a logo', () => {
  test.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webpLossy],
    ['image/webp', webpLossless],
  ])('of %s is stored byte for byte under its digest', async (type, bytes) => {
    const owner = await platform.owner()
    const answer = await upload(owner, owner, bytes, type)
    expect(answer.status, `it says ${answer.text}`).toBe(200)
    const digest = sha256(bytes)
    expect(siteOf(answer)).toMatchObject({ version: 1, logo: { digest, type } })
    expect(await blobOf(owner, digest)).toEqual({ type, bytes })
    expect(await blobOf(mia, digest)).toBeUndefined()
    expect(await on.auditEvents(owner)).toContain(`${owner.id} logo_changed site`)
  })

  test('is stored without what its file has besides the picture: Exif with the place, comments, what follows the end', async () => {
    const owner = await platform.owner()
    const place = { IFD0: { Artist: 'Mia at home' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } }
    const taken = Buffer.concat([await sharp(jpeg).withExif(place).jpeg().toBuffer(), Buffer.from('and a film')])
    expect(taken.includes('Mia at home')).toBe(true)
    const extras = ['Exif', 'Mia at home', 'and a film']
    const { logo } = siteOf(await upload(owner, owner, taken, 'image/jpeg'))
    const stored = (await blobOf(owner, logo?.digest ?? ''))?.bytes ?? Buffer.alloc(0)
    expect(extras.filter((what) => stored.includes(what))).toEqual([])
    expect(sha256(stored)).toBe(logo?.digest)
    // As a former release has stored it.
    await asOwner(platform.test.database, async (client) => {
      await client.query(`select set_config('petstore.projects', $1, false)`, [`{${owner.project}}`])
      await client.query(`update blobs set bytes = $2 where project_id = $1`, [owner.project, taken])
    })
    const { status, text } = await owner.send('GET', on.sitePath(owner, '/logo'))
    expect([status, extras.filter((what) => text.includes(what))]).toEqual([200, []])
  })

  test('has the type of its bytes, whatever its name says', async () => {
    const owner = await platform.owner()
    expect(siteOf(await upload(owner, owner, jpeg, 'image/png')).logo?.type).toBe('image/jpeg')
  })

  test.each([
    ['a program in SVG', Buffer.from('<svg onload="alert(1)"/>'), 'The file is neither PNG, JPEG nor WebP.'],
    ['a file that ends too early', png.subarray(0, -5), 'The file is damaged or incomplete.'],
  ])('is refused when it is %s', async (_, bytes, message) => {
    expectRefusal(await upload(mia, mia, bytes), 400, 'invalid_image', message)
    expect(await read(mia)).toMatchObject({ version: 0, logo: null })
  })

  test('is refused as SVG, empty, and beyond 512 KiB', async () => {
    expectRefusal(await upload(mia, mia, png, 'image/svg+xml'), 415, 'unsupported_media_type')
    expectRefusal(await upload(mia, mia, Buffer.alloc(0)), 400, 'missing_body')
    expectRefusal(await upload(mia, mia, Buffer.alloc(524_289)), 413, 'body_too_large', 'Body exceeds 524288 bytes.')
  })

  test('that is uploaded again unchanged changes nothing', async () => {
    const owner = await platform.owner()
    const first = await upload(owner, owner, png)
    expect((await upload(owner, owner, png)).text).toBe(first.text)
    expect((await on.auditEvents(owner)).filter((event) => event.includes('logo_changed'))).toHaveLength(1)
  })

  test('that was replaced or removed is deleted, and the settings stay', async () => {
    const owner = await platform.owner()
    await on.change(owner, 'Stays')
    await upload(owner, owner, png)
    await upload(owner, owner, webpLossy, 'image/webp')
    expect(await digestsOf(owner)).toEqual([sha256(webpLossy)])
    const removed = await owner.send('DELETE', on.sitePath(owner, '/logo'))
    expect(removed.status).toBe(200)
    expect(siteOf(removed)).toMatchObject({ version: 4, title: 'Stays', logo: null })
    expect(await digestsOf(owner)).toEqual([])
    expect(await on.auditEvents(owner)).toContain(`${owner.id} logo_removed site`)
    expectRefusal(await owner.send('DELETE', on.sitePath(owner, '/logo')), 404, 'not_found', 'The draft has no logo.')
  })

  test('of many concurrent uploads is one of them, and none of the others is stored', async () => {
    const owner = await platform.owner()
    const pictures = [png, jpeg, webpLossy, webpLossless]
    const answers = await Promise.all([...pictures, ...pictures].map((bytes) => upload(owner, owner, bytes)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { logo } = await read(owner)
    expect(await digestsOf(owner)).toEqual([logo?.digest])
  })
})

describe('access to the draft', () => {
  const requests: [string, (by: Pick<PlatformOwner, 'send'>, to: PlatformOwner) => Promise<Received>, boolean][] = [
    ['getSite', (by, to) => by.send('GET', on.sitePath(to)), false],
    [
      'putSite',
      async (by, to) => by.send('PUT', on.sitePath(to), draft((await read(owner)).version, 'Mine now')),
      true,
    ],
    ['putLogo', (by, to) => upload(by, to, png), true],
    [
      'deleteLogo',
      async (by, to) => {
        await upload(owner, owner, png)
        return by.send('DELETE', on.sitePath(to, '/logo'))
      },
      true,
    ],
  ]
  let owner: PlatformOwner
  let viewer: PersonClient
  let admin: PersonClient

  beforeAll(async () => {
    owner = await platform.owner()
    viewer = await on.joins(owner, 'viewer')
    admin = await on.joins(owner, 'admin')
  })

  test.each(requests)('%s is answered to strangers as if there were no project', async (_, request) => {
    const foreign = await request(mia, owner)
    expectRefusal(foreign, 404, 'not_found', 'No project with this slug.')
    const missing = await request(mia, { ...owner, slug: 'never-was' })
    expect([missing.status, missing.text]).toEqual([foreign.status, foreign.text])
    expectRefusal(await request(platform.anyone, owner), 401, 'not_signed_in')
  })

  test.each(requests)('%s is for the documented roles', async (_, request, isChange) => {
    const answer = await request(viewer, owner)
    if (isChange) expectRefusal(answer, 403, 'insufficient_role')
    else expect(answer.status).toBe(200)
    expect((await request(admin, owner)).status).toBe(200)
  })
})

const blobOf = ({ project }: PlatformOwner, digest: string) =>
  on.inProject(project, (db) => databaseBlobs.get(db, project, digest))

const digestsOf = ({ project }: PlatformOwner): Promise<string[]> =>
  asProject(platform.test.database, project, async (client) => {
    const { rows } = await client.query<{ digest: string }>('select digest from blobs where project_id = $1', [project])
    return rows.map(({ digest }) => digest)
  })
