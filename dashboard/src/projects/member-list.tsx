// The members of the project. The server ensures that a project keeps an owner; its
// refusal is explained next to the list.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { ListHead } from '../ui/list-head.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { MemberRow } from './member-row.tsx'

const { members: words } = texts.projects

export function People() {
  const { slug, limits, isOwner } = useProject()
  const members = useQuery(query('listMembers', { project: slug }))
  const account = useQuery(query('getAccount'))
  const [isLastOwner, setIsLastOwner] = useState(false)
  return (
    <Section title={words.people}>
      <Loaded from={members}>
        {(found) => (
          <>
            <div>
              <p className="quiet small plain">
                {words.count(found.length, limits.members)}. {!isOwner && words.onlyOwners}
              </p>
              <div role="alert">
                {isLastOwner && (
                  <div className="note warn last-owner">
                    <strong>{words.lastOwner}.</strong> {words.lastOwnerText}
                  </div>
                )}
              </div>
            </div>
            <table className="list people-list">
              <ListHead columns={[words.name, words.role, words.since]} actions={words.actions} />
              <tbody>
                {found.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    isOneself={member.id === account.data?.id}
                    onLastOwner={setIsLastOwner}
                  />
                ))}
              </tbody>
            </table>
          </>
        )}
      </Loaded>
    </Section>
  )
}
