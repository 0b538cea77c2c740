// One member: the role, which owners change at once, and leaving the project. Giving up
// the owner role needs a confirmation, since it cannot be undone alone; and so does a role
// without API keys, if the member created some.

import { Button, NativeSelect } from '@mantine/core'
import type { KeyChoice } from '@petstore-platform/contract/platform/members'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Avatar } from '../ui/glyph.tsx'
import { Time } from '../ui/time.tsx'
import { KeysChoice, useKeysOf } from './keys-choice.tsx'
import { RemoveMember } from './remove-member.tsx'
import { roleList, roleViews, type Member } from './views.ts'

const { members: words } = texts.projects

type RowProps = { member: Member; isOneself: boolean; onLastOwner: (isLast: boolean) => void }

export function MemberRow({ member, isOneself, onLastOwner }: RowProps) {
  const { isOwner } = useProject()
  const [isRemoving, setIsRemoving] = useState(false)
  const { name, email, role, addedAt } = member
  return (
    <tr>
      <td>
        <div className="person-cell">
          <Avatar name={name} />
          <div className="grow">
            <span className="row tight">
              <strong>{name}</strong> {isOneself && <Badge tone="plain">{words.you}</Badge>}
            </span>
            <span className="quiet small">{email}</span>
          </div>
        </div>
      </td>
      <td data-label={words.role}>
        {isOwner ? (
          <RoleSelect member={member} isOneself={isOneself} onLastOwner={onLastOwner} />
        ) : (
          roleViews[role].label
        )}
      </td>
      <td data-label={words.since} className="small">
        <Time at={addedAt} />
      </td>
      <td>
        {(isOwner || isOneself) && (
          <Button
            size="xs"
            variant="default"
            data-tone="danger"
            onClick={() => setIsRemoving(true)}
            {...(!isOneself && { 'aria-label': words.removeOf(name) })}
          >
            {isOneself ? words.leave : words.remove}
          </Button>
        )}
        <RemoveMember
          member={member}
          isOneself={isOneself}
          isOpen={isRemoving}
          onClose={() => setIsRemoving(false)}
          onLastOwner={onLastOwner}
        />
      </td>
    </tr>
  )
}

function RoleSelect({ member: { id, name, role }, isOneself, onLastOwner }: RowProps) {
  const { slug } = useProject()
  const [asked, setAsked] = useState<Role>()
  const [chosen, choose] = useState<KeyChoice>()
  const created = useKeysOf(id, asked !== undefined)
  const isAskedOfKeys = asked === 'viewer' && created !== undefined && created.length > 0
  const change = useAction('changeMember', {
    renews: ['listMembers', 'listInvitations', 'listKeys', 'getProject', 'listProjects'],
    onRefused: ({ code }) => {
      onLastOwner(code === 'last_owner')
      if (code === 'key_choice_required') setAsked('viewer')
      return code === 'last_owner' || code === 'key_choice_required'
    },
  })
  const set = (wanted: Role, keys?: KeyChoice) => {
    onLastOwner(false)
    setAsked(undefined)
    change.mutate({ project: slug, accountId: id, body: { role: wanted, ...(keys && { keys }) } })
  }
  return (
    <>
      <NativeSelect
        aria-label={words.roleOf(name)}
        value={change.isPending ? change.variables.body.role : role}
        data={roleList.map((value) => ({ value, label: roleViews[value].label }))}
        onChange={({ currentTarget }) => {
          const wanted = currentTarget.value as Role
          if (isOneself) setAsked(wanted)
          else set(wanted)
        }}
      />
      <Confirm
        title={isOneself ? words.lessTitle : words.viewerTitle(name)}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        action={isOneself ? words.lessDo : words.viewerDo}
        onConfirm={() => asked && set(asked, isAskedOfKeys ? chosen : undefined)}
        isReady={created !== undefined && (!isAskedOfKeys || chosen !== undefined)}
      >
        {isOneself && <p className="plain">{asked && words.lessText(roleViews[asked].label)}</p>}
        {isAskedOfKeys && <KeysChoice keys={created} chosen={chosen} onChoose={choose} />}
      </Confirm>
    </>
  )
}
