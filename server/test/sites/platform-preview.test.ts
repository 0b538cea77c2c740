// The preview of a draft, its logo, and the settings that a deployment keeps: what is shown,
// that no text of the owner can do harm, and who may read it.

import { describe, expect, test } from 'vitest'
import { jpeg, png, webpLossy } from '../../../testbed/photos/images.ts'
import { HOSTILE } from '../../../testbed/samples/sites.ts'
import { faultsOfHtml } from '../../src/sites/pages/well-formed.ts'
import { expectRefusal } from '../v1/responses.ts'
import { deploying, draft } from './deployments.ts'
import { PLATFORM, type PlatformOwner, type Visitor } from '../../../testbed/harness/platform.ts'
import { startPeople } from '../platform/people.ts'
import { reserving } from '../orders/reservations.ts'

const people = await startPeople()
const on = reserving(people.test.database, people.test.service.database)
const sites = deploying(people)

const preview = (by: Visitor, of: PlatformOwner, query = '') =>
  by.send('GET', `/projects/${of.slug}/site/preview${query}`)
const putLogo = async (owner: PlatformOwner, bytes: Buffer, type: string) => {
  const answer = await owner.send('PUT', sites.sitePath(owner, '/logo'), bytes, { 'Content-Type': type })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
}

describe('previewSite', () => {
  test('shows the draft and the animals as they are, before any deployment', async () => {
    const owner = await people.owner()
    await sites.change(owner, 'Happy Paws', { tagline: 'Come and see', about: 'Open on **Saturdays**.' })
    await on.addAnimal(owner.project, 'Rex')
    await on.addAnimal(owner.project, 'Gone', 'sold')
    const { status, headers, text } = await preview(owner, owner)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const shown of ['Happy Paws', 'Come and see', '<strong>Saturdays</strong>', 'Rex']) {
      expect(text).toContain(shown)
    }
    expect(text).not.toContain('Gone')
    expect(text).not.toContain('href=')
    // Characters that are valid in a style are not in a page.
    expect(faultsOfHtml(text.replace(/<style>[^]*<\/style>/, ''))).toEqual([])
  })

  test('may be framed by our own pages, executes and loads nothing, and is not cacheable', async () => {
    const owner = await people.owner()
    const { headers, text } = await preview(owner, owner)
    const policy = String(headers['content-security-policy'])
    expect(policy.replace(/'sha256-[\w+/=]+'/, "'sha256'").split('; ')).toEqual([
      "default-src 'none'",
      'img-src data:',
      'font-src data:',
      "style-src 'sha256'",
      "frame-ancestors 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      'sandbox',
    ])
    expect([headers['x-content-type-options'], headers['cache-control']]).toEqual(['nosniff', 'no-store'])
    expect(text).not.toMatch(/<(script|link|iframe)\b/)
  })

  test('shows names that contain markup as text', async () => {
    const owner = await people.owner()
    await sites.change(owner, HOSTILE.slice(0, 90), { tagline: HOSTILE, about: HOSTILE })
    await on.addAnimal(owner.project, `</style></title><script>${HOSTILE}`)
    for (const query of ['', '?page=animal']) {
      const { status, text } = await preview(owner, owner, query)
      expect(status).toBe(200)
      expect(text).not.toMatch(/<script\b|<img src=x/)
      expect([...text.matchAll(/\ssrc="(?!data:)[^"]*"/g)]).toEqual([])
      expect(text).toContain('&lt;/style&gt;&lt;/title&gt;&lt;script&gt;')
      expect(text.split('</style>')).toHaveLength(2)
    }
  })

  test('hides the animals of hidden categories', async () => {
    const owner = await people.owner()
    await on.addAnimal(owner.project, 'Hidden')
    await sites.change(owner, 'Shop', { hiddenCategories: [1] })
    expect((await preview(owner, owner)).text).not.toContain('Hidden')
    expectRefusal(await preview(owner, owner, '?page=animal'), 404, 'not_found')
  })

  test.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webpLossy],
  ])("embeds the draft's logo, as %s", async (type, bytes) => {
    const owner = await people.owner()
    await putLogo(owner, bytes, type)
    const { text } = await preview(owner, owner)
    expect(text).toContain(`<img class="logo" src="data:${type};base64,${bytes.toString('base64')}"`)
  })

  test('shows the page of the newest animal that can be reserved, with its form', async () => {
    const owner = await people.owner()
    await on.addAnimal(owner.project, 'Older')
    await on.addAnimal(owner.project, 'Newest')
    await on.addAnimal(owner.project, 'Sold', 'sold')
    const { text } = await preview(owner, owner, '?page=animal')
    expect(text).toContain('<h1><bdi>Newest</bdi></h1>')
    expect(text).toContain('<form')
  })

  test('refuses unknown pages', async () => {
    const owner = await people.owner()
    expectRefusal(await preview(owner, owner, '?page=about'), 400, 'invalid_parameter')
    expectRefusal(await preview(owner, owner, '?page=animal'), 404, 'not_found', /no animal/)
    const answer = await owner.send('GET', `/projects/${owner.slug}/site/preview`, undefined, { Accept: 'image/png' })
    expectRefusal(answer, 406, 'not_acceptable')
  })

  test('is for viewers and other members only', async () => {
    const owner = await people.owner()
    const { viewer, stranger, nobody } = await people.everybody(owner)
    expect((await preview(viewer, owner)).status).toBe(200)
    expectRefusal(await preview(stranger, owner), 404, 'not_found', 'No project with this slug.')
    expectRefusal(await preview(nobody, owner), 401, 'not_signed_in')
  })
})

describe('getLogo', () => {
  const logoOf = (by: Visitor, of: PlatformOwner, headers = {}) =>
    by.send('GET', `/projects/${of.slug}/site/logo`, undefined, headers)

  test.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webpLossy],
  ])('returns the bytes of a picture that is %s, and lets a browser do nothing else with it', async (type, bytes) => {
    const owner = await people.owner()
    await putLogo(owner, bytes, type)
    const { status, headers } = await logoOf(owner, owner, { Accept: type })
    expect([status, headers['content-type'], headers['content-length']]).toEqual([200, type, String(bytes.length)])
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect([headers['x-content-type-options'], headers['cache-control']]).toEqual(['nosniff', 'no-store'])
    const sent = await fetch(`${people.test.origin}${PLATFORM}/projects/${owner.slug}/site/logo`, {
      headers: { Cookie: owner.cookie },
    })
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(bytes)
  })

  test('answers HEAD with the head alone', async () => {
    const owner = await people.owner()
    await putLogo(owner, png, 'image/png')
    const answer = await owner.send('HEAD', `/projects/${owner.slug}/site/logo`)
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', String(png.length)])
  })

  test('is not found where there is none, nor for people who are not members', async () => {
    const owner = await people.owner()
    expectRefusal(await logoOf(owner, owner), 404, 'not_found', 'The draft has no logo.')
    await putLogo(owner, png, 'image/png')
    const { viewer, stranger, nobody } = await people.everybody(owner)
    expect((await logoOf(viewer, owner)).status).toBe(200)
    expectRefusal(await logoOf(stranger, owner), 404, 'not_found', 'No project with this slug.')
    expectRefusal(await logoOf(nobody, owner), 401, 'not_signed_in')
    expectRefusal(await logoOf(owner, owner, { Accept: 'application/json' }), 406, 'not_acceptable')
  })
})

describe('getDeploymentSettings', () => {
  const settingsOf = (by: Visitor, of: PlatformOwner, id: string) =>
    by.send('GET', sites.deploymentsPath(of, `/${id}/settings`))

  test('returns what the deployment keeps, even after the draft has changed', async () => {
    const owner = await people.owner()
    const category = await owner.send('POST', `/projects/${owner.slug}/categories`, { name: 'Dogs "and" puppies' })
    const categoryId = /"id":(\d+)/.exec(category.text)?.[1] ?? ''
    await putLogo(owner, png, 'image/png')
    const big = 9_223_372_036_854_775_807n
    const kept = { tagline: 'As it was', themeColor: '#aa3377', hiddenCategories: [big] }
    await sites.change(owner, 'First', kept)
    const { logo } = (await owner.send('GET', sites.sitePath(owner))).json as { logo: { digest: string } }
    const { id } = await sites.deploy(owner)
    await sites.change(owner, 'Second')
    await owner.send('DELETE', sites.sitePath(owner, '/logo'))
    await owner.send('PUT', `/projects/${owner.slug}/categories/${categoryId}`, { name: 'Renamed' })

    const answer = await settingsOf(owner, owner, id)
    const { version: _, hiddenCategories: __, ...written } = draft(0, 'First', kept)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      ...written,
      logo: logo.digest,
      categories: [{ id: Number(categoryId), name: 'Dogs "and" puppies' }],
    })
    expect(answer.text).toContain(`"hiddenCategories":[${big}]`)
    const later = await settingsOf(owner, owner, (await sites.deploy(owner)).id)
    expect(later.json).toMatchObject({ title: 'Second', logo: null, categories: [{ name: 'Renamed' }] })
  })

  test('is for viewers, of a deployment of this project', async () => {
    const owner = await people.owner()
    const { id } = await sites.deploy(owner)
    const { viewer, stranger, nobody } = await people.everybody(owner)
    expect((await settingsOf(viewer, owner, id)).status).toBe(200)
    expectRefusal(await settingsOf(stranger, owner, id), 404, 'not_found', 'No project with this slug.')
    expectRefusal(await settingsOf(nobody, owner, id), 401, 'not_signed_in')
    const elsewhere = await people.owner()
    expectRefusal(await settingsOf(elsewhere, elsewhere, id), 404, 'not_found', 'No deployment with this identifier.')
    expectRefusal(await settingsOf(owner, owner, 'dep_nonsense'), 404, 'not_found')
  })
})
