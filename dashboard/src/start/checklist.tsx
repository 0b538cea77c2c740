// The checklist to a site on a custom domain: steps done, the next one, and the rest. The
// server decides what is done.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { stepViews, type Overview } from './views.ts'

const { steps: words } = texts.start

type Step = Overview['steps'][number]
type StepStatus = 'isDone' | 'isNext' | 'isLater'

export function Checklist({ steps }: { steps: readonly Step[] }) {
  const { mayEdit } = useProject()
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  if (!next)
    return (
      <div className="note good" role="status">
        <strong>{words.allDone}.</strong> {words.allDoneText}
      </div>
    )
  const statusOf = (step: Step): StepStatus => (step.isDone ? 'isDone' : step === next ? 'isNext' : 'isLater')
  return (
    <Section
      title={words.title}
      actions={
        <span className="quiet small" role="status">
          {words.done(done, steps.length)}
        </span>
      }
    >
      <ol className="checklist">
        {steps.map((step, index) => (
          <Item key={step.step} step={step.step} number={index + 1} standing={statusOf(step)} />
        ))}
      </ol>
      {!mayEdit && <p className="quiet small">{words.viewer}</p>}
    </Section>
  )
}

type ItemProps = { step: Step['step']; number: number; standing: StepStatus }

function Item({ step, number, standing }: ItemProps) {
  const { slug, mayEdit } = useProject()
  const { title, text, does, to } = stepViews[step]
  return (
    <li className={standing === 'isDone' ? 'done' : standing === 'isNext' ? 'next' : 'later'}>
      <span className="mark" aria-hidden>
        {standing === 'isDone' ? '✓' : number}
      </span>
      <div className="checklist-words">
        <span className="checklist-title">
          <span className="visually-hidden">{words[standing]} </span>
          {title}
        </span>
        {standing !== 'isDone' && <span className="quiet small">{text}</span>}
      </div>
      {standing === 'isNext' && mayEdit && (
        <Button renderRoot={(props) => <Link to={to} params={{ project: slug }} {...props} />}>{does}</Button>
      )}
    </li>
  )
}
