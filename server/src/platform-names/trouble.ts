// `troubleOf` describes a certificate that could not be ordered or renewed, in one sentence for the
// operator's log.

import type { CertificateStatus } from '../certificates/certificate-status.ts'

export function troubleOf(hostname: string, { state, cause }: CertificateStatus): string | undefined {
  if (cause === null || cause.isPaced) return undefined
  const action = state === 'renewal_failing' || state === 'expired' ? 'renewed' : 'ordered'
  const until = cause.until === null ? 'within the hour' : `at ${new Date(cause.until).toISOString()}`
  return `The certificate of ${hostname} could not be ${action}: ${cause.detail.replace(/\.$/, '')}. Next attempt ${until}.`
}
