// Deletes the account: states what is lost, and names the projects that would be left without an owner.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { query, queryClient, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { SoleGroup, type GroupView } from './account-part.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/states.tsx'

const words = texts.account.deletion

export function DeleteAccountSection({ of }: { of: GroupView }) {
  const deletion = useQuery(query('getAccountDeletion'))
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const remove = useAction('deleteAccount', {
    done: words.done,
    onDone: () => void navigate({ to: '/sign-in' }).then(() => queryClient.clear()),
  })
  return (
    <SoleGroup of={of} lead={words.lead}>
      <Loaded from={deletion}>
        {({ blockedBy }) =>
          blockedBy.length === 0 ? (
            <div>
              <Button
                data-tone="danger"
                variant="default"
                leftSection={<Icon of={Trash2} size={16} />}
                onClick={() => setOpen(true)}
              >
                {words.action}
              </Button>
            </div>
          ) : (
            <div className="note warn stack">
              <p className="account-text">{words.blocked}</p>
              <ul className="losses">
                {blockedBy.map(({ slug, name }) => (
                  <li key={slug}>
                    <Link to="/projects/$project/settings/members" params={{ project: slug }}>
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </Loaded>
      <Confirm
        title={words.ask}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action={words.confirm}
        onConfirm={() => remove.mutate({})}
        isBusy={remove.isPending}
      >
        <p className="plain">{words.lost}</p>
        <ul className="losses">
          {words.losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </Confirm>
    </SoleGroup>
  )
}
