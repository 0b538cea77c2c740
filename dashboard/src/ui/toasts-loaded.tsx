import '@mantine/core/styles/Notification.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** `undo` takes back what was done, for as long as the notice is shown, or until there is another one `about` the same. */
export type Notice = { message: string; title?: string; isBad?: boolean; undo?: () => void; about?: string }

const SHOWN_MS = 6000
/** Long enough to read it, and to think again. */
const UNDO_MS = 10_000

/** By what they are about. */
const latest = new Map<string, string>()

export const LoadedNotices = () => <Notifications position="bottom-center" />

/** Errors stay until they are closed, for people who read slowly. */
export function show({ message, title, isBad = false, undo, about }: Notice): void {
  const earlier = about !== undefined && latest.get(about)
  if (earlier) notifications.hide(earlier)
  const id = notifications.show({
    message: undo ? (
      <>
        <span>{message}</span>
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {texts.common.undo}
        </button>
      </>
    ) : (
      message
    ),
    title,
    icon: <Icon of={isBad ? TriangleAlert : CircleCheck} />,
    mod: { tone: isBad ? 'bad' : 'good' },
    autoClose: isBad ? false : undo ? UNDO_MS : SHOWN_MS,
    closeButtonProps: { 'aria-label': texts.common.close },
  })
  if (about !== undefined) latest.set(about, id)
}
