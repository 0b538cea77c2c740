// The editor of primary domain and redirects, saved in one request. The server decides
// what may be saved; a refusal is shown next to the row that it names.

import { Button, NativeSelect } from '@mantine/core'
import { redirectStatuses, statusOf } from './redirect-statuses.ts'
import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { withAllTo, withLead, withPrimary, type Lead } from './redirect-plan.ts'
import { StatusBadge, statusViews } from './status-view.tsx'
import type { Editing } from './use-redirects.ts'

const { editor: words, statuses } = texts.redirects

export function RedirectEditor({ domains, editing }: { domains: readonly DomainSummary[]; editing: Editing }) {
  const { mayEdit } = useProject()
  const { plan, refused, isChanged, isSaving, conflict } = editing
  const primary = domains.find(({ hostname }) => hostname === plan.primary)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        editing.save()
      }}
    >
      {!mayEdit && <p className="note">{texts.common.needsAdmin}</p>}
      <NativeSelect
        className="choice"
        label={words.primary}
        description={words.primaryHint}
        disabled={!mayEdit}
        value={plan.primary ?? ''}
        onChange={({ currentTarget: { value } }) => editing.change(withPrimary(plan, value))}
      >
        {plan.primary === null && <option value="">{words.noPrimary}</option>}
        {domains.map((domain) => (
          <option key={domain.hostname} value={domain.hostname}>
            {optionOf(domain, domain.displayName)}
          </option>
        ))}
      </NativeSelect>
      {mayEdit && primary && domains.length > 1 && (
        <div>
          <Button variant="default" onClick={() => editing.change(withAllTo(plan, primary.hostname))}>
            {words.allToPrimary(primary.displayName)}
          </Button>
        </div>
      )}
      {refused && (
        <div className="note bad" role="alert">
          <strong>{words.refused}.</strong> {refused.rows.length > 0 ? words.seeRows : refused.message}
        </div>
      )}
      <div className="rows">
        {domains.map((domain) => (
          <Row
            key={domain.hostname}
            domain={domain}
            others={domains.filter(({ hostname }) => hostname !== domain.hostname)}
            lead={plan.leads[domain.hostname] ?? null}
            isPrimary={domain.hostname === plan.primary}
            error={refused?.rows.includes(domain.hostname) ? refused.message : undefined}
            mayEdit={mayEdit}
            onChange={(lead) => editing.change(withLead(plan, domain.hostname, lead))}
          />
        ))}
      </div>
      {mayEdit && (
        <div className="row">
          <Button type="submit" disabled={!isChanged || conflict !== null} loading={isSaving}>
            {words.save}
          </Button>
          {isChanged && (
            <Button variant="default" onClick={editing.discard}>
              {words.discard}
            </Button>
          )}
          <span className="quiet small" role="status">
            {conflict ? words.decideFirst : isChanged && words.unsaved}
          </span>
        </div>
      )}
    </form>
  )
}

/** Shows whether it is live; whether that matters is decided by the server. */
const optionOf = ({ status }: DomainSummary, text: string): string =>
  statusViews[status].isServed ? text : words.notLive(text)

type RowProps = {
  domain: DomainSummary
  others: readonly DomainSummary[]
  lead: Lead
  isPrimary: boolean
  error: string | undefined
  mayEdit: boolean
  onChange: (lead: Lead) => void
}

function Row({ domain, others, lead, isPrimary, error, mayEdit, onChange }: RowProps) {
  const { displayName: name } = domain
  return (
    <div className="redirect-row" role="group" aria-label={name}>
      <div className="row">
        <strong>{name}</strong>
        <StatusBadge status={domain.status} />
      </div>
      <div className="redirect-choices">
        <NativeSelect
          className="choice"
          label={words.visitors(name)}
          disabled={!mayEdit || isPrimary}
          error={error}
          {...(isPrimary && { description: words.isPrimary })}
          value={lead?.to ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange(value === '' ? null : { to: value, status: lead?.status ?? 301 })
          }
        >
          <option value="">{words.site}</option>
          {others.map((other) => (
            <option key={other.hostname} value={other.hostname}>
              {optionOf(other, words.to(other.displayName))}
            </option>
          ))}
        </NativeSelect>
        {lead && (
          <NativeSelect
            className="choice"
            label={words.kind(name)}
            disabled={!mayEdit}
            description={statuses[lead.status].text}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={lead.status}
            onChange={({ currentTarget: { value } }) => onChange({ ...lead, status: statusOf(value) })}
          >
            {redirectStatuses.map((status) => (
              <option key={status} value={status}>
                {statuses[status].label}
              </option>
            ))}
          </NativeSelect>
        )}
      </div>
    </div>
  )
}
