// The trouble of a domain: what is wrong, what to do about it, and who must act, in the
// server's texts. One root cause comes first; other findings are below it and smaller.

import type { Trouble } from '@petstore-platform/contract/platform/domain-shapes'
import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { timeWords } from '../ui/time.tsx'
import { Fold } from './folds.tsx'

const { trouble: words } = texts.domains

type Tone = '' | 'bad' | 'warn'
const tones: Readonly<Record<Trouble['severity'], Tone>> = { blocks: 'bad', warns: 'warn', informs: '', waits: '' }
const titles: Readonly<Record<Trouble['severity'], string>> = words.severities
const actors: Readonly<Record<Trouble['actor'], string>> = words.actors

/**
 * `title` where the page has a better one than the severity; `isCalm` while no mistake has been made yet; `isUnknown`
 * after a check that learned nothing, when the owner may have something to add all the same.
 */
export const TroubleBox = ({
  trouble,
  title,
  isCalm = false,
  isUnknown = false,
  children,
}: {
  trouble: Trouble
  title?: string
  isCalm?: boolean
  isUnknown?: boolean
  children?: ReactNode
}) => (
  <div className={`note trouble ${isCalm ? '' : tones[trouble.severity]}`} data-cause={trouble.code}>
    <h2>{title ?? titles[trouble.severity]}</h2>
    <p className="trouble-advice">
      <Advice text={trouble.advice} />
    </p>
    <p className="tiny">
      {isUnknown ? words.unknown : actors[trouble.actor]}.{' '}
      {trouble.until !== null && words.until(timeWords(trouble.until))}
    </p>
    {children}
  </div>
)

export const AlsoNoticed = ({ troubles }: { troubles: readonly Trouble[] }) => (
  <Fold of={CircleQuestionMark} title={words.also(troubles.length)}>
    <ul className="also">
      {troubles.map((trouble) => (
        <li key={`${trouble.code} ${trouble.advice}`} data-cause={trouble.code}>
          <strong>{titles[trouble.severity]}: </strong>
          <Advice text={trouble.advice} />
        </li>
      ))}
    </ul>
  </Fold>
)
