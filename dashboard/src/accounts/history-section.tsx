// The security history of the account: sign-ins, and changes of how it can be signed in to.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { whatHappened, whereHappened } from './account-event.ts'

const words = texts.account.history
const AT_FIRST = 10

export function HistorySection() {
  const events = useQuery(query('listAccountEvents'))
  const [isAll, setAll] = useState(false)
  return (
    <Section title={words.title}>
      <p className="account-text quiet">{words.lead}</p>
      <Loaded from={events}>
        {(list) => (
          <>
            <ol className="account-events">
              {list.slice(0, isAll ? list.length : AT_FIRST).map((event) => (
                <li key={event.id}>
                  <span>{whatHappened(event)}</span>
                  <span className="quiet small">
                    {whereHappened(event)}, <Time at={event.at} />
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
    </Section>
  )
}
