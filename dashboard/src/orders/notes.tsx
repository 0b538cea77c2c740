// Notes of members about a request. The visitor does not see them.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Avatar } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const { notes: words } = texts.orders
const NOTE_LENGTH_MAX = 2000

export function Notes({ order }: { order: ManagedOrder }) {
  const { slug, mayEdit } = useProject()
  const listed = useQuery(query('listNotes', { project: slug, orderId: order.id }))
  // That there are none is known with the request, so that nothing moves when the list arrives.
  const notes = order.notes === 0 ? { ...listed, data: listed.data ?? [] } : listed
  const members = useQuery(query('listMembers', { project: slug }))
  const nameOf = (account: string) => members.data?.find(({ id }) => id === account)?.name ?? words.former
  return (
    <Section title={words.title}>
      <p className="plain quiet small">{words.help}</p>
      <Loaded from={notes}>
        {(list) =>
          list.length === 0 ? (
            <p className="plain quiet">{words.none}</p>
          ) : (
            <ul className="order-notes">
              {list.map(({ number, author, createdAt, text }) => (
                <li key={number}>
                  <Avatar name={nameOf(author)} />
                  <div className="grow">
                    <p className="plain small">
                      <strong>{nameOf(author)}</strong>{' '}
                      <span className="quiet">
                        <Time at={createdAt} />
                      </span>
                    </p>
                    <p className="plain order-note">{text}</p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayEdit && <NewNote orderId={order.id} />}
    </Section>
  )
}

function NewNote({ orderId }: { orderId: bigint }) {
  const { slug } = useProject()
  const [text, setText] = useState('')
  const { form, faults, show } = useFaults<'text'>()
  const add = useAction('addNote', {
    renews: ['listNotes', 'listOrders', 'getOrder'],
    done: words.added,
    onDone: () => setText(''),
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    if (text.trim() === '') return show({ text: words.needsText })
    show({})
    add.mutate({ project: slug, orderId, body: { text: text.trim() } })
  }
  return (
    <form ref={form} className="stack tight" onSubmit={send} noValidate>
      <Textarea
        label={words.label}
        value={text}
        rows={3}
        maxLength={NOTE_LENGTH_MAX}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={faults.text}
      />
      <div>
        <Button
          type="submit"
          variant="default"
          leftSection={<Icon of={StickyNote} size={18} />}
          loading={add.isPending}
        >
          {words.add}
        </Button>
      </div>
    </form>
  )
}
