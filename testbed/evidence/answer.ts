import type { DnsAnswer } from '../../server/src/foundation/dns/answer.ts'

/** An answer without records, from a server that is not authoritative, unless the changes say otherwise. */
export const fakeAnswer = (changes: Partial<DnsAnswer> = {}): DnsAnswer => ({
  kind: 'answer',
  rcode: 'NOERROR',
  isAuthoritative: false,
  records: [],
  authority: [],
  additional: [],
  errors: [],
  overTcp: false,
  isCut: false,
  ...changes,
})
