// Categories by their numbers, and what people read where a number has no name.

import type { Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'

export type Category = Received<'listCategories'>[number]
export type Categories = {
  list: readonly Category[]
  nameOf: (id: bigint) => string
  /** False until it is known which there are, or that they cannot be loaded. */
  isKnown: boolean
}

const none: readonly Category[] = []

export function useCategories(project: string): Categories {
  const { data = none, isPending } = useQuery(query('listCategories', { project }))
  return useMemo(() => {
    const names = new Map(data.map(({ id, name }) => [id, name]))
    return {
      list: data,
      nameOf: (id) => names.get(id) ?? texts.animals.unnamedCategory(String(id)),
      isKnown: !isPending,
    }
  }, [data, isPending])
}

/** Those with a name, and the one that is chosen even if it has none. */
export function categoryOptions({ list, nameOf }: Categories, chosen: bigint | undefined) {
  const options = list.map(({ id, name }) => ({ value: String(id), label: name }))
  const isMissing = chosen !== undefined && list.every(({ id }) => id !== chosen)
  return isMissing ? [...options, { value: String(chosen), label: nameOf(chosen) }] : options
}
