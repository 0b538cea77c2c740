// The page of one request: what the visitor wrote, what members note about it, and beside it what can be done next,
// the visit, the hold, the visitor, and who else asked for the animal.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { useAskEvery } from '../shell/project-events.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { StageBadge } from '../ui/stage.tsx'
import { Loaded, NotThere } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { visitorName } from '../ui/visitor-name.ts'
import { NextStep } from './next-step.tsx'
import { Notes } from './notes.tsx'
import { OrderPicture } from './order-picture.tsx'
import { HoldCard, QueueCard, VisitCard, VisitorCard } from './order-side.tsx'
import { StageStrip } from './stage-strip.tsx'
import { useMoves } from './use-moves.tsx'
import { animalOf, erasedWords } from './views.ts'
import './orders.css'

const words = texts.orders
const ASK_EVERY_MS = 5000

export function OrderPage() {
  const { order } = useParams({ from: '/projects/$project/requests/$order' })
  // An address that people have edited.
  return /^\d{1,19}$/.test(order) ? <KnownPage key={order} id={BigInt(order)} /> : <NotThere />
}

function KnownPage({ id }: { id: bigint }) {
  const { slug } = useProject()
  const order = useQuery({
    ...query('getOrder', { project: slug, orderId: id }),
    refetchInterval: useAskEvery(ASK_EVERY_MS),
  })
  return <Loaded from={order}>{(data) => <Request order={data} />}</Loaded>
}

function Request({ order }: { order: ManagedOrder }) {
  const { slug, kind, mayEdit } = useProject()
  const { stage, erased } = order
  const animal = animalOf(order)
  const main = useRef<HTMLDivElement>(null)
  const moves = useMoves(main)
  const queue = useQuery(query('listOrders', { project: slug, animal: order.petId, stage: 'open', limit: 100 }))
  return (
    <Page
      title={words.pageTitle(visitorName(order), animal)}
      back={
        <Link className="crumb" to="/projects/$project/requests" params={{ project: slug }}>
          <Icon of={ArrowLeft} size={16} />
          {words.back}
        </Link>
      }
      status={
        <span className="row tight" aria-live="polite">
          <StageBadge stage={stage} kind={kind} />
          {!order.isConfirmed && !erased && <Badge tone="warn">{words.unconfirmed}</Badge>}
        </span>
      }
      lead={
        <>
          {words.asked} <Time at={order.createdAt} />
          {order.position !== null && ` · ${words.place(order.position, order.queueLength, animal)}`}
        </>
      }
    >
      <StageStrip stage={stage} />
      {!mayEdit && <div className="note">{words.viewer}</div>}
      <div ref={main} tabIndex={-1} className="beside order-page">
        <div className="order-words">
          <Section title={words.message}>
            <div className="row whole order-said">
              <OrderPicture order={order} size={64} />
              {order.message === '' ? (
                <p className="plain quiet">{erased ? erasedWords(erased) : words.noMessage}</p>
              ) : (
                <blockquote className="order-message">{order.message}</blockquote>
              )}
            </div>
            {order.answers.length > 0 && <Answers answers={order.answers} />}
          </Section>
        </div>
        <div className="stack order-side">
          <NextStep order={order} moves={moves} />
          <VisitCard order={order} moves={moves} />
          <HoldCard order={order} moves={moves} />
          <VisitorCard order={order} />
          {queue.data && queue.data.length > 1 && <QueueCard order={order} queue={queue.data} />}
        </div>
        <div className="order-notes-place">
          <Notes order={order} />
        </div>
      </div>
      {moves.dialogs}
    </Page>
  )
}

const Answers = ({ answers }: Pick<ManagedOrder, 'answers'>) => (
  <dl className="order-answers" aria-label={words.answers}>
    {answers.map(({ question, answer }, index) => (
      // A form may ask the same twice.
      <div key={index}>
        <dt className="quiet small">{question}</dt>
        <dd>{answer === '' ? <span className="quiet">{words.noAnswer}</span> : answer}</dd>
      </div>
    ))}
  </dl>
)
