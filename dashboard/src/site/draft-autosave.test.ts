import { NoAnswer, PlatformError } from '@petstore-platform/contract/platform/client'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fieldsOf, settingsOf, type Fields, type Site } from './fields.ts'
import { first } from './site.fake.ts'
import { createDraftAutosave } from './draft-autosave.ts'

const PAUSE_MS = 600

const refusal = (code: RefusalCode, status: number, message: string) =>
  new PlatformError({ code, status, message }, new Headers())

/** A draft as the server keeps it: versions are compared, and titles must not be empty. */
function serverWith(kept: Site) {
  const server = {
    site: kept,
    isAway: false,
    asked: 0,
    /** Another member. */
    change(change: Partial<Fields>) {
      const settings = settingsOf({ ...fieldsOf(server.site), ...change })
      server.site = { ...server.site, ...settings, version: server.site.version + 1 }
    },
    async put({
      version,
      ...settings
    }: Parameters<Parameters<typeof createDraftAutosave>[1]['put']>[0]): Promise<Site> {
      server.asked += 1
      if (server.isAway) throw new NoAnswer('away')
      if (version !== server.site.version) throw refusal('stale_version', 409, 'Read it again.')
      if (settings.title === '') throw refusal('invalid_field', 400, "'title' must have 1 to 100 characters.")
      if (settings.contact.email === 'wrong') throw refusal('invalid_field', 400, "'email' must be an address.")
      if (settings.contact.phone === 'wrong') throw refusal('invalid_field', 400, "'contact' must be a number.")
      if (settings.title === 'limit') throw refusal('rate_limited', 429, 'Too many requests.')
      server.site = { ...server.site, ...settings, version: version + 1 }
      return server.site
    },
  }
  const autosave = createDraftAutosave(kept, {
    put: (change) => server.put(change),
    get: async () => server.site,
    now: () => new Date(0),
    pauseMs: PAUSE_MS,
  })
  return { server, autosave }
}

const pause = () => vi.advanceTimersByTimeAsync(PAUSE_MS)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('what is typed', () => {
  test('is saved once, after a pause', async () => {
    const { server, autosave } = serverWith(first)
    for (const title of ['H', 'He', 'Hello']) {
      autosave.edit({ title })
      await vi.advanceTimersByTimeAsync(PAUSE_MS - 1)
    }
    expect(server.asked).toBe(0)
    expect(autosave.now().saving).toBe('waiting')
    await pause()
    expect(server).toMatchObject({ asked: 1, site: { version: 2, title: 'Hello' } })
    expect(autosave.now()).toMatchObject({ saving: 'still', savedAt: '1970-01-01T00:00:00.000Z' })
  })

  test('while it is saved is saved afterwards', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ title: 'One' })
    const isDone = autosave.save()
    autosave.edit({ title: 'Two' })
    await isDone
    await pause()
    expect(server).toMatchObject({ asked: 2, site: { version: 3, title: 'Two' } })
  })

  test('is saved at once when the person leaves the page, and so is a save in flight', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ title: 'One' })
    void autosave.save()
    autosave.edit({ tagline: 'Two' })
    expect(await autosave.save()).toBe(true)
    // One after the other, so that no change of this person meets another one of theirs.
    expect(server).toMatchObject({ asked: 2, site: { title: 'One', tagline: 'Two' } })
  })

  test('and taken back again needs no request', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ title: 'Other' })
    autosave.edit({ title: first.title })
    await pause()
    expect(server.asked).toBe(0)
    expect(autosave.now().saving).toBe('still')
  })
})

describe('what the server refuses', () => {
  test('is shown at the field that it names, until that is valid', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ title: '' })
    expect(await autosave.save()).toBe(false)
    expect(autosave.now()).toMatchObject({ saving: 'refused', faults: { title: 'must have 1 to 100 characters.' } })
    autosave.edit({ title: 'Right' })
    await pause()
    expect(autosave.now()).toMatchObject({ saving: 'still', faults: {} })
    expect(server.site.title).toBe('Right')
  })

  test('is held back as it was typed, and everything else is saved', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ title: '', tagline: 'Right', email: 'wrong' })
    expect(await autosave.save()).toBe(false)
    expect(server.site).toMatchObject({ title: first.title, tagline: 'Right', contact: { email: first.contact.email } })
    const faults = { title: 'must have 1 to 100 characters.', email: 'must be an address.' }
    expect(autosave.now()).toMatchObject({ saving: 'refused', faults, draft: { mine: { title: '', email: 'wrong' } } })
    // It waits for the person.
    const { asked } = server
    await pause()
    expect(server.asked).toBe(asked)
    autosave.edit({ about: 'Also right' })
    await pause()
    expect(server.site).toMatchObject({ about: 'Also right', title: first.title })
    expect(autosave.now()).toMatchObject({ saving: 'refused', faults })
    autosave.edit({ title: 'Named', email: 'a@b.example' })
    await pause()
    expect(server.site).toMatchObject({ title: 'Named', contact: { email: 'a@b.example' } })
    expect(autosave.now()).toMatchObject({ saving: 'still', faults: {} })
  })

  test('with several fields together holds all of these back', async () => {
    const { server, autosave } = serverWith(first)
    autosave.edit({ tagline: 'Right', phone: 'wrong', address: 'Next door' })
    expect(await autosave.save()).toBe(false)
    expect(server.site).toMatchObject({ tagline: 'Right', contact: first.contact })
    expect(autosave.now()).toMatchObject({ saving: 'refused', faults: { contact: 'must be a number.' } })
  })

  test('without a field is shown in its own words', async () => {
    const { autosave } = serverWith(first)
    autosave.edit({ title: 'limit' })
    await pause()
    expect(autosave.now()).toMatchObject({ saving: 'refused', faults: {}, refusal: 'Too many requests.' })
  })
})

test('a change that did not arrive is sent as soon as the server is reachable', async () => {
  const { server, autosave } = serverWith(first)
  server.isAway = true
  autosave.edit({ title: 'In the dark' })
  await pause()
  expect(autosave.now().saving).toBe('unsent')
  server.isAway = false
  autosave.receive(first)
  await pause()
  expect(server.site.title).toBe('In the dark')
})

describe('a concurrent change by another member', () => {
  test('in another field is merged with the input, which is sent once more', async () => {
    const { server, autosave } = serverWith(first)
    server.change({ tagline: 'Theirs' })
    autosave.edit({ title: 'Mine' })
    expect(await autosave.save()).toBe(true)
    expect(server.site).toMatchObject({ version: 3, title: 'Mine', tagline: 'Theirs' })
    expect(autosave.now().draft.taken).toEqual(['tagline'])
    autosave.read()
    expect(autosave.now().draft.taken).toEqual([])
  })

  test('in the same field waits for a decision, however much is typed', async () => {
    const { server, autosave } = serverWith(first)
    server.change({ title: 'Theirs' })
    autosave.edit({ title: 'Mine' })
    expect(await autosave.save()).toBe(false)
    autosave.edit({ title: 'Mine, really' })
    await pause()
    expect(await autosave.save()).toBe(false)
    expect(server).toMatchObject({ asked: 1, site: { title: 'Theirs' } })
    autosave.keepMine()
    await pause()
    expect(server.site).toMatchObject({ version: 3, title: 'Mine, really' })
  })

  test('is taken without another request if that is the decision', async () => {
    const { server, autosave } = serverWith(first)
    server.change({ title: 'Theirs' })
    autosave.edit({ title: 'Mine' })
    await autosave.save()
    autosave.takeTheirs()
    await pause()
    expect(server.asked).toBe(1)
    expect(autosave.now()).toMatchObject({ saving: 'still', draft: { mine: { title: 'Theirs' } } })
  })
})
