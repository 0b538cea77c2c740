// The question what becomes of the API keys of a member who may no longer create any. Neither
// answer is chosen beforehand: revoking may stop a program of the shop, and keeping may leave a
// former member access.

import { Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { KeyChoice } from '@petstore-platform/contract/platform/members'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { useNow } from '../ui/now.ts'
import { Time } from '../ui/time.tsx'
import { activeKeysOf } from './views.ts'

const { keysOf: words } = texts.projects.members
const LOOK_EVERY_MS = 5000
/** A choice that the contract adds does not compile here until it has words. */
const choices: Record<KeyChoice, { label: string; help: string }> = words.choices
const choiceList = Object.keys(choices) as KeyChoice[]

type Key = Received<'listKeys'>[number]

/** The active keys that the member created, once that is asked; undefined until they are known. */
export function useKeysOf(account: string, isAsked: boolean): readonly Key[] | undefined {
  const { slug } = useProject()
  const now = useNow(LOOK_EVERY_MS)
  const { data } = useQuery({ ...query('listKeys', { project: slug }), enabled: isAsked })
  return data && activeKeysOf(data, account, now)
}

type ChoiceProps = { keys: readonly Key[]; chosen: KeyChoice | undefined; onChoose: (choice: KeyChoice) => void }

export const KeysChoice = ({ keys, chosen, onChoose }: ChoiceProps) => (
  <div className="stack">
    <p className="plain">{words.lead(keys.length)}</p>
    <ul className="plain" aria-label={words.list}>
      {keys.map(({ id, label, lastUsedAt }) => (
        <li key={id}>
          <strong>{label}</strong>{' '}
          <span className="quiet small">
            {words.used} <Time at={lastUsedAt} />
          </span>
        </li>
      ))}
    </ul>
    <Radio.Group label={words.question} value={chosen ?? null} onChange={(value) => onChoose(value)}>
      <div className="stack tight">
        {choiceList.map((choice) => (
          <Radio key={choice} value={choice} label={choices[choice].label} description={choices[choice].help} />
        ))}
      </div>
    </Radio.Group>
  </div>
)
