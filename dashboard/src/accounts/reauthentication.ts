// Asks the person to confirm their identity when the server requires it, and repeats what was refused: a form
// needs to know nothing of it. Requests that are refused while the person is asked wait for the same answer.

/** What the dialog needs to know; undefined once it has left the page. */
export type Question = {
  isOpen: boolean
  /** The element that had the focus when the request was sent. */
  opener: Element | null
}

type Asked = { answered: Promise<boolean>; answer: (isConfirmed: boolean) => void }

let question: Question | undefined
let asked: Asked | undefined
const watchers = new Set<() => void>()

function set(next: Question | undefined): void {
  question = next
  for (const watcher of watchers) watcher()
}

function ask(opener: Element | null): Promise<boolean> {
  if (!asked) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    asked = { answered: promise, answer: resolve }
    set({ isOpen: true, opener })
  }
  return asked.answered
}

/** For the dialog: the person has confirmed their identity, or does not want to. */
export function answerQuestion(isConfirmed: boolean): void {
  if (!asked) return
  asked.answer(isConfirmed)
  asked = undefined
  // Closes when the page has shown the end of the request: a button that is still busy cannot take the focus.
  setTimeout(() => setTimeout(() => !asked && question && set({ ...question, isOpen: false })))
}

/** For the dialog: it has faded away. */
export function forgetQuestion(): void {
  if (!asked) set(undefined)
}

export const questionStore = {
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  current: (): Question | undefined => question,
}

/**
 * Sends a request, again and again while it is refused for want of a recent sign-in and the person confirms their
 * identity. If they do not, the refusal is thrown.
 */
export async function withReauthentication<Result>(
  send: () => Promise<Result>,
  isRequired: (error: unknown) => boolean,
): Promise<Result> {
  // A busy button loses the focus while the request is under way.
  const opener = globalThis.document?.activeElement ?? null
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!isRequired(error) || !(await ask(opener))) throw error
    }
  }
}
