// Recovery codes: how many there are, and new ones, which are shown until the person confirms that they are
// stored. New codes replace the ones before, so there is a question first; the codes are handed to the page when
// it is gone, and with them the keyboard.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Part } from './account-part.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import { FreshCodes } from './fresh-codes.tsx'

const words = texts.account.codes

export function RecoveryCodesSection({ email }: { email: string }) {
  const codes = useQuery(query('getRecoveryCodes'))
  const [fresh, setFresh] = useState<readonly string[]>()
  const [isReplacing, setReplacing] = useState(false)
  const replacement = useRef<readonly string[]>(undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const create = useAction('createRecoveryCodes', {
    renews: ['getRecoveryCodes', 'listAccountEvents'],
    onDone: (made) => {
      if (isReplacing) replacement.current = made.codes
      else setFresh(made.codes)
      setReplacing(false)
    },
  })
  const hasSome = codes.data !== undefined && codes.data.left > 0
  const show = () => {
    if (replacement.current) setFresh(replacement.current)
    replacement.current = undefined
  }
  const close = () => {
    setFresh(undefined)
    opener.current?.focus()
  }
  return (
    <Part
      title={words.title}
      lead={
        <>
          <p className="plain">{words.lead}</p>
          <p className="plain">{words.ends}</p>
        </>
      }
      actions={
        <Button
          ref={opener}
          variant="default"
          onClick={() => (hasSome ? setReplacing(true) : create.mutate({}))}
          loading={create.isPending && !isReplacing}
          disabled={codes.data === undefined}
        >
          {hasSome ? words.replace : words.create}
        </Button>
      }
    >
      {fresh && <FreshCodes codes={fresh} email={email} onClose={close} />}
      <Loaded from={codes}>
        {({ left, createdAt, isMailAtRisk }) =>
          left === 0 || createdAt === null ? (
            <div className="note warn">{isMailAtRisk ? words.atRisk(email) : words.none}</div>
          ) : (
            <p className="account-text row tight whole">
              <Icon of={CircleCheck} className="account-good" />
              {words.left(left, timeWords(createdAt))}
            </p>
          )
        }
      </Loaded>
      <Confirm
        title={words.ask}
        isOpen={isReplacing}
        onClose={() => setReplacing(false)}
        onGone={show}
        action={words.replace}
        isBusy={create.isPending}
        onConfirm={() => create.mutate({})}
      >
        <p className="account-text">{words.text}</p>
      </Confirm>
    </Part>
  )
}
