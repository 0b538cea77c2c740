// Formats all records of a domain as one plain text, to be pasted into a message to the
// person who manages the DNS, or into the form of a provider's support: the required
// records, the current ones, and those to delete.

import type { DomainRecord, Provider } from '@petstore-platform/contract/platform/domain-shapes'
import { domains } from '../texts/en/domains.ts'

const { records: words } = domains

type RecordsText = { hostname: string; records: readonly DomainRecord[]; provider: Provider | null }

export function recordsText({ hostname, records, provider }: RecordsText): string {
  const head = [words.text.title(hostname), ...(provider ? [words.text.where(provider.name)] : [])]
  return [head.join('\n'), ...records.map((record, index) => recordText(record, index + 1))].join('\n\n')
}

function recordText(
  { type, name, fullName, value, ttl, have, action, required }: DomainRecord,
  number: number,
): string {
  const fields: [name: string, value: string][] = [
    [words.type, type],
    [words.name, name === fullName ? name : `${name || words.leaveEmpty} ${words.text.full(fullName)}`],
    [words.value, value],
    [words.ttl, String(ttl)],
  ]
  return [
    `${words.text.record(number, words.actions[action])}${required ? '' : ` (${words.optional.toLowerCase()})`}`,
    ...fields.map(([field, said]) => `   ${`${field}:`.padEnd(WIDTH)}${said}`),
    `   ${words.thereNow}: ${have.length === 0 ? words.nothingThere : ''}`.trimEnd(),
    ...have.map(({ line, todo }) => `   - ${line} (${words.todos[todo]})`),
  ].join('\n')
}

const WIDTH = Math.max(...[words.type, words.name, words.value, words.ttl].map(({ length }) => length)) + 2
