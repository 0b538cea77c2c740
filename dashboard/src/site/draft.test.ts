import { describe, expect, test } from 'vitest'
import { conflicting, draftOf, edited, isChanged, keepMine, received, saved, takeTheirs } from './draft.ts'
import { fieldsOf, settingsOf, type Fields, type Site } from './fields.ts'
import { first } from './site.fake.ts'

const later = (version: number, change: Partial<Fields>): Site => ({
  ...first,
  ...settingsOf({ ...fieldsOf(first), ...change }),
  version,
})

describe('a draft', () => {
  test('is unchanged until something in it differs, and again when that is taken back', () => {
    const draft = draftOf(first)
    expect(isChanged(draft)).toBe(false)
    expect(isChanged(edited(draft, { title: 'Paws' }))).toBe(true)
    expect(isChanged(edited(edited(draft, { title: 'Paws' }), { title: 'Happy Paws' }))).toBe(false)
  })

  test('that is saved keeps what was typed in the meantime', () => {
    const typed = edited(draftOf(first), { title: 'Paws and Claws' })
    const after = saved(typed, later(2, { title: 'Paws' }))
    expect(after).toMatchObject({ base: { version: 2 }, mine: { title: 'Paws and Claws' } })
    expect(isChanged(after)).toBe(true)
  })

  test('hides the same categories in whatever order they are named', () => {
    const draft = draftOf(later(1, { hiddenCategories: [1n, 2n] }))
    expect(isChanged(edited(draft, { hiddenCategories: [2n, 1n] }))).toBe(false)
    expect(isChanged(edited(draft, { hiddenCategories: [2n] }))).toBe(true)
  })
})

describe('a change by another member', () => {
  test('is taken over where this person changed nothing', () => {
    const draft = received(draftOf(first), later(2, { tagline: 'Woof', email: 'a@b.example' }))
    expect(draft).toMatchObject({ mine: { tagline: 'Woof', email: 'a@b.example' }, theirs: null })
    expect(draft.taken).toEqual(['tagline', 'email'])
    expect(isChanged(draft)).toBe(false)
  })

  test('is merged with what this person changed elsewhere', () => {
    const draft = received(edited(draftOf(first), { title: 'Mine' }), later(2, { tagline: 'Theirs' }))
    expect(draft).toMatchObject({ base: { version: 2 }, mine: { title: 'Mine', tagline: 'Theirs' }, theirs: null })
    expect(isChanged(draft)).toBe(true)
  })

  test('to the same value is not a conflict', () => {
    const draft = received(edited(draftOf(first), { title: 'Same' }), later(2, { title: 'Same' }))
    expect(draft.theirs).toBeNull()
    expect(isChanged(draft)).toBe(false)
  })

  test('is known already if it is not newer', () => {
    const draft = edited(draftOf(later(3, {})), { title: 'Mine' })
    expect(received(draft, later(3, { title: 'Old' }))).toBe(draft)
    expect(received(draft, later(2, { title: 'Older' }))).toBe(draft)
  })
})

describe('where two people changed the same field', () => {
  const mine = edited(draftOf(first), { title: 'Mine', about: 'My text' })
  const open = received(mine, later(2, { title: 'Theirs', tagline: 'Woof' }))

  test('no input is changed until the person decides', () => {
    expect(open.mine).toEqual(mine.mine)
    expect(open.base.version).toBe(1)
    expect(conflicting(open)).toEqual(['title'])
  })

  test('keeping mine keeps it, on top of the newer version', () => {
    const draft = keepMine(open)
    expect(draft).toMatchObject({ base: { version: 2 }, theirs: null })
    expect(draft.mine).toMatchObject({ title: 'Mine', about: 'My text', tagline: 'Woof' })
  })

  test('taking theirs takes what both changed, and leaves the rest of mine', () => {
    const draft = takeTheirs(open)
    expect(draft).toMatchObject({ base: { version: 2 }, theirs: null })
    expect(draft.mine).toMatchObject({ title: 'Theirs', about: 'My text', tagline: 'Woof' })
  })

  test('the newest of theirs is what is decided about', () => {
    const newer = received(open, later(3, { title: 'Theirs again', about: 'Their text' }))
    expect(conflicting(newer)).toEqual(['title', 'about'])
    expect(takeTheirs(newer).mine).toMatchObject({ title: 'Theirs again', about: 'Their text', tagline: '' })
    expect(received(open, later(3, { tagline: 'They took it back' }))).toMatchObject({
      theirs: null,
      mine: { title: 'Mine', tagline: 'They took it back' },
    })
  })
})
