// What waits for a person, one line each, with the way to deal with it. On phones the whole line is that way.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, Globe, Inbox, LayoutTemplate, Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Avatar, Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { countOf, firstWords, type Todo } from './todo.ts'
import { sinceOf } from './when.ts'

const { todo: words, when } = texts.start

export const TodoList = ({ todos, now }: { todos: readonly Todo[]; now: number }) => (
  <section className="card flush" aria-label={words.title}>
    <div className="row tight">
      <h2>{words.title}</h2>
      {todos.length > 0 && <span className="count">{countOf(todos)}</span>}
    </div>
    {todos.length === 0 ? (
      <p className="home-calm">
        <Icon of={CircleCheck} size={24} />
        <span>
          <strong>{words.none}</strong> <span className="quiet">{words.noneText}</span>
        </span>
      </p>
    ) : (
      <ul className="lines">
        {todos.map((todo) => (
          <Item key={todo.kind === 'order' ? String(todo.order.id) : todo.kind} todo={todo} now={now} />
        ))}
      </ul>
    )}
  </section>
)

type TodoPath =
  | '/projects/$project/requests'
  | '/projects/$project/requests/$order'
  | '/projects/$project/settings/domains'
  | '/projects/$project/site'

/** `about` completes the name of the link for people who hear it without its line. */
type LineProps = {
  sign: ReactNode
  title: string
  text: ReactNode
  action: string
  about?: string
  to: TodoPath
  /** Of the page of a request. */
  order?: bigint
  isSoft?: boolean
}

const Line = ({ sign, title, text, action, about = `: ${title}`, to, order, isSoft = false }: LineProps) => {
  const { slug } = useProject()
  return (
    <li className="todo-line">
      {sign}
      <div className="grow">
        <strong>{title}</strong>
        <p className="quiet small plain">{text}</p>
      </div>
      <Button
        size="xs"
        variant={isSoft ? 'light' : 'default'}
        className="todo-act"
        aria-label={`${action}${about}`}
        renderRoot={(props) => <Link to={to} params={{ project: slug, order: String(order) }} {...props} />}
      >
        <span className="todo-action">{action}</span>
        <Icon of={ChevronRight} className="todo-chevron" />
      </Button>
    </li>
  )
}

function Item({ todo, now }: { todo: Todo; now: number }) {
  const { mayEdit } = useProject()
  switch (todo.kind) {
    case 'order':
      return <OrderLine order={todo.order} now={now} />
    case 'orders': {
      const { title, text, action, actionAsViewer } = words.orders
      return (
        <Line
          sign={<Glyph of={Inbox} />}
          title={title(todo.count)}
          text={text}
          action={mayEdit ? action : actionAsViewer}
          to="/projects/$project/requests"
        />
      )
    }
    case 'domains': {
      const { title, text, action, actionAsViewer } = words.domains
      return (
        <Line
          sign={<Glyph of={Globe} tone="bad" />}
          title={title(todo.count)}
          text={text}
          action={mayEdit ? action(todo.count) : actionAsViewer}
          to="/projects/$project/settings/domains"
        />
      )
    }
    case 'failed': {
      const { title, stillSeen, notSeen, action } = words.failed
      return (
        <Line
          sign={<Glyph of={Rocket} tone="bad" />}
          title={title(todo.deployment.number)}
          text={`${todo.deployment.reason ?? ''} ${todo.isSeen ? stillSeen : notSeen}`}
          action={action}
          to="/projects/$project/site"
        />
      )
    }
    case 'publish': {
      const { title, text, action, actionAsViewer } = words.publish
      return (
        <Line
          sign={<Glyph of={LayoutTemplate} tone="warn" />}
          title={title}
          text={text}
          action={mayEdit ? action : actionAsViewer}
          to="/projects/$project/site"
        />
      )
    }
  }
}

type Order = Extract<Todo, { kind: 'order' }>['order']

function OrderLine({
  order: { id, visitor, petName, message, createdAt, heldUntil: held },
  now,
}: {
  order: Order
  now: number
}) {
  const { mayEdit } = useProject()
  const { title, message: quoted, heldUntil, action, actionAsViewer, about } = words.order
  const begin = firstWords(message)
  const since = sinceOf(createdAt, now)
  const facts = [
    begin !== '' && quoted(begin),
    since ? when.ago(since.value, since.unit) : when.now,
    held !== null && heldUntil(new Date(held)),
  ]
  return (
    <Line
      sign={<Avatar name={visitor.name} />}
      title={title(visitor.name, petName)}
      text={facts.filter((fact) => fact !== false).join(' · ')}
      action={mayEdit ? action : actionAsViewer}
      about={about(visitor.name, petName)}
      to="/projects/$project/requests/$order"
      order={id}
      isSoft
    />
  )
}
