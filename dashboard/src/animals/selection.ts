// The selected animals. Stored outside React and mutated in place, since a set of a
// hundred thousand should not be copied for every click.

import type { Animal } from './rows.ts'

export type Selection = {
  /** Another number after every change. */
  version: () => number
  subscribe: (listener: () => void) => () => void
  has: (id: bigint) => boolean
  size: () => number
  ids: () => bigint[]
  toggle: (id: bigint) => void
  add: (animals: readonly Animal[]) => void
  remove: (ids: Iterable<bigint>) => void
  clear: () => void
}

export function createSelection(): Selection {
  const selected = new Set<bigint>()
  const listeners = new Set<() => void>()
  let version = 0
  const changed = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  return {
    version: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    has: (id) => selected.has(id),
    size: () => selected.size,
    ids: () => [...selected],
    toggle(id) {
      if (!selected.delete(id)) selected.add(id)
      changed()
    },
    add(animals) {
      for (const { id } of animals) selected.add(id)
      changed()
    },
    remove(ids) {
      for (const id of ids) selected.delete(id)
      changed()
    },
    clear() {
      selected.clear()
      changed()
    },
  }
}
