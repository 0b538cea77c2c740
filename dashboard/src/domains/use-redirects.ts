// Primary domain and redirects as they are stored, and as they are edited. Edits are
// separate from loaded data, so that no refetch overwrites them; a concurrent save is
// detected by the versions alone.

import type { DomainSettings, DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlatformError } from '@petstore-platform/contract/platform/client'
import { client, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { mergePlans, type Merge } from './redirect-merge.ts'
import { changeOf, planOf, rowsNamed, samePlan, type Plan } from './redirect-plan.ts'

export type StoredRedirects = { settings: DomainSettings; domains: readonly DomainSummary[] }

const PAGE = 100

async function readAll(project: string): Promise<StoredRedirects> {
  const [settings, domains] = await Promise.all([client.call('getDomainSettings', { project }), allDomains(project)])
  return { settings, domains }
}

async function allDomains(project: string): Promise<DomainSummary[]> {
  const domains: DomainSummary[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await client.page('listDomains', { project, limit: PAGE, cursor })
    domains.push(...items)
    cursor = next
  } while (cursor !== undefined)
  return domains
}

const keyOf = (project: string) => ['getDomainSettings', 'with domains', { project }] as const

export const useStored = (project: string) =>
  useQuery({ queryKey: keyOf(project), queryFn: () => readAll(project), refetchInterval: 15_000 })

type Draft = { base: Plan; version: number; plan: Plan }
/** `rows` are those that it names; empty if it is about all of them. */
type Refused = { message: string; rows: readonly string[] }

export type Editing = {
  plan: Plan
  isChanged: boolean
  refused: Refused | null
  conflict: Merge | null
  isSaving: boolean
  change: (plan: Plan) => void
  save: () => void
  discard: () => void
  /** What was changed here, on top of what others saved. */
  keepMine: () => void
}

export function useEditing(project: string, { settings, domains }: StoredRedirects): Editing {
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const stored = planOf(
    settings,
    domains.map(({ hostname }) => hostname),
  )
  const saving = useAction('setRedirects', {
    done: texts.redirects.editor.saved,
    renews: ['getDomain', 'listDomains', 'getOverview', 'listDomainEvents', 'getProject', 'listProjects'],
    onDone: (received) => {
      cache.setQueryData<StoredRedirects>(keyOf(project), (old) => old && { ...old, settings: received })
      setDraft(null)
    },
    onRefused: (error) => showRefusal(error),
  })
  const showRefusal = (error: PlatformError): boolean => {
    const { code, message } = error
    if (code === 'stale_version') void cache.invalidateQueries({ queryKey: keyOf(project) })
    else setRefused({ message, rows: rowsNamed(draft?.plan ?? stored, { code, message }) })
    return true
  }
  const send = (plan: Plan, version: number) => {
    setRefused(null)
    saving.mutate({ project, body: changeOf(plan, version) })
  }
  const isBehind = draft !== null && draft.version !== settings.version
  const conflict = isBehind ? mergePlans(draft.base, draft.plan, stored) : null
  return {
    plan: draft?.plan ?? stored,
    isChanged: draft !== null,
    refused,
    conflict,
    isSaving: saving.isPending,
    change(plan) {
      setRefused(null)
      const { base, version } = draft ?? { base: stored, version: settings.version }
      setDraft(samePlan(plan, base) ? null : { base, version, plan })
    },
    save: () => draft && send(draft.plan, draft.version),
    discard() {
      setRefused(null)
      setDraft(null)
    },
    keepMine() {
      if (!conflict) return
      setDraft({ base: stored, version: settings.version, plan: conflict.merged })
      send(conflict.merged, settings.version)
    },
  }
}
