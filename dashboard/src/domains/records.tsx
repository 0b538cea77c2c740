// The changes in the DNS of a domain, numbered in the order in which to make them: records to delete are struck
// through, values to enter can be copied. What is correct already has no number.

import type {
  DomainRecord,
  HeldRecord,
  Propagation,
  Provider,
} from '@petstore-platform/contract/platform/domain-shapes'
import { ArrowUpRight, Check, Clock, Pencil, Plus, Trash2, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { changesOf, countOf, partsOf, type Change, type ChangeKind } from './changes.ts'
import { recordsText } from './records-text.ts'
import './domains.css'
import './records.css'

const { records: words } = texts.domains

const stateTones: Readonly<Record<DomainRecord['state'], Tone>> = {
  right: 'good',
  missing: 'wait',
  wrong: 'bad',
  conflicting: 'bad',
  unknown: 'plain',
}
const stateLabels: Readonly<Record<DomainRecord['state'], string>> = words.states
const todoTones: Readonly<Record<HeldRecord['todo'], Tone>> = {
  keep: 'good',
  leave: 'plain',
  change: 'warn',
  delete: 'bad',
}
const signs: Readonly<Record<ChangeKind, LucideIcon>> = {
  delete: Trash2,
  add: Plus,
  change: Pencil,
  keep: Check,
  wait: Clock,
}

type RecordsProps = {
  /** Names the whole in the text that can be copied; without it the first record does. */
  hostname?: string
  records: readonly DomainRecord[]
  provider: Provider | null
  propagation: Propagation | null
}

/** How many changes there are, and where. */
export function recordsTitle(records: readonly DomainRecord[], provider: Provider | null): string {
  const { count, isRequired } = countOf(changesOf(records))
  if (count === 0) return words.title
  return (isRequired ? words.changes : words.recommended)(count, provider?.name ?? null)
}

export function Records({ hostname, records, provider, propagation }: RecordsProps) {
  const [first] = records
  if (!first) return <p className="quiet">{words.none}</p>
  const isAlias = records.some(({ type }) => type === 'ALIAS' || type === 'ANAME')
  return (
    <div className="stack records">
      <ol className="changes">
        {changesOf(records).map((change) => (
          <ChangeItem key={`${change.kind} ${change.record.type} ${change.record.value}`} change={change} />
        ))}
      </ol>
      {propagation && <p className="note propagation">{propagation.note}</p>}
      <p className="quiet tiny">
        {isAlias && `${words.alias} `}
        {provider && `${words.format(provider.name)} `}
        {words.ttlHelp}
      </p>
      <div className="row">
        <Copy
          value={recordsText({ hostname: hostname ?? first.fullName, records, provider })}
          what={words.copyAllOf}
          label={words.copyAll}
        />
        {provider?.dnsPage && (
          <a href={provider.dnsPage} target="_blank" rel="noreferrer" className="out small">
            {texts.domains.dnsPage(provider.name)} <Icon of={ArrowUpRight} size={16} />
          </a>
        )}
      </div>
    </div>
  )
}

const ChangeItem = ({ change }: { change: Change }) => (
  <li className="change" data-kind={change.kind}>
    <span className="change-number" aria-hidden>
      {change.number ?? <Icon of={signs[change.kind]} size={16} />}
    </span>
    <div className="stack tight">
      <p className="change-says">
        <strong>{change.kind === 'delete' ? words.delete(change.lines.length) : words.actions[change.kind]}</strong>{' '}
        {change.kind === 'add' && change.record.state === 'unknown' && words.unlessThere}
        {change.replaces > 0 && words.inItsPlace(change.replaces)}
      </p>
      <div className="record">
        <div className="record-head">
          <Icon of={signs[change.kind]} size={16} />
          <span>{words.signs[change.kind]}</span>
          {change.kind !== 'delete' && <Badges record={change.record} />}
        </div>
        {change.kind === 'delete' ? <ToDelete change={change} /> : <ToEnter change={change} />}
      </div>
    </div>
  </li>
)

const Badges = ({ record: { state, required } }: { record: DomainRecord }) => (
  <span className="row tight push">
    {!required && <Badge tone="plain">{words.optional}</Badge>}
    <span className="record-state">
      <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
    </span>
  </span>
)

const ToDelete = ({ change: { lines, record } }: { change: Change }) => (
  <ul className="deleted">
    {lines.map(({ line }) => {
      const { type, value } = partsOf(line)
      const parts = [
        [words.type, type],
        [words.name, record.name || record.fullName],
        [words.value, value],
      ] as const
      return (
        <li key={line}>
          <dl className="record-parts">
            {parts.map(([name, part]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <del>{part}</del>
                </dd>
              </div>
            ))}
          </dl>
        </li>
      )
    })}
  </ul>
)

function ToEnter({ change: { record, lines } }: { change: Change }) {
  const { type, name, value, ttl } = record
  return (
    <>
      <table className="record-fields">
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
      {lines.length > 0 && <There lines={lines} />}
    </>
  )
}

const Field = ({ value, part, type }: { value: string; part: string; type: string }) => (
  <span className="record-field">
    <code>{value}</code>
    <CopyIcon value={value} what={words.copyOf(part, type)} />
  </span>
)

const There = ({ lines }: { lines: readonly HeldRecord[] }) => (
  <div className="record-there">
    <span className="quiet tiny">{words.thereNow}</span>
    <ul>
      {lines.map(({ line, todo }) => (
        <li key={line}>
          <code>{todo === 'change' || todo === 'delete' ? <del>{line}</del> : line}</code>{' '}
          <Badge tone={todoTones[todo]}>{words.todos[todo]}</Badge>
        </li>
      ))}
    </ul>
  </div>
)
