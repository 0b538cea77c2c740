// The setup summary: the DNS changes needed before a domain can be verified, in a few plain
// sentences, in the order in which to make them: conflicting records are deleted first, then
// the new ones are created. It adds nothing to the records; it is for an owner who has never
// used DNS.

import type { Judgement, RecordAdvice } from '../judging/judgement.ts'

type Needs = {
  hostname: string
  judgement: Pick<Judgement, 'records' | 'provider'>
  /** Whether a TXT record will be required whose value is generated when the domain is added. */
  isProofToCome: boolean
}

export function needsOf({ hostname, judgement: { records, provider }, isProofToCome }: Needs): string[] {
  const open = records.filter(({ action }) => action !== 'keep' && action !== 'wait')
  const required = open.filter(({ isRequired }) => isRequired)
  const where = provider ? ` at ${provider.name}` : ''
  const parts = partsOf(hostname, required)
  const wanted = [...parts, ...(isProofToCome ? [PROOF] : [])]
  const count = required.length + (isProofToCome ? 1 : 0)
  const inTheWay = required.find(({ action }) => action === 'delete_others')
  const optional = partsOf(
    hostname,
    open.filter(({ isRequired }) => !isRequired),
  )
  return [
    ...(inTheWay ? [`First delete the other records for ${nameIn(hostname, inTheWay)}, which are in the way.`] : []),
    count === 0 ? nothingOf(records) : `${numberOf(count)} record${count === 1 ? '' : 's'}${where}: ${listOf(wanted)}.`,
    ...(isProofToCome ? ['We show you the value of the TXT record when you add the domain.'] : []),
    ...(optional.length > 0 ? [`Also recommended: ${listOf(optional)}.`] : []),
  ]
}

const PROOF = 'a TXT record that proves it is yours'

/** Records of one type for one name are one part: a hostname may need several addresses. */
function partsOf(hostname: string, records: readonly RecordAdvice[]): string[] {
  const groups = Map.groupBy(records, ({ type, fullName }) => `${type} ${fullName}`)
  return [...groups.values()].map(([first, ...others]) => (first ? partOf(hostname, first, others.length + 1) : ''))
}

function partOf(hostname: string, record: RecordAdvice, count: number): string {
  const { type, action } = record
  if (type === 'TXT') return action === 'change' ? `${PROOF}, in place of the current one` : PROOF
  if (type === 'CAA') return `a CAA record for ${nameIn(hostname, record)} that allows our certificate authority`
  const words = `${countedType(type, count)} for ${nameIn(hostname, record)}`
  return action === 'change' ? `${words}, in place of the current record` : words
}

function countedType(type: RecordAdvice['type'], count: number): string {
  const isAddress = type === 'A' || type === 'AAAA'
  const article = type.startsWith('A') ? 'an' : 'a'
  if (count === 1) return `${article} ${type}${isAddress ? ' record' : ''}`
  return `${numberOf(count).toLowerCase()} ${type} records`
}

/** The name as the provider expects it; the sign for the zone itself is not a word. */
function nameIn(hostname: string, { name, fullName }: RecordAdvice): string {
  if (name !== '@' && name !== '') return name
  return fullName === hostname ? 'the domain itself' : fullName
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
const numberOf = (count: number): string => NUMBERS[count] ?? String(count)

/** 'a, b, and c'; with a comma before the last, since parts contain several words. */
const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`

function nothingOf(records: readonly RecordAdvice[]): string {
  const waiting = records.filter(({ action, isRequired }) => action === 'wait' && isRequired)
  if (waiting.some(({ state }) => state === 'unknown'))
    return 'We could not find out which records exist now. Check again in a few minutes.'
  return waiting.length > 0
    ? 'Nothing more: the records exist but are not visible everywhere yet.'
    : 'Nothing: all records are already in place.'
}
