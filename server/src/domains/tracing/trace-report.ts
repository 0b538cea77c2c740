// The report of a trace for a terminal: each hop as it was served, then the diagnosis. For
// programs, the same as one JSON object.

import { dayOf } from './trace-messages.ts'
import type { Judged } from './trace-diagnosis.ts'
import type { TraceFailure, Hop } from './hop.ts'

export const chainJson = (url: string, hops: readonly Hop[], { verdict, also }: Judged): string =>
  JSON.stringify({ url, hops, verdict, also })

export function chainText(hops: readonly Hop[], { verdict, also }: Judged): string {
  const meaning = [verdict, ...also].map(({ code, text }) => `${code}: ${text}`)
  return [...hops.map(hopText), ...meaning].join('\n\n')
}

function hopText({ number, url, status, leadsTo, location, cacheControl, certificate, failure, ...hop }: Hop): string {
  const { address, server, ms } = hop
  const facts: [name: string, value: string | null][] = [
    ['redirects to', leadsTo ?? (location === null ? null : `${location} (not a web address)`)],
    ['response from', address && (failure ? null : `${address}${server ? `, ${server}` : ''}`)],
    ['no response', failure && failureText(failure, address)],
    ['cache-control', cacheControl],
    ['certificate', certificate && certificateText(certificate)],
    ['time', `${ms} ms`],
  ]
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`   ${name.padEnd(14)} ${value}`]))
  return [`${number}. ${status ?? '---'} ${url}`, ...lines].join('\n')
}

const failureText = ({ why, detail }: TraceFailure, address: string | null): string =>
  `${why.replaceAll('_', ' ')}${address ? ` at ${address}` : ''}${detail === '' ? '' : ` (${detail})`}`

function certificateText({ issuer, validUntil, faults, detail }: NonNullable<Hop['certificate']>): string {
  const refused = faults.map((fault) => fault.replaceAll('_', ' ')).join(', ')
  const why = faults.length === 0 ? 'accepted' : `REJECTED: ${refused}${detail ? ` (${detail})` : ''}`
  return `issued by ${issuer}, valid until ${dayOf(validUntil)}, ${why}`
}
