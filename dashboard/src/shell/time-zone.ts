// Sends the time zone of this device to the account, if it has another one: mails to the person give times in it.

import type { Received } from '@petstore-platform/contract/platform/client'
import { useEffect } from 'react'
import { useAction } from '../api.ts'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
/** Once for each person of this window: two devices in different zones must not contradict each other without end. */
let sentFor: string | undefined

export function useTimeZone(account: Received<'getAccount'> | undefined): void {
  // The person did not ask for it, so nothing is shown if it fails.
  const { mutate } = useAction('changeAccount', {
    renews: ['getAccount'],
    onRefused: () => true,
    onNoAnswer: () => undefined,
  })
  useEffect(() => {
    if (!account || sentFor === account.id || (account.timeZone ?? 'UTC') === zone) return
    sentFor = account.id
    mutate({ body: { timeZone: zone } })
  }, [account, mutate])
}
