// Reads from the address of the page which mails a link turns off. Whether the link is ours, the
// server decides when the button is pressed.

import type { NotificationTopic } from '@petstore-platform/contract/platform/notifications'
import { topicList } from './notification-views.ts'

/** Undefined if a part is missing. */
export function unsubscriptionIn(token: string): NotificationTopic | 'invitations' | undefined {
  if (/^invitations\.[0-9a-f]{64}\.[^.]+$/.test(token)) return 'invitations'
  const [, name] = /^\d{1,19}\.acc_[0-9a-f]{24}\.([a-z]{1,30})\.[^.]+$/.exec(token) ?? []
  return topicList.find((topic) => topic === name)
}
