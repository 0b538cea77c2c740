// An edit conflict: another member saved while this one was editing. Shows who saved,
// their choices next to the unsaved ones, and the two ways to continue.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { timeWords } from '../ui/time.tsx'
import type { By, Difference, Merge } from './redirect-merge.ts'
import type { Lead } from './redirect-plan.ts'

const { conflict: words } = texts.redirects

type ConflictProps = {
  merge: Merge
  nameOf: (hostname: string) => string
  isSaving: boolean
  onKeep: () => void
  onTake: () => void
}

export function RedirectConflict({ merge: { differences }, nameOf, isSaving, onKeep, onTake }: ConflictProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // It replaces the expected result, so the focus is moved here.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="card stack conflict" role="alert">
      <h2 ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <Who />
      {differences.length === 0 ? <p>{words.same}</p> : <Differences differences={differences} nameOf={nameOf} />}
      <p className="quiet small">{words.explain}</p>
      <div className="row">
        <Button onClick={onKeep} loading={isSaving}>
          {words.keep}
        </Button>
        <Button variant="default" onClick={onTake}>
          {words.take}
        </Button>
      </div>
    </section>
  )
}

const actions = ['redirects_set', 'primary_domain_chosen', 'domain_removed']

/** The last member who changed these settings, if the audit trail has it. */
function Who() {
  const { slug } = useProject()
  const audit = useQuery(query('listAudit', { project: slug, limit: 20 }))
  const last = audit.data?.find(({ action }) => actions.includes(action))
  if (!last) return <p>{words.whoUnknown}</p>
  return <p>{words.who(last.actor.name ?? words.unknownMember, timeWords(last.at))}</p>
}

type DifferencesProps = Pick<ConflictProps, 'nameOf'> & { differences: readonly Difference[] }

const Differences = ({ differences, nameOf }: DifferencesProps) => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">{words.domain}</th>
        <th scope="col">{words.yours}</th>
        <th scope="col">{words.theirs}</th>
      </tr>
    </thead>
    <tbody>
      {differences.map((difference) => {
        const { name, mine, theirs } = wordsOf(difference, nameOf)
        return (
          <tr key={name}>
            <th scope="row" className="setting">
              {name} <ByBadge by={difference.by} />
            </th>
            <td data-label={words.yours}>{mine}</td>
            <td data-label={words.theirs}>{theirs}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)

const byLabels: Readonly<Record<By, string>> = words.by
const ByBadge = ({ by }: { by: By }) => <Badge tone={by === 'both' ? 'warn' : 'plain'}>{byLabels[by]}</Badge>

function wordsOf(difference: Difference, nameOf: ConflictProps['nameOf']) {
  if (difference.what === 'primary') {
    const { mine, theirs } = difference
    return { name: words.primary, mine: primaryWords(mine, nameOf), theirs: primaryWords(theirs, nameOf) }
  }
  const { hostname, mine, theirs } = difference
  return { name: nameOf(hostname), mine: leadWords(mine, nameOf), theirs: leadWords(theirs, nameOf) }
}

const primaryWords = (hostname: string | null, nameOf: ConflictProps['nameOf']) =>
  hostname === null ? words.none : nameOf(hostname)
const leadWords = (lead: Lead, nameOf: ConflictProps['nameOf']) =>
  lead === null ? words.site : words.sends(nameOf(lead.to), lead.status)
