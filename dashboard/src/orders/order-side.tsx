// The cards beside a request: its visit, its hold, the visitor, and the queue of its animal.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AtSign, CalendarDays, Eraser, Hourglass, LockOpen, Mail, PawPrint, Phone, type LucideIcon } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Avatar } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { StageBadge } from '../ui/stage.tsx'
import { Time } from '../ui/time.tsx'
import { visitorName } from '../ui/visitor-name.ts'
import { reachOf, telOf, wayOf, type Reach } from './contact-link.ts'
import type { Moves } from './use-moves.tsx'
import { animalOf, erasedWords } from './views.ts'

const words = texts.orders
const wayIcons: Record<Reach, LucideIcon> = { email: Mail, phone: Phone, other: AtSign }

type SideProps = { order: ManagedOrder; moves: Moves }

export function VisitCard({ order, moves }: SideProps) {
  const { mayEdit } = useProject()
  const { visit } = order
  if (visit === null) return null
  return (
    <Section
      title={words.visit.title}
      actions={
        mayEdit &&
        order.moves.includes('visit_set') && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon of={CalendarDays} size={16} />}
            onClick={() => moves.move(order, 'visit_set')}
          >
            {words.changeVisit}
          </Button>
        )
      }
    >
      <div>
        <strong>
          <Time at={visit.at} />
        </strong>
        {visit.place !== '' && <p className="plain quiet">{visit.place}</p>}
      </div>
    </Section>
  )
}

export function HoldCard({ order, moves }: SideProps) {
  const { mayEdit } = useProject()
  const { hold } = words
  const animal = animalOf(order)
  if (!order.isHolding && !order.mayHold) return null
  return (
    <Section
      title={hold.title}
      actions={
        mayEdit && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon of={order.isHolding ? LockOpen : Hourglass} size={16} />}
            onClick={() => (order.isHolding ? moves.release : moves.hold)(order)}
          >
            {order.isHolding ? hold.releaseOf(animal) : hold.action(animal)}
          </Button>
        )
      }
    >
      <p className="plain">
        {!order.isHolding ? (
          hold.isNot(animal)
        ) : order.heldUntil === null ? (
          hold.isHeld(animal, order.visitor.name)
        ) : (
          <>
            {hold.isHeldUntil(animal, order.visitor.name)} <Time at={order.heldUntil} />
          </>
        )}
      </p>
    </Section>
  )
}

export function VisitorCard({ order }: Pick<SideProps, 'order'>) {
  const { slug } = useProject()
  const { visitor, isConfirmed, erased } = order
  return (
    <Section title={words.visitor}>
      <div className="row whole">
        <Avatar name={visitorName(order)} />
        <div className="grow">
          <strong>
            <bdi>{visitorName(order)}</bdi>
          </strong>
          {isConfirmed && !erased && <p className="plain quiet small">{words.confirmed}</p>}
        </div>
      </div>
      {erased ? (
        <p className="plain order-reach">
          <Icon of={Eraser} size={16} />
          <span>{erasedWords(erased)}</span>
        </p>
      ) : (
        <>
          <ContactLine contact={visitor.contact} />
          {visitor.phone !== '' && <ContactLine contact={visitor.phone} link={telOf(visitor.phone)} />}
        </>
      )}
      {!isConfirmed && !erased && <p className="plain quiet small">{words.unconfirmedText(visitor.name)}</p>}
      <p className="plain order-reach">
        <Icon of={PawPrint} size={16} />
        <Link to="/projects/$project/animals/$animal" params={{ project: slug, animal: String(order.petId) }}>
          {words.toAnimal(animalOf(order))}
        </Link>
      </p>
    </Section>
  )
}

function ContactLine({ contact, link = reachOf(contact) }: { contact: string; link?: string | undefined }) {
  return (
    <p className="plain order-reach">
      <Icon of={wayIcons[link?.startsWith('tel:') ? 'phone' : wayOf(contact)]} size={16} />
      <span className="visually-hidden">{words.reach}</span>
      <span>{link === undefined ? contact : <a href={link}>{contact}</a>}</span>
    </p>
  )
}

export function QueueCard({ order, queue }: { order: ManagedOrder; queue: readonly ManagedOrder[] }) {
  const { slug, kind } = useProject()
  const inOrder = queue.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
  return (
    <Section title={words.queue.title(animalOf(order))} isFlush>
      <ol className="lines">
        {inOrder.map(({ id, visitor, stage, position }) => (
          <li key={String(id)}>
            <span className="quiet num">{position}</span>
            <span className="grow">
              {id === order.id ? (
                <strong>
                  <bdi>{visitor.name}</bdi> <span className="visually-hidden">{words.queue.this}</span>
                </strong>
              ) : (
                <Link to="/projects/$project/requests/$order" params={{ project: slug, order: String(id) }}>
                  <bdi>{visitor.name}</bdi>
                </Link>
              )}
            </span>
            <StageBadge stage={stage} kind={kind} />
          </li>
        ))}
      </ol>
    </Section>
  )
}
