// The API keys of a project: the list, and new ones within the plan. A new key stays on
// the page until the person confirms that it was copied.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { FreshKeyNote } from './new-key-secret.tsx'
import { KeyLists } from './key-lists.tsx'
import { NewKey } from './new-key.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
import type { FreshKey, Key } from './views.ts'
import './keys.css'

const words = texts.keys
/** The time of last use changes without an action in the dashboard. */
const ASK_EVERY_MS = 5000

export function KeysPage() {
  const { slug, mayEdit, limits, usage } = useProject()
  const keys = useQuery({ ...query('listKeys', { project: slug }), refetchInterval: ASK_EVERY_MS })
  const [isMaking, setMaking] = useState(false)
  const [fresh, setFresh] = useState<readonly FreshKey[]>([])
  const [replacing, setReplacing] = useState<Key>()
  const opener = useRef<HTMLButtonElement>(null)
  const show = (key: FreshKey) => setFresh((others) => [key, ...others])
  const made = (key: FreshKey) => {
    setMaking(false)
    show(key)
  }
  const leave = (key?: FreshKey) => {
    setMaking(false)
    setFresh((others) => others.filter(({ id }) => id !== key?.id))
    opener.current?.focus()
  }
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayEdit && (
          <Button
            ref={opener}
            leftSection={<Icon of={Plus} size={18} />}
            onClick={() => setMaking(true)}
            disabled={isMaking}
          >
            {words.make}
          </Button>
        )
      }
    >
      <div className="row apart">
        <span className="quiet">{words.used(usage.keys, limits.keys)}</span>
        <a href="/docs" target="_blank" rel="noopener">
          {words.reference} <Icon of={ArrowUpRight} size={16} />
          <span className="visually-hidden">{words.newTab}</span>
        </a>
      </div>
      {!mayEdit && <p className="key-text quiet">{words.viewer}</p>}
      {fresh.map((key) => (
        <FreshKeyNote key={key.id} made={key} onClose={() => leave(key)} />
      ))}
      {isMaking && <NewKey onMade={made} onClose={() => leave()} />}
      <Loaded from={keys}>{(list) => <KeyLists keys={list} onReplace={setReplacing} />}</Loaded>
      <ReplaceDialog replacing={replacing} onClose={() => setReplacing(undefined)} onMade={show} />
    </Page>
  )
}
