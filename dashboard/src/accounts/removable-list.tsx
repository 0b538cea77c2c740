// Removing something from a list for good: a question first, and afterwards the keyboard is
// at the list, when the row in which it was is gone.

import type { OperationId } from '@petstore-platform/contract/platform/client'
import { useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react'
import { queryClient } from '../api.ts'
import { renew } from '../renew.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/states.tsx'

/** For the action that removes it: also what was gone before leaves the list. The history has one more event. */
export const removesFrom = (list: OperationId) => ({
  renews: [list, 'listAccountEvents'] as const,
  onRefused: () => void renew(queryClient, [list]),
})

export type Removal<Item> = {
  /** The last item of the dialog: it stays visible while the dialog fades out. */
  item: Item | undefined
  isOpen: boolean
  ask: (item: Item) => void
  close: () => void
  list: RefObject<HTMLDivElement | null>
}

export function useRemoval<Item>(): Removal<Item> {
  const [item, setItem] = useState<Item>()
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const confirmRemoval = (next: Item) => {
    setItem(next)
    setOpen(true)
  }
  return { item, isOpen, ask: confirmRemoval, close: () => setOpen(false), list }
}

/** The list itself, which can take the focus. */
export const RemovalList = ({
  of,
  label,
  children,
}: {
  of: Pick<Removal<never>, 'list'>
  label: string
  children: ReactNode
}) => (
  <div className="account-list" ref={of.list} tabIndex={-1} role="group" aria-label={label}>
    {children}
  </div>
)

type QuestionProps<Item> = {
  of: Removal<Item>
  title: (item: Item) => string
  text: (item: Item) => string
  action: string
  /** Settled when the list has been reloaded. A refusal has been shown already. */
  remove: (item: Item) => Promise<unknown>
  isBusy: boolean
}

export function RemovalQuestion<Item>({ of, title, text, action, remove, isBusy }: QuestionProps<Item>) {
  const { item, isOpen, close, list } = of
  if (item === undefined) return null
  return (
    <Confirm
      title={title(item)}
      isOpen={isOpen}
      onClose={close}
      action={action}
      isBusy={isBusy}
      onConfirm={() => void remove(item).then(close, close)}
      backTo={list}
    >
      <p className="account-text">{text(item)}</p>
    </Confirm>
  )
}

type RemovableItemsProps<Item> = Omit<QuestionProps<Item>, 'title' | 'text'> & {
  from: ComponentProps<typeof Loaded<readonly Item[]>>['from']
  words: { title: string; none: string; ask: (label: string) => string; text: string }
  children: (list: readonly Item[]) => ReactNode
}

/** A loaded list of things with a label, or a sentence if there are none, and the question before one is removed. */
export const RemovableItems = <Item extends { label: string }>(props: RemovableItemsProps<Item>) => {
  const { from, words, children, ...question } = props
  return (
    <>
      <Loaded from={from}>
        {(list) => (
          <RemovalList of={question.of} label={words.title}>
            {list.length === 0 ? <p className="account-text">{words.none}</p> : children(list)}
          </RemovalList>
        )}
      </Loaded>
      <RemovalQuestion {...question} title={({ label }) => words.ask(label)} text={() => words.text} />
    </>
  )
}
