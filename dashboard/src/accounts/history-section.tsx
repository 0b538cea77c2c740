// The security history of the account: sign-ins, and changes of how it can be signed in to.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { SoleGroup, type GroupView } from './account-part.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { eventIcon } from './event-icons.ts'
import { whatHappened, whereHappened } from './account-event.ts'

const words = texts.account.history
const AT_FIRST = 10

export function HistorySection({ of }: { of: GroupView }) {
  const events = useQuery(query('listAccountEvents'))
  const [isAll, setAll] = useState(false)
  return (
    <SoleGroup of={of} lead={words.lead}>
      <Loaded from={events}>
        {(list) => (
          <>
            <ol className="lines account-events">
              {list.slice(0, isAll ? list.length : AT_FIRST).map((event) => (
                <li key={event.id}>
                  <Glyph of={eventIcon(event.action)} tone="plain" />
                  <span className="grow">
                    {whatHappened(event)}
                    <span className="quiet tiny named-says">
                      {whereHappened(event)}, <Time at={event.at} />
                    </span>
                  </span>
                </li>
              ))}
            </ol>
            {!isAll && list.length > AT_FIRST && (
              <div>
                <Button variant="subtle" onClick={() => setAll(true)}>
                  {words.all(list.length)}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </SoleGroup>
  )
}
