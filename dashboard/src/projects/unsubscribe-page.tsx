// Turns off the mails that the link in a mail is about, for a person who may not be signed in.
// Opening the page changes nothing: programs that check mails for viruses open links.

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { BellOff, CircleCheck, Unlink } from 'lucide-react'
import { wordsOf } from '../api.ts'
import { unsubscribe } from '../connection.ts'
import { useStep } from '../ui/use-step.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import { unsubscriptionIn } from './unsubscription.ts'
import './projects.css'

const { topics, unsubscribe: words } = texts.notifications

export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' })
  const about = unsubscriptionIn(token)
  const [step, setStep] = useStep<'ask' | 'done' | 'unusable'>(about === undefined ? 'unusable' : 'ask')
  const turnOff = useMutation({
    mutationFn: () => unsubscribe(token),
    onSuccess: (isDone) => setStep(isDone ? 'done' : 'unusable'),
  })
  if (step === 'unusable' || about === undefined)
    return (
      <OpenPage>
        <Page back={<Glyph of={Unlink} tone="warn" />} title={words.unusable.title} lead={words.unusable.lead}>
          <ToProjects />
        </Page>
      </OpenPage>
    )
  const said = sayingOf(about)
  return (
    <OpenPage>
      {step === 'done' ? (
        <Page back={<Glyph of={CircleCheck} />} title={said.done} lead={said.doneLead}>
          <div className="card stack">
            {about !== 'invitations' && <p className="plain">{said.note}</p>}
            <ToProjects />
          </div>
        </Page>
      ) : (
        <Page back={<Glyph of={BellOff} />} title={said.title} lead={said.lead}>
          <div className="card stack">
            <p className="plain quiet">{said.note}</p>
            {turnOff.error && (
              <div className="note bad" role="alert">
                {wordsOf(turnOff.error)}
              </div>
            )}
            <Button onClick={() => turnOff.mutate()} loading={turnOff.isPending}>
              {said.action}
            </Button>
          </div>
        </Page>
      )}
    </OpenPage>
  )
}

const ToProjects = () => (
  <div>
    <Link to="/projects">{words.toProjects}</Link>
  </div>
)

function sayingOf(about: keyof typeof topics | 'invitations') {
  if (about === 'invitations') return words.invitations
  const topic = topics[about].label.toLowerCase()
  return { ...words.member, lead: words.member.lead(topic), doneLead: words.member.doneLead(topic) }
}
