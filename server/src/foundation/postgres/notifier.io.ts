// Notifications of a process, sent after the commit of the transaction that they belong to. PostgreSQL lets commits
// that notify wait for each other, so a busy installation would commit one after the other; here one statement every
// few milliseconds carries the notifications of all transactions. A process that dies in between sends none: listeners
// poll as well, so that a lost notification only delays them.

export type Notifier = {
  send(notifications: readonly Notification[]): void
  /** Sends what is waiting. */
  end(): Promise<void>
}

export type Notification = readonly [channel: string, payload: string]

const PAUSE_MS = 20

type Send = (notifications: readonly Notification[]) => Promise<unknown>

export function openNotifier(sendAll: Send, onError: (error: Error) => void): Notifier {
  const waiting = new Map<string, Notification>()
  let sending: Promise<void> | undefined

  const flush = async () => {
    while (waiting.size > 0) {
      const all = [...waiting.values()]
      waiting.clear()
      await sendAll(all).catch(onError)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    sending = undefined
  }

  return {
    send(notifications) {
      for (const one of notifications) waiting.set(one.join(' '), one)
      if (waiting.size > 0) sending ??= flush()
    },
    end: async () => sending,
  }
}
