// The reason why no key was created, announced when it appears; with a link to the plans
// if the plan is the reason.

import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'

const { full, toPlan } = texts.keys

export function Refused({ message, isOfPlan }: { message: string | undefined; isOfPlan: boolean }) {
  const { slug } = useProject()
  return (
    <div role="alert">
      {message !== undefined && (
        <div className="note bad key-note">
          {message}{' '}
          {isOfPlan && (
            <>
              {full}{' '}
              <Link to="/projects/$project/settings/plan" params={{ project: slug }}>
                {toPlan}
              </Link>
            </>
          )}
        </div>
      )}
    </div>
  )
}
