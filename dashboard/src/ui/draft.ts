// A draft that several members may change at once. Input is never discarded without a
// question: changes by others are taken over, changes by this person stay, and where both
// changed the same field the person decides. Pure.

export type Versioned = { version: number }

/** What a draft is made of: its stored form, and the flat fields that a form edits. */
export type FieldKind<Stored extends Versioned, Fields extends object> = {
  /** In the order in which the form shows them. */
  names: readonly NameIn<Fields>[]
  fieldsOf: (stored: Stored) => Fields
  isSame: (one: Fields, other: Fields, name: NameIn<Fields>) => boolean
}
export type NameIn<Fields> = keyof Fields & string

export type Draft<Stored extends Versioned, Fields extends object> = {
  /** The latest from the server; its version is sent with a change. */
  base: Stored
  /** What is in the form. */
  mine: Fields
  /** A newer one that changed the same fields, until the person has decided. */
  theirs: Stored | null
  /** What others changed and is in the form now. */
  taken: readonly NameIn<Fields>[]
}

export function draftsOf<Stored extends Versioned, Fields extends object>(kind: FieldKind<Stored, Fields>) {
  type Name = NameIn<Fields>
  type Of = Draft<Stored, Fields>
  const { names, fieldsOf, isSame } = kind

  const differing = (one: Fields, other: Fields): Name[] => names.filter((name) => !isSame(one, other, name))

  /** Where both changed the same field, and not to the same. */
  function conflicting({ base, mine, theirs }: Of): Name[] {
    if (!theirs) return []
    const [was, is] = [fieldsOf(base), fieldsOf(theirs)]
    return differing(was, is).filter((name) => !isSame(mine, was, name) && !isSame(mine, is, name))
  }

  function joined({ base, mine, taken }: Of, theirs: Stored, given: readonly Name[]): Of {
    const [was, is] = [fieldsOf(base), fieldsOf(theirs)]
    const untouched = differing(was, is).filter((name) => isSame(mine, was, name))
    return {
      base: theirs,
      mine: taking(mine, [...untouched, ...given], is),
      theirs: null,
      taken: [...new Set([...taken, ...untouched])],
    }
  }

  return {
    draftOf: (base: Stored): Of => ({ base, mine: fieldsOf(base), theirs: null, taken: [] }),
    isChanged: ({ base, mine }: Of): boolean => differing(fieldsOf(base), mine).length > 0,
    edited: (draft: Of, change: Partial<Fields>): Of => ({ ...draft, mine: { ...draft.mine, ...change } }),
    /** With these fields as the server has them. */
    holdingBack: (draft: Of, held: readonly Name[]): Of => ({
      ...draft,
      mine: taking(draft.mine, held, fieldsOf(draft.base)),
    }),
    /** This person's change has been saved; what was typed since then is still to be saved. */
    saved: (draft: Of, base: Stored): Of => ({ ...draft, base, theirs: null }),
    /** The server has something newer. */
    received: (draft: Of, stored: Stored): Of => {
      if (stored.version <= (draft.theirs ?? draft.base).version) return draft
      const isOpen = conflicting({ ...draft, theirs: stored }).length > 0
      return isOpen ? { ...draft, theirs: stored } : joined(draft, stored, [])
    },
    conflicting,
    keepMine: (draft: Of): Of => (draft.theirs ? joined(draft, draft.theirs, []) : draft),
    takeTheirs: (draft: Of): Of => (draft.theirs ? joined(draft, draft.theirs, conflicting(draft)) : draft),
  }
}

/** `fields`, with the named ones taken from somewhere else. */
const taking = <Fields extends object>(fields: Fields, names: readonly NameIn<Fields>[], from: Fields): Fields => ({
  ...fields,
  ...Object.fromEntries(names.map((name) => [name, from[name]])),
})
