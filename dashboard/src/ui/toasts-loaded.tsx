import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { texts } from '../texts/texts.ts'

export type Notice = { message: string; title?: string; isBad?: boolean }

export const LoadedNotices = () => <Notifications position="bottom-right" />

/** Errors stay until they are closed, for people who read slowly. */
export const show = ({ message, title, isBad = false }: Notice) =>
  notifications.show({
    message,
    title,
    color: isBad ? 'red' : 'teal',
    autoClose: isBad ? false : 6000,
    closeButtonProps: { 'aria-label': texts.common.close },
  })
