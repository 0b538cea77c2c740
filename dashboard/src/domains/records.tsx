// The required records, each next to the current ones: values to copy, records to delete
// marked as such, and how long a change can take.

import type { DomainRecord, HeldRecord, Propagation, Provider } from '@petstore/contract/platform/domain-shapes'
import { texts } from '../texts/texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Copy } from '../ui/copy.tsx'
import { recordsText } from './records-text.ts'
import './domains.css'

const { records: words } = texts.domains

const stateTones: Readonly<Record<DomainRecord['state'], Tone>> = {
  right: 'good',
  missing: 'wait',
  wrong: 'bad',
  conflicting: 'bad',
  unknown: 'plain',
}
const stateLabels: Readonly<Record<DomainRecord['state'], string>> = words.states
const actionLabels: Readonly<Record<DomainRecord['action'], string>> = words.actions
const todoTones: Readonly<Record<HeldRecord['todo'], Tone>> = {
  keep: 'good',
  leave: 'plain',
  change: 'warn',
  delete: 'bad',
}

type RecordsProps = {
  /** Names the whole in the text that can be copied; without it the first record does. */
  hostname?: string
  records: readonly DomainRecord[]
  provider: Provider | null
  propagation: Propagation | null
}

export function Records({ hostname, records, provider, propagation }: RecordsProps) {
  const [first] = records
  if (!first) return <p className="quiet">{words.none}</p>
  const isAlias = records.some(({ type }) => type === 'ALIAS' || type === 'ANAME')
  return (
    <div className="stack records">
      <div className="stack records-list">
        {records.map((record) => (
          <RecordCard key={`${record.type} ${record.fullName} ${record.value}`} record={record} />
        ))}
      </div>
      {propagation && <p className="note propagation">{propagation.note}</p>}
      <p className="quiet small">
        {isAlias && `${words.alias} `}
        {words.ttlHelp}
      </p>
      <div className="row">
        <Copy
          value={recordsText({ hostname: hostname ?? first.fullName, records, provider })}
          what={words.copyAllOf}
          label={words.copyAll}
        />
        {provider?.dnsPage && (
          <a href={provider.dnsPage} target="_blank" rel="noreferrer">
            {texts.domains.dnsPage(provider.name)}
          </a>
        )}
      </div>
    </div>
  )
}

function RecordCard({ record }: { record: DomainRecord }) {
  const { type, name, value, ttl, have, state, action, required } = record
  return (
    <div className={`record ${stateTones[state]}`}>
      <div className="row record-head">
        <strong>{actionLabels[action]}</strong>
        <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
        {!required && <Badge tone="plain">{words.optional}</Badge>}
      </div>
      <table className="list record-fields">
        <thead>
          <tr>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.value}</th>
            <th scope="col">{words.ttl}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td data-label={words.type} className="mono">
              {type}
            </td>
            <td data-label={words.name}>
              {name === '' ? (
                <span className="quiet">{words.leaveEmpty}</span>
              ) : (
                <Field value={name} part={words.name} type={type} />
              )}
            </td>
            <td data-label={words.value}>
              <Field value={value} part={words.value} type={type} />
            </td>
            <td data-label={words.ttl} className="mono">
              {ttl}
            </td>
          </tr>
        </tbody>
      </table>
      <There lines={have} />
    </div>
  )
}

const Field = ({ value, part, type }: { value: string; part: string; type: string }) => (
  <span className="record-field">
    <code>{value}</code>
    <Copy value={value} what={words.copyOf(part, type)} />
  </span>
)

const There = ({ lines }: { lines: readonly HeldRecord[] }) => (
  <div className="record-there small">
    <span className="quiet">{words.thereNow}: </span>
    {lines.length === 0 ? (
      <span className="quiet">{words.nothingThere}</span>
    ) : (
      <ul>
        {lines.map(({ line, todo }) => (
          <li key={line}>
            <code>{line}</code> <Badge tone={todoTones[todo]}>{words.todos[todo]}</Badge>
          </li>
        ))}
      </ul>
    )}
  </div>
)
