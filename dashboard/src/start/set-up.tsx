// The steps to a site on a custom domain: those done, the next one, and the rest. The server decides what is done. Once
// the site is published, the rest is optional and can be hidden, in this browser.

import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, X } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Ring } from '../ui/chart.tsx'
import { Icon, IconButton } from '../ui/icon.tsx'
import { notify } from '../ui/toasts.ts'
import { stepViews, type Overview } from './views.ts'

const { steps: words } = texts.start

type Step = Overview['steps'][number]
type StepStatus = 'isDone' | 'isNext' | 'isLater'
/** What was hidden last: the open list, or the message that everything is done. */
type Hidden = '' | 'list' | 'done'

export function SetUp({ steps, isOptional }: { steps: readonly Step[]; isOptional: boolean }) {
  const { slug } = useProject()
  const [hidden, setHidden] = useLocalStorage<Hidden>({
    key: `petstore-set-up-${slug}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const next = steps.find(({ isDone }) => !isDone)
  if (!next) return hidden === 'done' ? null : <AllDone onClose={() => setHidden('done')} />
  if (isOptional && hidden === 'list') return null
  const hide = () => {
    setHidden('list')
    notify({ message: words.hidden, undo: () => setHidden('') })
    // The button is gone; the keyboard stays on the page.
    document.getElementById('content')?.focus()
  }
  return <List steps={steps} next={next} onHide={isOptional ? hide : undefined} />
}

const AllDone = ({ onClose }: { onClose: () => void }) => (
  <div className="note good row whole home-done" role="status">
    <span className="grow">
      <strong>{words.allDone}.</strong> {words.allDoneText}
    </span>
    <IconButton of={X} size="xs" aria-label={words.close} onClick={onClose} />
  </div>
)

type ListProps = { steps: readonly Step[]; next: Step; onHide: (() => void) | undefined }

function List({ steps, next, onHide }: ListProps) {
  const { mayEdit } = useProject()
  const done = steps.filter(({ isDone }) => isDone).length
  const statusOf = (step: Step): StepStatus => (step.isDone ? 'isDone' : step === next ? 'isNext' : 'isLater')
  return (
    <section className="card stack" aria-label={words.title}>
      <div className="row whole">
        <span className="home-ring" aria-hidden>
          <Ring done={done} of={steps.length} says="" />
        </span>
        <div className="grow">
          <h2>{words.title}</h2>
          <span className="quiet small" role="status">
            {words.done(done, steps.length)}
          </span>
        </div>
        {onHide && <IconButton of={X} size="xs" aria-label={words.hide} onClick={onHide} />}
      </div>
      <ol className="lines">
        {steps.map((step) => (
          <Item key={step.step} step={step.step} status={statusOf(step)} />
        ))}
      </ol>
      {!mayEdit && <p className="quiet small plain">{words.viewer}</p>}
    </section>
  )
}

function Item({ step, status }: { step: Step['step']; status: StepStatus }) {
  const { slug, mayEdit } = useProject()
  const { title, text, action, to, hash = '' } = stepViews[step]
  const isNext = status === 'isNext'
  return (
    <li className={`step ${status === 'isDone' ? 'done' : isNext ? 'next' : 'later'}`}>
      <Icon of={status === 'isDone' ? CircleCheck : CircleDashed} size={24} />
      <div className="row tight grow">
        <div className="step-words">
          <span className="step-title">
            <span className="visually-hidden">{words[status]} </span>
            {status === 'isLater' && mayEdit ? (
              <Link to={to} params={{ project: slug }} hash={hash} className="step-link">
                {title}
              </Link>
            ) : (
              title
            )}
          </span>
          {isNext && <span className="quiet small">{text}</span>}
        </div>
        {isNext && mayEdit && (
          <Button
            size="xs"
            variant="light"
            renderRoot={(props) => <Link to={to} params={{ project: slug }} hash={hash} {...props} />}
          >
            {action}
          </Button>
        )}
      </div>
    </li>
  )
}
