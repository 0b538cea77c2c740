// While the server reads, checks, imports or undoes.

import { Progress } from '@mantine/core'
import * as texts from '../texts/texts.ts'

type WaitingProps = { children: string; done?: number; all?: number | undefined }

const words = texts.imports

/** The bar is full, and moves, as long as it is not known how much there is. What moves on is not announced. */
export function Waiting({ children, done = 0, all = 0 }: WaitingProps) {
  const isKnown = all > 0 && done > 0
  return (
    <div className="card stack tight">
      <h2>
        <span role="status">{children}</span>
      </h2>
      <Progress value={isKnown ? Math.min(1, done / all) * 100 : 100} animated={!isKnown} aria-label={children} />
      {done > 0 && <span>{isKnown ? words.workingOf(done, all) : words.working(done)}</span>}
      <span className="quiet">{words.mayLeave}</span>
    </div>
  )
}
