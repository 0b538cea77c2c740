// How much of what visitors ask about first is answered, and the way to what is missing.

import * as texts from '../texts/texts.ts'
import { Ring } from '../ui/chart.tsx'
import { missingIn, percentOf, QUESTIONS, type ProfileAnswers } from './completeness.ts'
import { placeOf } from './profile-form.ts'

const words = texts.profiles

export function CompletenessCard({ answers, isFixed }: { answers: ProfileAnswers; isFixed: boolean }) {
  const missing = missingIn(answers)
  const done = QUESTIONS - missing.length
  return (
    <section className="card stack" aria-label={words.completeness}>
      <div className="row whole">
        <span aria-hidden>
          <Ring done={done} of={QUESTIONS} says="" />
        </span>
        <div className="grow">
          <h2>{words.complete(percentOf(done))}</h2>
          <span className="quiet small">{missing.length === 0 ? words.allAnswered : words.missing}</span>
        </div>
      </div>
      {missing.length > 0 && (
        <ul className="profile-chips">
          {missing.map((question) => (
            <li key={question}>
              {isFixed ? (
                <span className="chip profile-missing">{words.questions[question]}</span>
              ) : (
                <button type="button" className="chip profile-missing" onClick={() => goTo(placeOf(question))}>
                  {words.questions[question]}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A field or a button, or the first field of a group. */
function goTo(id: string): void {
  const place = document.getElementById(id)
  const field = place?.matches('input, textarea, select, button') ? place : place?.querySelector<HTMLElement>('input')
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'center' })
}
