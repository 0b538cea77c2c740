// The autosave of an animal, for its page: its name and category, and its profile.

import { useLocalStorage } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { createAutosave, type AutosaveKind } from '../ui/autosave.ts'
import type * as ui from '../ui/autosave.ts'
import { namedField } from '../ui/named-field.ts'
import { useAutosave } from '../ui/use-autosave.ts'
import { currencyOf } from './money.ts'
import {
  changeOf,
  fieldNames,
  fieldsOf,
  isSame,
  storedOf,
  unreadableIn,
  type AnimalDetails,
  type FieldName,
  type Fields,
  type Stored,
} from './profile-fields.ts'

export type ProfileState = ui.AutosaveState<Stored, Fields, FieldName>
export type ProfileAutosave = ui.Autosave<Stored, Fields, FieldName>

const words = texts.profiles

export function profileKind(currency: string, today: Date): AutosaveKind<Stored, Fields, FieldName> {
  return {
    names: fieldNames,
    fieldsOf: (stored) => fieldsOf(stored, currency),
    isSame: (one, other, name) => isSame(one, other, name, today),
    unreadable: (fields) =>
      Object.fromEntries(unreadableIn(fields, today).map((name) => [name, words.unreadable[name]])),
    faultsOf,
    heldBack: (name) => (name === 'born' ? ['born', 'isBornEstimated'] : [name]),
  }
}

/** A refusal begins with the field, or names it where it is one among several. */
function faultsOf(message: string): ui.FieldFaults<FieldName> {
  const named = namedField(message)
  const first = fieldNames.find((name) => name === named?.field)
  if (named && first) return { [first]: words.fault(named.rest) }
  const other = fieldNames.find((name) => message.includes(`'${name}'`))
  return other ? { [other]: message.replace(`'${other}'`, words.quoted[other] ?? other) } : {}
}

export function useProfile(project: string, animal: AnimalDetails, updatedAt: number) {
  const cache = useQueryClient()
  const asked = query('getAnimal', { project, petId: animal.id })
  // Shown next to the fields.
  const change = useAction('changeAnimal', { onRefused: () => true })
  const put = useAction('putProfile', { onRefused: () => true })
  const [currency, setCurrency] = useLocalStorage({
    key: 'petstore-currency',
    defaultValue: currencyOf(navigator.language),
    getInitialValueInEffect: false,
  })
  const stored = useMemo(() => storedOf(animal), [animal])

  const create = (): ProfileAutosave => {
    const today = new Date()
    const kind = profileKind(currency, today)
    return createAutosave(kind, stored, {
      async put(fields, base) {
        const was = kind.fieldsOf(base)
        const changed = fieldNames.filter((name) => !kind.isSame(was, fields, name))
        const { name, categoryId } = fields
        const isOwn = (field: FieldName) => field === 'name' || field === 'categoryId'
        if (changed.some(isOwn)) await change.mutateAsync({ project, petId: animal.id, body: { name, categoryId } })
        const { name: _, categoryId: __, ...before } = base
        const profile = changed.every(isOwn)
          ? before
          : await put.mutateAsync({ project, petId: animal.id, body: changeOf(fields, base.version, today) })
        cache.setQueryData(asked.queryKey, (known) => known && { ...known, name, categoryId, profile })
        return { ...profile, name, categoryId }
      },
      get: async () => storedOf((await cache.fetchQuery({ ...asked, staleTime: 0 })) as AnimalDetails),
      now: () => new Date(),
    })
  }
  return { ...useAutosave(create, stored, updatedAt), setCurrency }
}
