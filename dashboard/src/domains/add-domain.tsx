// Add domain: one field into which anything may be pasted. The input is checked after a
// pause, so that people know what lies ahead before they add it; the previous result
// stays on the page until the next one arrives. A refusal is shown next to the field.

import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { PlatformError } from '@petstore-platform/contract/platform/client'
import type { DomainCheck } from '@petstore-platform/contract/platform/domain-shapes'
import { Plus } from 'lucide-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { takeFocus } from '../ui/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/toasts.ts'
import { CheckResult } from './check-result.tsx'
import { keepDomain } from './use-domain.ts'
import { WayOut, type MissingPrerequisite } from './prerequisites.tsx'

const { adding: words } = texts.domains
const PAUSE_MS = 500
/** Refusals that another page helps with. */
const ways: Readonly<Record<string, MissingPrerequisite>> = { plan_required: 'plan', deploy_required: 'deploy' }

type AddDomainProps = {
  isFocused: boolean
  /** What the server would reject anyway, shown before the attempt. */
  lacking: MissingPrerequisite | undefined
  onCancel?: () => void
}

export function AddDomain({ isFocused, lacking: known, onCancel }: AddDomainProps) {
  const { slug, mayEdit } = useProject()
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<PlatformError>()
  const [isEmpty, setEmpty] = useState(false)
  const { check, isChecking, isSettled, fault } = useCheck(slug, typed)
  const [isSiblingWanted, setSiblingWanted] = useState(true)
  const sibling = check && isSettled ? siblingOf(check) : undefined
  const add = useAdd(slug, isSiblingWanted ? sibling : undefined, setRefusal)
  const lacking = refusal && ways[refusal.code]
  const shown = lacking ?? known

  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    setEmpty(typed.trim() === '')
    if (typed.trim() !== '') add.mutate({ project: slug, body: { hostname: typed.trim() } })
  }
  const said = refusal ? (lacking ? undefined : refusal.message) : isEmpty ? words.empty : fault
  return (
    <form className="card stack" onSubmit={send} aria-label={texts.domains.add} noValidate>
      <h2>{texts.domains.add}</h2>
      {shown && <WayOut lacking={shown} {...(lacking && refusal && { message: refusal.message })} />}
      <TextInput
        label={words.label}
        description={words.hint}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefusal(undefined)
          setEmpty(false)
        }}
        error={said !== undefined && <span role="alert">{said}</span>}
        ref={isFocused ? takeFocus : undefined}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        inputMode="url"
        autoComplete="off"
        inputContainer={(input) => (
          <div className="add-row">
            {input}
            <Button
              type="submit"
              leftSection={<Icon of={Plus} size={18} />}
              loading={add.isPending}
              disabled={!mayEdit}
            >
              {texts.domains.add}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {texts.common.cancel}
              </Button>
            )}
          </div>
        )}
      />
      {!mayEdit && <p className="quiet small">{texts.domains.empty.viewer}</p>}
      {refusal?.code === 'domain_already_added' && check && (
        <Link to="/projects/$project/settings/domains/$hostname" params={{ project: slug, hostname: check.hostname }}>
          {words.showIt}
        </Link>
      )}
      <div role="status" className={isChecking ? 'quiet small' : 'visually-hidden'}>
        {isChecking ? words.checking : check && words.checked(check.displayName)}
      </div>
      {check && sibling && (
        <Checkbox
          label={words.sibling.label(sibling.name)}
          description={words.sibling.text(sibling.name, check.displayName)}
          checked={isSiblingWanted}
          disabled={!mayEdit}
          onChange={({ currentTarget }) => setSiblingWanted(currentTarget.checked)}
        />
      )}
      {check && <CheckResult check={check} />}
    </form>
  )
}

type Sibling = { hostname: string; name: string }

/** The other one of a domain and its `www`, with the name as people write it. */
function siblingOf({ hostname, displayName, sibling }: DomainCheck): Sibling | undefined {
  if (sibling === null) return undefined
  const name = sibling === `www.${hostname}` ? `www.${displayName}` : displayName.replace(/^www\./, '')
  return { hostname: sibling, name }
}

/** The check of the typed name, once the typing has paused. */
function useCheck(project: string, typed: string) {
  const [paused] = useDebouncedValue(typed.trim(), PAUSE_MS)
  // A name without a dot is not finished yet.
  const isWorth = paused.includes('.')
  const asked = useQuery({
    ...query('checkDomain', { project, body: { hostname: paused } }),
    enabled: isWorth,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const isSettled = typed.trim() === paused
  return {
    isSettled: isSettled && !asked.isPlaceholderData,
    check: isWorth && typed.trim() !== '' ? asked.data : undefined,
    isChecking: isWorth && (asked.isFetching || !isSettled),
    fault: isSettled && isWorth && asked.error instanceof PlatformError ? asked.error.message : undefined,
  }
}

/**
 * Adds the typed name, and then its sibling, which redirects to it. A refusal of the sibling is shown in a
 * notice.
 */
function useAdd(project: string, sibling: Sibling | undefined, onRefused: (refusal: PlatformError) => void) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const addSibling = useAction('addDomain', {
    renews: ['listDomains', 'getDomainSettings', 'getOverview', 'checkDomain'],
    onDone: ({ displayName, redirect }) => notify({ message: words.sibling.added(displayName, redirect?.to ?? '') }),
  })
  return useAction('addDomain', {
    renews: ['listDomains', 'getOverview', 'checkDomain'],
    onDone: (domain) => {
      keepDomain(cache, project, domain)
      if (sibling) addSibling.mutate({ project, body: { hostname: sibling.hostname, redirectTo: domain.hostname } })
      void navigate({
        to: '/projects/$project/settings/domains/$hostname',
        params: { project, hostname: domain.hostname },
      })
    },
    onRefused: (error) => {
      onRefused(error)
      return true
    },
  })
}
