// The save state of an animal's page. It stays in sight, and leads to what has to be decided or corrected.

import { Button } from '@mantine/core'
import { ArrowUpRight, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { saveTone, saveWords } from '../ui/save-state.ts'
import type { ProfileState } from './use-profile.ts'

const words = texts.profiles

type BarProps = {
  kept: ProfileState
  /** Of the animal on the site; undefined if visitors cannot see it. */
  siteUrl: string | undefined
  onDecide: () => void
  onCorrect: () => void
}

export function SaveBar({ kept, siteUrl, onDecide, onCorrect }: BarProps) {
  const { mayEdit } = useProject()
  const tone = saveTone(kept)
  const icon = tone === 'plain' ? CircleDashed : tone === 'wait' ? CircleCheck : TriangleAlert
  return (
    <div className="save-bar" data-tone={tone}>
      <Icon of={icon} />
      <span role="status" className="grow">
        {mayEdit ? saveWords(kept, words) : words.viewer}
      </span>
      {kept.draft.theirs && (
        <Button size="xs" variant="default" onClick={onDecide}>
          {words.decide}
        </Button>
      )}
      {!kept.draft.theirs && Object.keys(kept.faults).length > 0 && (
        <Button size="xs" variant="default" onClick={onCorrect}>
          {words.correct}
        </Button>
      )}
      {siteUrl !== undefined && (
        <a className="save-bar-link" href={siteUrl} target="_blank" rel="noreferrer">
          <Icon of={ArrowUpRight} size={18} />
          {words.onSite} <span className="visually-hidden">{words.newWindow}</span>
        </a>
      )}
    </div>
  )
}
