// Creates a project: its name, its permanent short name, and its kind. The short name is proposed
// from the name until the person types another one, and is checked while it is typed; the
// message next to the field is the server's.

import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PlatformError } from '@petstore-platform/contract/platform/client'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { takeFocus } from '../ui/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { StoreKind } from '../ui/store-kind.tsx'
import { slugOf, typedSlug } from './slug.ts'
import { reasonWords } from './views.ts'

const { create: words } = texts.projects
const PAUSE_MS = 300

type Faults = { name?: string; slug?: string }

export function CreateProject({ onCancel }: { onCancel?: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [kind, setKind] = useState<ProjectKind>()
  const [faults, setFaults] = useState<Faults>({})
  const slug = chosen ?? slugOf(name)
  const { check, isChecking } = useCheck(slug)
  const create = useAction('createProject', {
    renews: ['listProjects'],
    onDone: (made) => void navigate({ to: '/projects/$project', params: { project: made.slug } }),
    onRefused: (error) => {
      setFaults(faultsOf(error))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const missing: Faults = {
      ...(name.trim() === '' && { name: words.noName }),
      ...(slug === '' && name.trim() !== '' && { slug: words.noSlug }),
    }
    setFaults(missing)
    if (Object.keys(missing).length === 0) create.mutate({ body: { name: name.trim(), slug, ...(kind && { kind }) } })
  }
  const reason = check && check.reason !== null ? reasonWords[check.reason](slug) : undefined
  const said = faults.slug ?? reason
  return (
    <form className="card stack create-project" onSubmit={send} aria-label={words.title} noValidate>
      <h2>{words.title}</h2>
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={name}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setFaults({})
        }}
        error={faults.name !== undefined && <span role="alert">{faults.name}</span>}
        maxLength={255}
        autoComplete="organization"
        ref={onCancel && takeFocus}
      />
      <div>
        <TextInput
          label={words.slug}
          description={words.slugHint}
          value={slug}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value === '' ? undefined : typedSlug(currentTarget.value))
            setFaults({})
          }}
          error={said !== undefined && <span role="alert">{said}</span>}
          maxLength={63}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
        />
        <div role="status" className="small slug-said">
          {isChecking && <span className="quiet">{words.checking}</span>}
          {!isChecking && check?.isFree === true && (
            <span className="slug-free">
              <Icon of={CircleCheck} size={16} /> {words.isFree} <strong>{check.siteUrl}</strong>
            </span>
          )}
        </div>
      </div>
      <p className="quiet small plain">{words.forever}</p>
      <div className="stack tight">
        <span className="create-label">{texts.storeKind.label}</span>
        <span className="quiet tiny">{texts.storeKind.later}</span>
        <StoreKind chosen={kind} onChoose={setKind} />
      </div>
      <div className="row tight">
        <Button type="submit" loading={create.isPending}>
          {words.action}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {texts.common.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The server's check of the short name, once the typing has paused. */
function useCheck(slug: string) {
  const [paused] = useDebouncedValue(slug, PAUSE_MS)
  // Dots alone would be read as a way through the address, not as a name.
  const isWorth = /[^.]/.test(paused)
  const asked = useQuery({ ...query('checkSlug', { slug: paused }), enabled: isWorth })
  const isSettled = slug === paused
  return {
    check: isSettled && isWorth ? asked.data : undefined,
    isChecking: slug !== '' && (!isSettled || asked.isLoading),
  }
}

/** Next to the field that the refusal names; otherwise next to the short name. */
function faultsOf({ message }: PlatformError): Faults {
  return message.startsWith("'name'") ? { name: message } : { slug: message }
}
