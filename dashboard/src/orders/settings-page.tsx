// Project settings, Requests: when a request holds its animal and for how long, and whether the site shows how many
// people have asked. Every choice is saved at once.

import type { RequestSettings } from '@petstore-platform/contract/platform/order-holds'
import type { HoldRule } from '@petstore-platform/contract/platform/orders'
import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { daysOf } from './days.ts'
import './orders.css'

const { settings: words } = texts.orders

export function RequestSettingsPage() {
  const { slug, mayEdit } = useProject()
  const settings = useQuery(query('getRequestSettings', { project: slug }))
  const put = useAction('putRequestSettings', { renews: ['getRequestSettings'], done: words.saved })
  // What was pressed is shown at once, until it is stored.
  const [pressed, setPressed] = useState<RequestSettings>()
  return (
    <Page title={words.title} lead={words.lead}>
      {!mayEdit && <div className="note">{words.viewer}</div>}
      <Loaded from={settings}>
        {(found) => {
          const shown = pressed ?? found
          const change = (changed: Partial<RequestSettings>) => {
            const body = { ...shown, ...changed }
            setPressed(body)
            put.mutate({ project: slug, body }, { onSettled: () => setPressed(undefined) })
          }
          return (
            <>
              <Section title={words.holdTitle}>
                <Radio.Group
                  label={words.rule}
                  description={words.ruleHelp}
                  value={shown.holdRule}
                  onChange={(holdRule) => change({ holdRule })}
                >
                  <div className="stack tight order-rules">
                    {(Object.keys(words.rules) as HoldRule[]).map((rule) => (
                      <Radio
                        key={rule}
                        value={rule}
                        label={words.rules[rule].label}
                        description={words.rules[rule].help}
                        disabled={!mayEdit}
                      />
                    ))}
                  </div>
                </Radio.Group>
                <Days days={shown.holdDays} isBusy={put.isPending} onChange={(holdDays) => change({ holdDays })} />
              </Section>
              <Section title={words.siteTitle}>
                <Checkbox
                  label={words.showsCount}
                  description={words.showsCountHelp}
                  checked={shown.showsRequestCount}
                  disabled={!mayEdit}
                  onChange={({ currentTarget }) => change({ showsRequestCount: currentTarget.checked })}
                />
              </Section>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

type DaysProps = { days: number; isBusy: boolean; onChange: (days: number) => void }

function Days({ days, isBusy, onChange }: DaysProps) {
  const { mayEdit } = useProject()
  const [typed, setTyped] = useState<string>()
  const { form, faults, show } = useFaults<'days'>()
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const count = daysOf(typed ?? String(days))
    if (count === undefined) return show({ days: words.needsDays })
    show({})
    setTyped(undefined)
    onChange(count)
  }
  return (
    <form ref={form} className="order-days" onSubmit={send} noValidate>
      <TextInput
        label={words.days}
        description={words.daysHelp}
        value={typed ?? String(days)}
        inputMode="numeric"
        disabled={!mayEdit}
        error={faults.days}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {mayEdit && (
        <Button
          type="submit"
          variant="default"
          loading={isBusy}
          disabled={typed === undefined || typed === String(days)}
        >
          {texts.common.save}
        </Button>
      )}
    </form>
  )
}
