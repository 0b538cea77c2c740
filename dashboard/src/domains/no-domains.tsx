// Before there is a domain: the three steps to one, and what is needed for them.

import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Empty } from '../ui/states.tsx'
import { useLacking } from './prerequisites.tsx'
import './records.css'

const { empty: words } = texts.domains

export function NoDomains() {
  const { hasPlan, isDeployed } = useLacking()
  return (
    <Empty of="domains" title={words.title}>
      <ol className="stack steps-list">
        {words.steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className="change-number" aria-hidden>
              {index + 1}
            </span>
            <span>
              <strong>{title}</strong>
              <br />
              <span className="quiet">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <h3>{words.needs}</h3>
      <ul className="needs">
        <li>
          {words.needPlan} <There isThere={hasPlan} />
        </li>
        <li>
          {words.needDeploy} {isDeployed !== undefined && <There isThere={isDeployed} />}
        </li>
        <li>{words.needDns}</li>
      </ul>
    </Empty>
  )
}

const There = ({ isThere }: { isThere: boolean }) => (
  <Badge tone={isThere ? 'good' : 'warn'}>{isThere ? words.isThere : words.isMissing}</Badge>
)
