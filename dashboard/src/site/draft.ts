// A draft that several members may change at once. Input is never discarded without a
// question: changes by others are taken over, changes by this person stay, and where both
// changed the same field the person decides.

import { differing, fieldsOf, isSame, taking, type FieldName, type Fields, type Site } from './fields.ts'

export type Draft = {
  /** The latest from the server; its version is sent with a change. */
  base: Site
  /** What is in the form. */
  mine: Fields
  /** A newer one that changed the same fields, until the person has decided. */
  theirs: Site | null
  /** What others changed and is in the form now. */
  taken: readonly FieldName[]
}

export const draftOf = (base: Site): Draft => ({ base, mine: fieldsOf(base), theirs: null, taken: [] })

export const isChanged = ({ base, mine }: Draft): boolean => differing(fieldsOf(base), mine).length > 0

export const edited = (draft: Draft, change: Partial<Fields>): Draft => ({
  ...draft,
  mine: { ...draft.mine, ...change },
})

/** This person's change has been saved; what was typed since then is still to be saved. */
export const saved = (draft: Draft, base: Site): Draft => ({ ...draft, base, theirs: null })

/** The server has something newer. */
export function received(draft: Draft, site: Site): Draft {
  if (site.version <= (draft.theirs ?? draft.base).version) return draft
  const isOpen = clashing({ ...draft, theirs: site }).length > 0
  return isOpen ? { ...draft, theirs: site } : joined(draft, site, [])
}

/** Where both changed the same field, and not to the same. */
export function clashing({ base, mine, theirs }: Draft): FieldName[] {
  if (!theirs) return []
  const [was, is] = [fieldsOf(base), fieldsOf(theirs)]
  return differing(was, is).filter((name) => !isSame(mine, was, name) && !isSame(mine, is, name))
}

export const keepMine = (draft: Draft): Draft => (draft.theirs ? joined(draft, draft.theirs, []) : draft)
export const takeTheirs = (draft: Draft): Draft => (draft.theirs ? joined(draft, draft.theirs, clashing(draft)) : draft)

function joined({ base, mine, taken }: Draft, theirs: Site, given: readonly FieldName[]): Draft {
  const [was, is] = [fieldsOf(base), fieldsOf(theirs)]
  const untouched = differing(was, is).filter((name) => isSame(mine, was, name))
  return {
    base: theirs,
    mine: taking(mine, [...untouched, ...given], is),
    theirs: null,
    taken: [...new Set([...taken, ...untouched])],
  }
}
